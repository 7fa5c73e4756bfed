"""The news of a collection for one reader, as a letter and as an Atom feed (RFC 4287), and how far each reader was told."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import quote
from xml.etree.ElementTree import Element, SubElement, tostring

from focused.collection.collection import mark_of, opened
from focused.collection.desk import DeskFile
from focused.desk.news import MOST
from focused.desk.news.page_events import EventKind, PageNews, differences, event_before, new_sites, page_news
from focused.page.plain_text import plain

MOST_SITES = 30
LONGEST_TITLE = 140
HEADINGS: dict[EventKind, str] = {"new": "New", "changed": "Changed", "gone": "Gone"}
ENTRIES = 100  #: the newest, that a feed has
RUNS = 30  #: the newest, in which it looks for them
NAMESPACE = "http://www.w3.org/2005/Atom"
LONGEST_FEED_TITLE = 300
NEVER = "1970-01-01T00:00:00+00:00"
_RUNS = "SELECT min(seq), max(seq) FROM fetches GROUP BY run ORDER BY run DESC LIMIT ?"


@dataclass(frozen=True, slots=True)
class LastLook:
    """The last look of one reader.

    mark : of the collection that was looked at (see `mark_of`): a crawl that was started anew counts its events anew
    seq : last event of the journal that the reader knows of
    number : how many letters were told so far
    time : ISO 8601, UTC; empty before the first look
    """

    mark: str
    seq: int = 0
    number: int = 0
    time: str = ""


class ReadMarks:
    """The looks at one collection. Each call opens the file anew. Raises what `Desk` does."""

    def __init__(self, folder: Path) -> None:
        self._file = DeskFile(folder)

    def last(self, reader: str, mark: str) -> LastLook:
        """The last look of a reader at the collection with this mark; before the first, one that knows nothing."""
        rows = self._file.rows("SELECT name FROM sqlite_schema WHERE name = 'looks'")  # not in a desk of before
        found = self._file.rows("SELECT mark, seq, number, time FROM looks WHERE reader = ?", (reader,)) if rows else []
        look = LastLook(*found[0]) if found else LastLook(mark)
        return look if look.mark == mark else LastLook(mark, number=look.number)

    def note(self, reader: str, before: LastLook, seq: int) -> bool:
        """Note that a reader has been told all up to an event; False where another one has noted something since ``before``."""
        now = datetime.now(UTC).isoformat(timespec="seconds")
        with self._file.writing() as db:
            found = db.execute("SELECT mark, seq, number FROM looks WHERE reader = ?", (reader,)).fetchone()
            if found and found[0] == before.mark and tuple(found[1:]) != (before.seq, before.number):
                return False
            row = (reader, before.mark, seq, before.number + 1, now)
            db.execute("INSERT OR REPLACE INTO looks VALUES (?, ?, ?, ?, ?)", row)
        return True

    def check_writable(self) -> None:
        """Raise StorageError where a look could not be noted."""
        with self._file.writing():
            pass


@dataclass(frozen=True, slots=True)
class News:
    """What a reader has not been told.

    since : when the reader was told last, or the time that was asked for; empty: never, so that all is new
    look : the last look of the reader
    upto : last event of the journal that these news know
    sites : registered domains with relevant pages that had none before
    changes : what has changed on a page, by the number of its fetch; of the first pages only
    """

    name: str
    since: str
    look: LastLook
    upto: int
    pages: dict[EventKind, list[PageNews]]
    sites: list[str]
    changes: dict[int, str]

    def __bool__(self) -> bool:
        return any(self.pages.values())

    @property
    def in_short(self) -> str:
        """Such as ``3 new pages, 1 changed, 2 gone``."""
        new, changed, gone = (len(self.pages[kind]) for kind in HEADINGS)
        parts = [f"{new:,} new {'page' if new == 1 else 'pages'}"]
        parts += [f"{count:,} {word}" for count, word in ((changed, "changed"), (gone, "gone")) if count]
        return ", ".join(parts)


def news_of(folder: Path, reader: str, *, since: str = "", most: int = MOST) -> News:
    """The news of a collection since the last look of a reader, or since a time (ISO 8601, UTC). Raises StorageError.

    most : changed pages that are read to tell what has changed
    """
    with opened(folder, may_copy=False) as store:
        look = ReadMarks(folder).last(reader, mark_of(store))
        upto = store.committed
        after = event_before(store, since) if since else min(look.seq, upto)  # a repair may have cut the journal
        pages = page_news(store, after, upto)
        sites = new_sites(store, pages["new"], after)
    changes = differences(folder, pages["changed"][:most])
    return News(folder.name, since or look.time, look, upto, pages, sites, changes)


def letter(news: News, most: int = MOST) -> str:
    """The news as plain text. What comes from the Web is indented and on one line: no mail program takes it for a command.

    most : pages of each kind that are told one by one
    """
    since = f" since {news.since[:16].replace('T', ' ')} UTC" if news.since else ""
    lines = [f"{plain(news.name)}: {news.in_short}{since}"]
    if news.sites and news.since:
        rest = f" and {len(news.sites) - MOST_SITES:,} more" if len(news.sites) > MOST_SITES else ""
        lines.append(f"\nNew sites: {', '.join(map(plain, news.sites[:MOST_SITES]))}{rest}")
    for kind, heading in HEADINGS.items():
        pages = news.pages[kind]
        lines += [f"\n{heading}"] if pages else []
        for page in pages[:most]:
            lines += [f"  {plain(page.title, LONGEST_TITLE) or '(no title)'}", f"    {plain(page.url)}"]
            lines += [f"    {change}"] if (change := news.changes.get(page.seq)) else []
        lines += [f"  … and {len(pages) - most:,} more"] if len(pages) > most else []
    return "".join(f"{line}\n" for line in lines)


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
    entries = [_feed_entry(one, f"{ident}:{one.seq}", changes.get(one.seq, "")) for one in newest]
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
        _text(entry, "title", plain(one.title, LONGEST_FEED_TITLE) or plain(one.url, LONGEST_FEED_TITLE))
        _text(entry, "updated", one.updated)
        if one.url.startswith(("http://", "https://")):
            SubElement(entry, "link", href=plain(one.url))
        _text(entry, "summary", one.summary)
    text: bytes = tostring(feed, "utf-8", xml_declaration=True)
    return text


def _feed_entry(news: PageNews, ident: str, change: str) -> FeedEntry:
    title = news.title if plain(news.title) else news.url
    title = title if news.kind == "new" else f"{news.kind.capitalize()}: {plain(title, LONGEST_FEED_TITLE)}"
    about = f"{plain(news.host)}, relevance {news.relevance:.2f}"
    return FeedEntry(ident, title, news.time, news.url, f"{change} ({about})" if change else about)


def _text(parent: Element, tag: str, text: str) -> None:
    SubElement(parent, tag).text = text
