"""Lists of links that are no pages: sitemaps (sitemaps.org, plain or packed by gzip), feeds (Atom, RSS 2.0, RSS 1.0), and what a
robots.txt says of sitemaps.

They are read as a page whose text is the titles and summaries of their entries, so that their links are scored like any others.
Whoever wrote one may mean harm: no entity is replaced, nothing is fetched, and bytes, entries and texts are limited.
"""

from __future__ import annotations

import re
import zlib
from codecs import BOM_UTF8
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import reduce
from html import escape
from html.entities import html5
from itertools import islice
from typing import Any
from urllib.parse import urlsplit

from ada_url import join_url
from lxml import etree

from focused.page.decoding import decode
from focused.page.media_types import GZIP
from focused.page.plain_text import LONGEST_TITLE, plain
from focused.page.urls import MAX_LENGTH

SITEMAP, FEED, ROBOTS = "sitemap", "feed", "robots.txt"
LINK_LISTS = (SITEMAP, FEED, ROBOTS)  #: kinds of such lists, as a page has them
ROBOTS_TXT = "/robots.txt"  #: path of that file
MOST_BYTES = 20_000_000  #: also unpacked; sitemaps.org allows 50 MB, of which hardly any list makes use
MOST_ENTRIES = 1_000  #: that are taken from one list, the newest or most important of a sitemap first
MOST_LISTS = 100  #: other lists that one list names, of which the newest are taken
MOST_LOOKED_AT = 50_000  #: as many as a sitemap may have
LONGEST_ROBOTS_TXT = 500 * 1024  #: bytes that are read of it, as for its rules
LONGEST_SUMMARY = 1_000  #: characters
MOST_REPAIRS = 1_000_000  #: in one document; one that needs more is none
MOST_PARTS_LOOKED_AT = 20  #: elements of an entry
MOST_BASES = 10  #: in each other, that hold for one link of a feed
LOST = "\ufffd"  #: stands for a character that is not known
ENDED = "\u2028"  #: set before the end tag of what holds a URL; counts as a blank
URL_HOLDERS = frozenset(("loc", "link", "guid", "origlink"))
_END_OF_URL = re.compile(rf"</(?=(?:[\w.-]+:)?(?:{'|'.join(URL_HOLDERS)})\s*>)", re.IGNORECASE)
XML_BASE = "{http://www.w3.org/XML/1998/namespace}base"
_URL_ALONE = re.compile(r"https?://[^\s\ufffd]+", re.IGNORECASE)
#: What is in no URL that somebody wrote: what got lost, and characters that browsers would drop without a word.
_DAMAGE = re.compile(r"[\ufffd\x00-\x1f\x7f-\x9f\u2028\u2029]")
_SITEMAP_LINE = re.compile(r"^[ \t]*site[- ]?map(?:[ \t]*:|[ \t]+(?=https?://))([^#\n]*)", re.IGNORECASE | re.MULTILINE)
_NEXT_URL = re.compile(r",?\s+(?=https?://)", re.IGNORECASE)  #: on the same line
_DECLARATION = re.compile(r"^\s*<\?xml\b[^>]*\?>")
_OWN_ENTITY = re.compile(r"<!ENTITY\s+([^\s%]{1,100})")
_NAME = r"[a-zA-Z_:\x80-\U0010ffff]"  #: how one begins
_NO_XML = r"\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff"  #: characters that XML lacks (XML 1.0, section 2.2)
#: Behind ``<``: a section, which stays if it ends; what was not meant as markup.
_SECTION = (
    r"!\[CDATA\[(?:[^]]|\](?!\]>))*+(?:\]\]>)?|!--(?:[^-]|-(?!->))*+(?:-->)?"
    rf"|\?(?={_NAME})(?:[^?]|\?(?!>))*+(?:\?>)?"
)
_NO_TAG = rf"/(?!{_NAME})|(?![/!]|\??{_NAME})|!(?!--|\[CDATA\[|DOCTYPE|ENTITY|ELEMENT|ATTLIST|NOTATION)"
#: Behind ``&``: a reference; nothing, where it was not meant as one.
_REFERENCE = r"(?:(?P<name>#[0-9]{1,20}|#x[0-9a-fA-F]{1,20}|[a-zA-Z_:][\w.:-]{0,60});)?"
_TO_REPAIR = re.compile(  # begins with one set of characters: so Python looks for it twice as fast
    rf"[<&\]{_NO_XML}](?:(?<=<)(?:{_SECTION}|{_NO_TAG})|(?<=&){_REFERENCE}|(?<=\])\]>|(?<=[{_NO_XML}]))"
)


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


def read_link_list(body: bytes, url: str = "") -> LinkList | None:
    """The list that a response is; None for what is none, or is too large. Raises nothing.

    url : of the list; its ``xml:base`` may be relative to it
    """
    try:
        data, is_whole = body, True
        if body[:2] == GZIP:
            unpacking = zlib.decompressobj(zlib.MAX_WBITS | 16)
            data, is_whole = unpacking.decompress(body, MOST_BYTES + 1), unpacking.eof
        if len(data) > MOST_BYTES:
            return None
        if b"<" not in data[:200]:
            return _of_lines(data if is_whole else data[: data.rfind(b"\n") + 1])
        root = parsed_xml(data)
    except (ValueError, zlib.error):
        return None
    match local_name(root):
        case "urlset" | "sitemapindex":
            return _limited(LinkList(SITEMAP, "", _first(of_sitemap(root))))
        case "feed" | "rss" | "rdf":
            return _limited(LinkList(FEED, _title(root), list(_of_feed(root, url))))
    return None


def _of_lines(data: bytes) -> LinkList | None:
    """A sitemap in plain text (sitemaps.org): an http(s) URL a line and nothing else."""
    start = data.removeprefix(BOM_UTF8).lstrip()
    if not start[:8].lower().startswith((b"http://", b"https://")):
        return None
    lines = start.decode("utf-8", "replace").split("\n", MOST_LOOKED_AT)[:MOST_LOOKED_AT]
    urls = [line.strip() for line in lines if line.strip()]
    if not all(_URL_ALONE.fullmatch(url) for url in urls):
        return None
    return _limited(LinkList(SITEMAP, "", [ListEntry(url) for url in urls]))


def named_in_robots_txt(url: str, body: bytes) -> LinkList | None:
    """The sitemaps that a robots.txt names; None for a response that is none. Raises nothing."""
    if urlsplit(url).path != ROBOTS_TXT or body.lstrip()[:1] == b"<":
        return None
    text = body[:LONGEST_ROBOTS_TXT].decode("utf-8", "replace").lstrip("\ufeff\ufffd").replace("\r", "\n")
    if "\0" in text[:2]:  # UTF-16, see `own_rules`
        text = text.replace("\0", "")
    if len(body) > LONGEST_ROBOTS_TXT:  # half a line names something else
        text = text[: text.rfind("\n") + 1]
    lines = (line[1].strip() for line in _SITEMAP_LINE.finditer(text))
    named = (sitemap.strip("\"'<>") for line in lines for sitemap in _NEXT_URL.split(line))
    return LinkList(ROBOTS, "", [ListEntry(url, is_list=True) for url in islice(filter(is_whole, named), MOST_LISTS)])


def _first(entries: Iterator[ListEntry]) -> list[ListEntry]:
    """Entries of a sitemap: what changed last goes first, and among those what its site finds important."""
    found = sorted(entries, key=lambda entry: entry.priority, reverse=True)
    return sorted(found, key=lambda entry: entry.date[:10], reverse=True)


def _limited(found: LinkList) -> LinkList:
    if len(found.entries) <= MOST_ENTRIES:
        return found
    return replace(found, entries=found.entries[:MOST_ENTRIES], truncated=True)


def of_sitemap(root: Any) -> Iterator[ListEntry]:
    """The entries of a sitemap or of an index of sitemaps, in its order; where tags are not closed, they lie in each other."""
    for loc in islice(root.iter("{*}loc"), MOST_LOOKED_AT):
        element = loc.getparent()
        if local_name(element) in ("url", "sitemap") and (url := url_in(loc)):
            parts = {local_name(part): part for part in islice(element, MOST_PARTS_LOOKED_AT)}
            said = {name: text_of(parts[name], 100) for name in ("lastmod", "priority") if name in parts}
            yield ListEntry(
                url,
                title=plain(_of(parts["news"], "title"), LONGEST_TITLE) if "news" in parts else "",
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


def _of_feed(root: Any, place: str) -> Iterator[ListEntry]:
    entries = (element for element in root.iter() if local_name(element) in ("entry", "item"))
    for element in islice(entries, MOST_ENTRIES + 1):
        url = title = summary = date = permanent = original = ""
        for part in element:
            name = local_name(part)
            if name == "link" and not url and _is_alternate(part.get("rel", "")):
                url = _at_base(part, part.get("href") or url_in(part), place)
            elif name == "guid" and part.get("isPermaLink", "true").strip().lower() == "true":
                permanent = url_in(part)
            elif name == "origlink":  # of a feed whose links lead through somebody who counts readers
                original = url_in(part)
            elif name == "title" and not title:
                title = text_of(part, LONGEST_TITLE)
            elif name in ("summary", "description", "content") and not summary:
                summary = text_of(part, LONGEST_SUMMARY)
            elif name in ("updated", "published", "pubdate", "date") and not date:
                date = text_of(part, 100)
        absolute = filter(_URL_ALONE.fullmatch, (original, *([] if url else [permanent])))
        if is_whole(url := next(absolute, url)):
            yield ListEntry(url, plain(title, LONGEST_TITLE), plain(summary, LONGEST_SUMMARY), date)


def _is_alternate(relation: str) -> bool:
    """Whether a link of a feed leads to the entry itself; relations may be URLs (RFC 4287, section 4.2.7.2)."""
    name = relation.strip().lower()
    return name in ("", "alternate") or name.endswith("/relation/alternate")


def _at_base(element: Any, url: str, place: str) -> str:
    """A link of a feed, as far as ``xml:base`` says what it is relative to (RFC 4287, section 2)."""
    bases = [base for one in (element, *element.iterancestors()) if (base := one.get(XML_BASE))]
    if not bases or not is_whole(url):
        return url
    if len(bases) > MOST_BASES or not all(map(is_whole, bases)):
        return ""
    try:
        return reduce(join_url, (*reversed(bases), url), place or "about:blank")
    except ValueError:
        return ""


MOST_PARTS = 1000  #: of a text, between tags


def parsed_xml(body: bytes) -> Any:
    """The root of an XML document, read as far as it is one: no entity is replaced, nothing is fetched. Raises ValueError.

    What a parser would leave out without a word is repaired before, or becomes `LOST`: no text is another than its author's.
    """
    text = _DECLARATION.sub("", decode(body, "application/xml"), count=1)
    try:
        if "<!DOCTYPE" not in text:
            return _root(text, recover=False)
    except etree.XMLSyntaxError:
        pass
    try:
        root = _root(_repaired(text), recover=True)
    except (etree.XMLSyntaxError, ValueError) as error:
        raise ValueError(f"not XML that can be read: {plain(str(error), 100)}") from None
    if root is None:
        raise ValueError("not XML that can be read")
    for element in root.iter():
        if local_name(element) in URL_HOLDERS and not (element.text or "").endswith(ENDED):
            element.text = LOST  # it breaks off, or the end tag of another cut it off
    return root


def _root(text: str, *, recover: bool) -> Any:
    parser = etree.XMLParser(
        resolve_entities=False,
        no_network=True,
        load_dtd=False,
        huge_tree=False,
        recover=recover,
        remove_comments=True,
        encoding="utf-8",
    )
    return etree.fromstring(text.encode("utf-8", "replace"), parser)


def _repaired(text: str) -> str:
    """The same document, its references and characters such that XML has them, and markup only where it was meant.

    All references become those by number: behind a mistake, libxml2 leaves out the others. Raises ValueError for a document that
    needs `MOST_REPAIRS`.
    """
    own, has_own = set(_OWN_ENTITY.findall(text)), "<!DOCTYPE" in text

    def repaired(found: re.Match[str]) -> str:
        said, name = found[0], found["name"]
        if name is None:
            if said in ("&", "<", "<!", "]]>"):
                return _by_number(said)
            return said if said.endswith(("]]>", "-->", "?>")) else LOST
        if name.startswith("#"):
            return said if _is_character(name) else LOST
        if f"{name};" in html5 and name not in own:
            return _by_number(html5[f"{name};"])
        return LOST if has_own else _by_number(said)

    text, repairs = _TO_REPAIR.subn(repaired, text[: text.rfind(">") + 1], MOST_REPAIRS)
    if repairs == MOST_REPAIRS:
        raise ValueError("too much of it is broken")
    return _END_OF_URL.sub(f"{ENDED}</", text)


def _by_number(text: str) -> str:
    return "".join(f"&#{ord(character)};" for character in text)


def _is_character(reference: str) -> bool:
    """Whether a reference by number, such as ``#x41``, is to a character that XML has."""
    number = int(reference[2:], 16) if reference[1] == "x" else int(reference[1:])
    return (
        number in (9, 10, 13) or 0x20 <= number <= 0xD7FF or 0xE000 <= number <= 0xFFFD or 0x10000 <= number <= 0x10FFFF
    )


def url_in(element: Any) -> str:
    """The URL that an element holds; empty where there is none, or where it is not sure to be what its author wrote."""
    url = (element.text or "").strip()
    return url if is_whole(url) and not len(element) else ""


def is_whole(url: str) -> bool:
    """Whether all characters of a URL are there, as far as they tell."""
    return 0 < len(url) <= MAX_LENGTH and not _DAMAGE.search(url)


def local_name(element: Any) -> str:
    """The name of an element without its namespace, declared or not, in lower case; empty for what is no element."""
    return element.tag.rpartition("}")[2].rpartition(":")[2].lower() if isinstance(element.tag, str) else ""


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
