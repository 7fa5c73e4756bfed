"""Atom feeds (RFC 4287), of news and of anything else. An entry keeps its id for ever, so that no reader shows it twice."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote
from xml.etree.ElementTree import Element, SubElement, tostring

from focused.collection.collection import mark_of, opened
from focused.desk.news.differences import differences
from focused.desk.news.events import PageNews, page_news
from focused.page.plain_text import plain

ENTRIES = 100  #: the newest, that a feed has
RUNS = 30  #: the newest, in which it looks for them
NAMESPACE = "http://www.w3.org/2005/Atom"
LONGEST_TITLE = 300
NEVER = "1970-01-01T00:00:00+00:00"

_RUNS = "SELECT min(seq), max(seq) FROM fetches GROUP BY run ORDER BY run DESC LIMIT ?"


@dataclass(frozen=True, slots=True)
class FeedEntry:
    """What a feed says of one page."""

    ident: str  #: a URI that never changes
    title: str
    updated: str  #: ISO 8601 with a time zone
    url: str
    summary: str


def atom_feed(folder: Path, address: str = "") -> bytes:
    """The feed of a collection: its newest events, whoever has been told of them. Raises StorageError.

    address : of the feed itself, if it has one
    """
    with opened(folder, may_copy=False) as store:
        mark, name = mark_of(store), folder.name
        newest: list[PageNews] = []
        # By runs: a page may be new in one and changed in the next.
        for first, last in store.execute(_RUNS, (RUNS,)).fetchall():
            some = [one for pages in page_news(store, first - 1, last).values() for one in pages]
            newest += sorted(some, key=lambda one: -one.seq)
            if len(newest) >= ENTRIES:
                break
    newest = newest[:ENTRIES]
    changes = differences(folder, (one for one in newest if one.kind == "changed"))
    ident = f"urn:focused:{quote(name, safe='')}:{quote(mark, safe='')}"
    entries = [_entry(one, f"{ident}:{one.seq}", changes.get(one.seq, "")) for one in newest]
    return feed_of(ident, f"{name}: new, changed and gone pages", entries, address)


def feed_of(ident: str, title: str, entries: Sequence[FeedEntry], address: str = "") -> bytes:
    """A feed of any entries. Texts are on one line; a link that is not of the Web is left out.

    ident : a URI that never changes
    address : of the feed itself, if it has one
    """
    feed = Element("feed", xmlns=NAMESPACE)
    _text(feed, "id", ident)
    _text(feed, "title", plain(title))
    _text(feed, "updated", max((one.updated for one in entries), default=NEVER))
    _text(SubElement(feed, "author"), "name", "focused")
    if address:
        SubElement(feed, "link", rel="self", href=address)
    for one in entries:
        entry = SubElement(feed, "entry")
        _text(entry, "id", one.ident)
        _text(entry, "title", plain(one.title, LONGEST_TITLE) or plain(one.url, LONGEST_TITLE))
        _text(entry, "updated", one.updated)
        if one.url.startswith(("http://", "https://")):
            SubElement(entry, "link", href=plain(one.url))
        _text(entry, "summary", one.summary)
    text: bytes = tostring(feed, "utf-8", xml_declaration=True)
    return text


def _entry(news: PageNews, ident: str, change: str) -> FeedEntry:
    title = news.title if plain(news.title) else news.url
    title = title if news.kind == "new" else f"{news.kind.capitalize()}: {plain(title, LONGEST_TITLE)}"
    about = f"{plain(news.host)}, relevance {news.relevance:.2f}"
    return FeedEntry(ident, title, news.time, news.url, f"{change} ({about})" if change else about)


def _text(parent: Element, tag: str, text: str) -> None:
    SubElement(parent, tag).text = text
