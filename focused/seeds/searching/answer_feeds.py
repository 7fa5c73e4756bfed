"""The answer of a search as an Atom feed: so it is kept in the collection, and read again without asking anybody."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from urllib.parse import urlsplit

from lxml import etree

from focused.crawl.domains import domain_of
from focused.live.questions import ORIGIN, Question
from focused.page.addresses import is_local
from focused.page.plain_text import LONGEST_TITLE, plain
from focused.page.urls import UrlRules, host_of
from focused.seeds.searching.result_pages import LONGEST_SNIPPET
from focused.seeds.searching.search_provider import Found

ATOM_NAMESPACE = "http://www.w3.org/2005/Atom"
_NOBODYS = urlsplit(ORIGIN).hostname


def usable(
    found: Sequence[Found], rules: UrlRules, most: int, per_site: int, *, private: bool = False
) -> Iterator[Found]:
    """The results that lead somewhere, each URL once and in canonical form.

    most, per_site : results in all, and of one registered domain
    private : hosts on this machine and in private networks are among them
    """
    seen: set[str] = set()
    of_site = Counter[str]()
    for one in found:
        url = rules.canonical(one.url)
        if url is None or url in seen or host_of(url) == _NOBODYS or (not private and is_local(host_of(url))):
            continue
        site = domain_of(host_of(url))
        if of_site[site] == per_site or len(seen) == most:
            continue
        of_site[site] += 1
        seen.add(url)
        yield Found(url, one.title, one.snippet, one.rank)


def feed_of(question: Question, found: Sequence[Found]) -> bytes:
    """The results as a feed, in their order."""
    root = etree.Element("feed", {"xmlns": ATOM_NAMESPACE})
    _add(root, "title", plain(question.words, LONGEST_TITLE))
    for one in found:
        entry = etree.SubElement(root, "entry")
        _add(entry, "title", plain(one.title, LONGEST_TITLE))
        etree.SubElement(entry, "link", href=one.url)
        _add(entry, "summary", plain(one.snippet, LONGEST_SNIPPET))
    return etree.tostring(root, encoding="utf-8", xml_declaration=True)


def _add(element: etree._Element, name: str, text: str) -> None:
    etree.SubElement(element, name).text = text
