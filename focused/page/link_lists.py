"""Lists of links that are no pages: sitemaps (sitemaps.org, plain or packed by gzip), feeds (Atom, RSS 2.0, RSS 1.0), and what a
robots.txt says of sitemaps.

They are read as a page whose text is the titles and summaries of their entries, so that their links are scored like any others.
Whoever wrote one may mean harm: no entity is replaced, nothing is fetched, and bytes, entries and texts are limited.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from dataclasses import dataclass, replace
from html import escape
from itertools import islice
from typing import Any
from urllib.parse import urlsplit

from lxml import etree

from focused.page.plain_text import LONGEST_TITLE, plain
from focused.page.urls import MAX_LENGTH

SITEMAP, FEED, ROBOTS = "sitemap", "feed", "robots.txt"
LINK_LISTS = (SITEMAP, FEED, ROBOTS)  #: kinds of such lists, as a page has them
ROBOTS_TXT = "/robots.txt"  #: path of that file
ATOM = "application/atom+xml"
#: Media types under which they come; what of it is no list is out of scope as before.
XML_TYPES = frozenset(("application/xml", "text/xml", "application/rss+xml", ATOM, "application/rdf+xml"))
GZIP_TYPES = frozenset(("application/gzip", "application/x-gzip"))
LIST_TYPES = XML_TYPES | GZIP_TYPES
MOST_BYTES = 20_000_000  #: also unpacked; sitemaps.org allows 50 MB, of which hardly any list makes use
MOST_ENTRIES = 1_000  #: that are taken from one list, the newest or most important of a sitemap first
MOST_LISTS = 100  #: other lists that one list names, of which the newest are taken
MOST_LOOKED_AT = 50_000  #: as many as a sitemap may have
LONGEST_ROBOTS_TXT = 500 * 1024  #: bytes that are read of it, as for its rules
LONGEST_SUMMARY = 1_000  #: characters
GZIP = b"\x1f\x8b"


@dataclass(frozen=True, slots=True)
class ListEntry:
    """What a list says of one URL.

    url : as it is written
    date : ISO 8601, as far as it is given; when it was changed or published
    priority : in [0, 1]; .5 where nothing is said
    is_list : it leads to another sitemap
    """

    url: str
    title: str = ""
    summary: str = ""
    date: str = ""
    priority: float = 0.5
    is_list: bool = False


@dataclass(frozen=True, slots=True)
class LinkList:
    """One list. ``truncated``: it has more entries than were taken."""

    kind: str  #: one of `LINK_LISTS`
    title: str
    entries: list[ListEntry]
    truncated: bool = False

    @property
    def lists(self) -> list[str]:
        """URLs of other lists that it names, as they are written."""
        return [entry.url for entry in self.entries if entry.is_list][:MOST_LISTS]

    def as_markup(self) -> str:
        """HTML that says the same, but for other lists: a page as `Reader` reads it."""
        items = (
            f"<entry><a href='{escape(entry.url)}'>{escape(entry.title)}</a> {escape(entry.summary)}</entry>"
            for entry in self.entries
            if not entry.is_list
        )
        # Names of its own: its links are no such links as those of the site's pages.
        return f"<title>{escape(self.title)}</title><body><list>{''.join(items)}</list>"


def read_link_list(body: bytes) -> LinkList | None:
    """The list that a response is; None for what is none, or is too large. Raises nothing."""
    try:
        data = zlib.decompressobj(zlib.MAX_WBITS | 16).decompress(body, MOST_BYTES + 1) if body[:2] == GZIP else body
        if len(data) > MOST_BYTES or b"<" not in data[:200]:
            return None
        root = parsed_xml(data[: data.rfind(b">") + 1])  # where it breaks off there may be half a URL
    except (ValueError, zlib.error):
        return None
    match local_name(root):
        case "urlset" | "sitemapindex":
            return _limited(LinkList(SITEMAP, "", _first(_of_sitemap(root))))
        case "feed" | "rss" | "rdf":
            return _limited(LinkList(FEED, _title(root), list(_of_feed(root))))
    return None


def named_in_robots_txt(url: str, body: bytes) -> LinkList | None:
    """The sitemaps that a robots.txt names; None for a response that is none. Raises nothing."""
    if urlsplit(url).path != ROBOTS_TXT or body.lstrip()[:1] == b"<":
        return None
    lines = (line.strip() for line in body[:LONGEST_ROBOTS_TXT].decode("utf-8-sig", "replace").splitlines())
    named = (line.partition(":")[2].strip() for line in lines if line[:8].lower() == "sitemap:")
    return LinkList(ROBOTS, "", [ListEntry(sitemap, is_list=True) for sitemap in islice(named, MOST_LISTS)])


def _first(entries: Iterator[ListEntry]) -> list[ListEntry]:
    """Entries of a sitemap: what changed last goes first, and among those what its site finds important."""
    found = sorted(entries, key=lambda entry: entry.priority, reverse=True)
    return sorted(found, key=lambda entry: entry.date[:10], reverse=True)


def _limited(found: LinkList) -> LinkList:
    if len(found.entries) <= MOST_ENTRIES:
        return found
    return replace(found, entries=found.entries[:MOST_ENTRIES], truncated=True)


def _of_sitemap(root: Any) -> Iterator[ListEntry]:
    for element in islice(root, MOST_LOOKED_AT):
        said = {local_name(part): text_of(part, MAX_LENGTH) for part in islice(element, 20)}
        if url := said.get("loc", ""):
            news = next((part for part in element if local_name(part) == "news"), None)
            title = _of(news, "title") if news is not None else ""
            yield ListEntry(
                url,
                title=plain(title, LONGEST_TITLE),
                date=said.get("lastmod", ""),
                priority=_priority(said.get("priority", "")),
                is_list=local_name(element) == "sitemap",
            )


def _of(element: Any, name: str) -> str:
    return next((text_of(part, LONGEST_TITLE) for part in element if local_name(part) == name), "")


def _priority(text: str) -> float:
    try:
        return min(1.0, max(0.0, float(text)))
    except ValueError:
        return 0.5


def _title(root: Any) -> str:
    top = next((part for part in root if local_name(part) == "channel"), root)
    return plain(_of(top, "title"), LONGEST_TITLE)


def _of_feed(root: Any) -> Iterator[ListEntry]:
    entries = (element for element in root.iter() if local_name(element) in ("entry", "item"))
    for element in islice(entries, MOST_ENTRIES + 1):
        url = title = summary = date = ""
        for part in element:
            name = local_name(part)
            if name == "link" and not url and part.get("rel", "alternate") == "alternate":
                url = part.get("href") or text_of(part, MAX_LENGTH)
            elif name == "title" and not title:
                title = text_of(part, LONGEST_TITLE)
            elif name in ("summary", "description", "content") and not summary:
                summary = text_of(part, LONGEST_SUMMARY)
            elif name in ("updated", "published", "pubdate", "date") and not date:
                date = text_of(part, 100)
        if url:
            yield ListEntry(url, plain(title, LONGEST_TITLE), plain(summary, LONGEST_SUMMARY), date)


MOST_PARTS = 1000  #: of a text, between tags


def parsed_xml(body: bytes) -> Any:
    """The root of an XML document, read as far as it is one: no entity is replaced, nothing is fetched. Raises ValueError."""
    parser = etree.XMLParser(
        resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False, recover=True, remove_comments=True
    )
    try:
        root = etree.fromstring(body, parser)
    except (etree.XMLSyntaxError, ValueError) as error:
        raise ValueError(f"not XML that can be read: {plain(str(error), 100)}") from None
    if root is None:
        raise ValueError("not XML that can be read")
    return root


def local_name(element: Any) -> str:
    """The name of an element without its namespace, in lower case; empty for what is no element."""
    return element.tag.rpartition("}")[2].lower() if isinstance(element.tag, str) else ""


def text_of(element: Any, most: int) -> str:
    """The text in an element on one line, of ``most`` characters or a few more: entries may lie in each other."""
    if not len(element):
        return " ".join((element.text or "")[: most + 1].split()) if isinstance(element.tag, str) else ""
    parts: list[str] = []
    length = 0
    for part in islice(_texts(element), MOST_PARTS):
        parts.append(part[: most + 1])
        length += len(parts[-1])
        if length > most:
            break
    return " ".join("".join(parts).split())


def _texts(element: Any) -> Iterator[str]:
    """The texts in an element, in order; an empty one where there is none, so that steps can be counted."""
    yield element.text or "" if isinstance(element.tag, str) else ""
    for part in element:
        yield from _texts(part)
        yield part.tail or ""
