"""The news of a collection: what became of relevant pages in a part of the journal, pages that are new, have changed, or are gone.

One reader gets them as a letter, everyone else as an Atom feed (RFC 4287). How far each reader was told is kept.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Literal
from urllib.parse import quote
from xml.etree.ElementTree import Element, SubElement, tostring

from focused.collection.collection import mark_of, opened
from focused.collection.desk import DeskFile
from focused.collection.repository import Place
from focused.collection.store import CHANGED, FIRST_ID, IS_VERSION, Row, Store
from focused.crawl.novelty import COPIES
from focused.crawl.url_forms import domain_of
from focused.desk.news import MOST
from focused.exceptions import FocusedError
from focused.live.last_run import last_run
from focused.page.page_text import TextRequest
from focused.page.plain_text import plain

if TYPE_CHECKING:
    from focused.export.reading_processes import PageReader

EventKind = Literal["new", "changed", "gone"]

MOST_SITES = 30
LONGEST_TITLE = 140
HEADINGS: dict[EventKind, str] = {"new": "New", "changed": "Changed", "gone": "Gone"}
ENTRIES = 100  #: the newest, that a feed has
RUNS = 30  #: the newest, in which it looks for them
NAMESPACE = "http://www.w3.org/2005/Atom"
LONGEST_FEED_TITLE = 300
NEVER = "1970-01-01T00:00:00+00:00"
_RUNS = "SELECT min(seq), max(seq) FROM fetches GROUP BY run ORDER BY run DESC LIMIT ?"
_COPIES = ", ".join(f"'{one}'" for one in COPIES)
_COLUMNS = "SELECT f.seq, u.url, h.name, f.title, f.relevance, f.time, f.file, f.offset, f.length"
_JOINED = "FROM fetches f JOIN urls u ON u.id = f.final_url JOIN hosts h ON h.id = u.host"
_NO_COPY = f"coalesce(f.verdict NOT IN ({_COPIES}), 1)"
#: Pages that are there for the first time, and have not gone since.
_NEW = f"""
{_COLUMNS}, NULL, NULL, NULL {_JOINED}
WHERE f.outcome = 'page' AND f.relevant = 1 AND {_NO_COPY} AND f.seq > :after AND f.seq <= :upto
    AND f.final_url NOT IN (SELECT url FROM fetches WHERE outcome = 'gone' AND seq > :after AND seq <= :upto)
ORDER BY f.relevance DESC, f.seq
"""
#: Of pages that were known before: the version that was known, by the id of the page.
_KNOWN = f"""
WITH touched AS (SELECT DISTINCT url FROM fetches WHERE outcome IN ('{CHANGED}', 'gone') AND seq > :after AND seq <= :upto),
known AS (
    SELECT {FIRST_ID} AS page, max(seq) AS seq FROM fetches f
    WHERE {IS_VERSION} AND seq <= :after AND {FIRST_ID} IN touched GROUP BY 1
)
"""
_CHANGED = f"""{_KNOWN}
{_COLUMNS}, b.file, b.offset, b.length {_JOINED} JOIN known k ON k.page = f.url JOIN fetches b ON b.seq = k.seq
WHERE f.seq IN (
    SELECT max(seq) FROM fetches WHERE outcome = '{CHANGED}' AND seq > :after AND seq <= :upto GROUP BY url
) AND (f.relevant = 1 OR b.relevant = 1) AND {_NO_COPY}
    AND f.url NOT IN (SELECT url FROM fetches WHERE outcome = 'gone' AND seq > :after AND seq <= :upto)
ORDER BY f.relevance DESC, f.seq
"""
_GONE = f"""{_KNOWN}
SELECT g.seq, u.url, h.name, f.title, f.relevance, g.time, NULL, NULL, NULL, NULL, NULL, NULL
FROM fetches g JOIN known k ON k.page = g.url JOIN fetches f ON f.seq = k.seq
JOIN urls u ON u.id = f.final_url JOIN hosts h ON h.id = u.host
WHERE g.outcome = 'gone' AND g.seq > :after AND g.seq <= :upto AND f.relevant = 1 AND {_NO_COPY}
ORDER BY f.relevance DESC, g.seq
"""
_QUERIES: dict[EventKind, str] = {"new": _NEW, "changed": _CHANGED, "gone": _GONE}
_HOSTS_BEFORE = f"""
SELECT name FROM hosts WHERE id IN (
    SELECT u.host FROM fetches f JOIN urls u ON u.id = f.final_url WHERE {IS_VERSION} AND f.relevant = 1 AND f.seq <= ?
)
"""
LONGEST = 160  #: characters of a sentence that are told
LONGEST_TEXT = 200_000  #: characters of a text that are compared
FEWEST_WORDS = 3  #: a shorter sentence is a date or a counter, as long as there is a longer one
_END = re.compile(r"(?<=[.!?。！？])\s+|\n+")


@dataclass(frozen=True, slots=True)
class PageNews:
    """What became of one page.

    seq : number of the fetch that tells it
    place, before : where its version of now lies, and the one that was known; None: it is gone, or new
    """

    kind: EventKind
    seq: int
    url: str
    host: str
    title: str
    relevance: float
    time: str
    place: Place | None = None
    before: Place | None = None


def page_news(store: Store, after: int, upto: int) -> dict[EventKind, list[PageNews]]:
    """What the events from ``after`` + 1 to ``upto`` say, the most relevant pages first. Copies of other pages are left out."""
    window = {"after": after, "upto": upto}
    return {
        kind: [_of_row(kind, row) for row in store.execute(query, window).fetchall()]
        for kind, query in _QUERIES.items()
    }


def new_sites(store: Store, news: list[PageNews], after: int) -> list[str]:
    """Registered domains of new pages that had no relevant page up to an event, those with the best pages first."""
    if not news:
        return []
    known = {domain_of(host) for (host,) in store.execute(_HOSTS_BEFORE, (after,))}
    return [site for site in dict.fromkeys(domain_of(one.host) for one in news) if site not in known]


def event_before(store: Store, time: str) -> int:
    """Number of the last fetch before a time (ISO 8601, UTC); 0 where there is none."""
    (seq,) = store.execute("SELECT coalesce(max(seq), 0) FROM fetches WHERE time < ?", (time,)).fetchone()
    return int(seq)


def _of_row(kind: EventKind, row: Row) -> PageNews:
    seq, url, host, title, relevance, time, *places = row
    place, before = (Place(*one) if one[0] is not None else None for one in (places[:3], places[3:]))
    return PageNews(kind, seq, url, host, title or "", relevance or 0.0, time, place, before)


def difference(before: str, after: str) -> str:
    """What a text says that the one before it did not, and what it no longer says. Takes a time that grows with their length."""
    old, new = _sentences(before), _sentences(after)
    added, lost = _first(new, set(old)), _first(old, set(new))
    parts = [f"{label} “{one}”" for label, one in (("now says", added), ("no longer says", lost)) if one]
    return "; ".join(parts) or "says the same in another order, or has other links"


def differences(folder: Path, news: Iterable[PageNews]) -> dict[int, str]:
    """The same for pages of a collection that have changed, by the number of the fetch; empty for one that cannot be read."""
    from focused.export.reading_processes import PageReader, PlainCollection

    with opened(folder) as store:
        reader = PageReader(PlainCollection.of(folder, last_run(store), TextRequest()))
    return {one.seq: _of_page(reader, one) for one in news}


def _of_page(reader: PageReader, news: PageNews) -> str:
    if news.place is None or news.before is None:
        return ""
    try:
        before, after = reader.contents([(news.before, news.url), (news.place, news.url)])
    except FocusedError:  # its bytes are damaged: that it has changed is news all the same
        return ""
    return difference(before.text or "", after.text or "")


def _sentences(text: str) -> list[str]:
    return [one for part in _END.split(text[:LONGEST_TEXT]) if (one := plain(part))]


def _first(sentences: list[str], known: set[str]) -> str:
    """The first that is not known, one of several words if there is any; empty where all are."""
    others = [one for one in sentences if one not in known]
    found = next((one for one in others if len(one.split()) >= FEWEST_WORDS), others[0] if others else "")
    return f"{found[:LONGEST].rstrip()}…" if len(found) > LONGEST else found


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
