"""Searches the pages of a collection: brings its index up to date, asks it, and says of each hit what crawl.db knows by now.

The index is search.db, the full text of the pages, in a database beside crawl.db that may be thrown away at any time. It holds
texts and titles only. All else (URL, relevance, verdict, ...) is asked of crawl.db, where it may change.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import TypeVar

from focused.collection.collection import open_to_read
from focused.collection.repository import PageRepository, Place
from focused.collection.sqlite_errors import database_errors
from focused.collection.store import FIRST_ID, IS_VERSION, Row, Store, connect_to_read
from focused.crawl.novelty import COPIES
from focused.exceptions import StorageError
from focused.inspection.search_query import WORDS, Excerpts, FtsQuery, searchable
from focused.inspection.side_database import delete_database, is_damaged
from focused.page import page_text as reading
from focused.page.page_text import page_text
from focused.page.plain_text import plain
from focused.page.reader import ReadingOptions

SEARCH = "search.db"
VERSION = 1  #: of the tables
TITLE_WEIGHT = 10.0  #: a word in the title counts as much as so many in the text
LOCK_SECONDS = 30.0  #: for which another search, which adds pages, is waited for

_TABLES = (
    f"CREATE VIRTUAL TABLE texts USING fts5(title, text, tokenize = '{WORDS}')",
    "CREATE TABLE pages (url INTEGER PRIMARY KEY, seq INTEGER NOT NULL)",  # of each page, the newest version
    "CREATE TABLE state (made_of TEXT NOT NULL, seq INTEGER NOT NULL, page TEXT NOT NULL)",
)


class UselessIndexError(StorageError):
    """The file is damaged, or something else; a new one takes its place."""


@dataclass(frozen=True, slots=True)
class IndexEntry:
    """A page to be indexed."""

    seq: int  #: number of its fetch
    url: int  #: id under which it was fetched first
    page: str  #: what tells it from any other page that may have the number
    title: str
    text: str


class SearchIndex:
    """The index of one collection. Any number of processes may search, and add what is new, at the same time.

    Parameters
    ----------
    path : of search.db, which is made where there is none
    made_of : the collection, and how its texts are read; an index that was made of something else is made anew

    Attributes
    ----------
    is_still : whether nobody may write to the folder, so that nothing can be added

    Raises UselessIndexError for a file to be deleted, StorageError for one that cannot be used.
    """

    def __init__(self, path: Path, made_of: str) -> None:
        self.path, self.made_of = path, made_of
        self.is_still = not os.access(path.parent, os.W_OK)
        if self.is_still and not path.exists():
            raise StorageError(
                f"{path}: cannot be made, for nobody may write to this folder; search as a user who may, or search a copy"
            )
        with self._errors():
            self._db = connect_to_read(path) if self.is_still else sqlite3.connect(path, isolation_level=None)
            try:
                self._db.execute(f"PRAGMA busy_timeout = {LOCK_SECONDS * 1000:.0f}")
                if not self.is_still:
                    # Who searches and who adds are not in each other's way.
                    self._db.execute("PRAGMA journal_mode = WAL")
                    self._db.execute("PRAGMA synchronous = NORMAL")  # a power failure may cost what was added last
            except BaseException:
                self._db.close()
                raise

    def close(self) -> None:
        self._db.close()

    def up_to(self, store: Store) -> int:
        """Number of the last fetch that is indexed; 0 where there is none. What is not of this collection is cleared away."""
        reached, state = self._reached(store)
        if not reached and not self.is_still:
            self._begin_anew(state)
        return reached

    def reached(self, store: Store) -> int:
        """The same, for who only looks: nothing is cleared away, and at 0 there is nothing to be asked."""
        return self._reached(store)[0]

    def _reached(self, store: Store) -> tuple[int, tuple[int, str] | None]:
        state = self._state()
        return (state[0] if state and state[0] and state[1] == page_of(store, state[0]) else 0), state

    def add(self, after: int, entries: list[IndexEntry]) -> None:
        """Add the pages that come next after a fetch; nothing where another process has added them meanwhile."""
        with self._writing():
            state = self._state()
            if not state or state[0] != after:
                return
            execute = self._db.execute
            for new in entries:
                execute("DELETE FROM texts WHERE rowid = (SELECT seq FROM pages WHERE url = ?)", (new.url,))
                execute("INSERT INTO texts(rowid, title, text) VALUES (?, ?, ?)", (new.seq, new.title, new.text))
                execute("INSERT OR REPLACE INTO pages VALUES (?, ?)", (new.url, new.seq))
            execute("UPDATE state SET seq = ?, page = ?", (entries[-1].seq, entries[-1].page))

    def ranked(self, match: str, most: int = -1) -> list[int]:
        """Numbers of the pages that a query of FTS5 finds, the best first (Okapi BM25, k1 1.2, b .75); -1: all."""
        with self._errors():
            rows = self._db.execute(
                "SELECT rowid FROM texts WHERE texts MATCH ? ORDER BY bm25(texts, ?, 1.0), rowid LIMIT ?",
                (match, TITLE_WEIGHT, most),
            )
            return [seq for (seq,) in rows]

    def matching(self, match: str) -> list[int]:
        """The same pages in no order: a sixth of the time."""
        with self._errors():
            return [seq for (seq,) in self._db.execute("SELECT rowid FROM texts WHERE texts MATCH ?", (match,))]

    def text(self, seq: int) -> str:
        """The text of a page; empty where it is gone, as another process makes the index anew."""
        return self.page(seq)[1]

    def page(self, seq: int) -> tuple[str, str]:
        """Title and text of a page; empty where it is gone."""
        with self._errors():
            row = self._db.execute("SELECT title, text FROM texts WHERE rowid = ?", (seq,)).fetchone()
        return (str(row[0]), str(row[1])) if row else ("", "")

    def sample(self, most: int) -> list[tuple[str, str]]:
        """Titles and texts of so many pages at most, spread evenly over all."""
        with self._errors():
            count = self._db.execute("SELECT count(*) FROM pages").fetchone()[0]
            return self._db.execute(
                "SELECT title, text FROM texts WHERE rowid IN (SELECT seq FROM pages WHERE url % ? = 0 LIMIT ?)",
                (max(1, count // most), most),
            ).fetchall()

    def pages_with(self, stems: Sequence[str]) -> tuple[int, dict[str, int]]:
        """The number of all pages, and by stem that of the pages that have it."""
        with self._errors():
            self._db.execute("CREATE VIRTUAL TABLE IF NOT EXISTS temp.stems USING fts5vocab(main, texts, 'row')")
            found = self._db.execute(
                f"SELECT term, doc FROM stems WHERE term IN ({', '.join('?' * len(stems))})", stems
            )
            return self._db.execute("SELECT count(*) FROM pages").fetchone()[0], dict(found.fetchall())

    def _state(self) -> tuple[int, str] | None:
        """Number and mark of the last page that is indexed, 0 without one; None where the index is made of something else."""
        with self._errors():
            if self._db.execute("PRAGMA user_version").fetchone()[0] != VERSION:
                return None
            row = self._db.execute("SELECT made_of, seq, page FROM state").fetchone()
        return (row[1], row[2]) if row and row[0] == self.made_of else None

    def _begin_anew(self, state: tuple[int, str] | None) -> None:
        """Make empty tables, unless another process has brought the index forward since it had this state."""
        with self._writing():
            if self._state() != state:
                return
            version = self._db.execute("PRAGMA user_version").fetchone()[0]
            if version != VERSION and self._db.execute("SELECT count(*) FROM sqlite_schema").fetchone()[0]:
                raise UselessIndexError(f"{self.path}: is of another release, or no index")
            for name in ("texts", "pages", "state"):
                self._db.execute(f"DROP TABLE IF EXISTS {name}")
            for statement in _TABLES:
                self._db.execute(statement)
            self._db.execute("INSERT INTO state VALUES (?, 0, '')", (self.made_of,))
            self._db.execute(f"PRAGMA user_version = {VERSION}")

    @contextmanager
    def _writing(self) -> Iterator[None]:
        """All that the block writes, or nothing."""
        with self._errors():
            self._db.execute("BEGIN IMMEDIATE")
            try:
                yield
            except BaseException:
                self._db.execute("ROLLBACK")
                raise
            self._db.execute("COMMIT")

    @contextmanager
    def _errors(self) -> Iterator[None]:
        with database_errors(self.path, "an index of ours", ""):
            try:
                yield
            except sqlite3.Error as error:
                if "no such module" in str(error):
                    raise StorageError(
                        "SQLite is built without FTS5 here, which a search needs: use a Python from python.org, conda or "
                        "your system's packages"
                    ) from error
                if is_damaged(error):
                    raise UselessIndexError(f"{self.path}: {error}") from error
                raise


def page_of(store: Store, seq: int) -> str:
    """What tells the page of a fetch from any other that may have its number; empty where it is no page."""
    row = store.execute(f"SELECT time, content_hash FROM fetches WHERE seq = ? AND {IS_VERSION}", (seq,)).fetchone()
    return mark(*row) if row else ""


def mark(time: object, content_hash: object) -> str:
    return f"{time} {content_hash}"


BATCH = 200  #: pages that are added at once
BATCH_CHARACTERS = 10_000_000  #: of texts in memory; a batch with more ends there
LONGEST_TEXT = 2_000_000  #: characters of a page that are indexed
AT_ONCE = 500  #: hits of which crawl.db is asked at once

#: Is told how many pages have been added of those that were missing.
TellIndexed = Callable[[int, int], None]
_Result = TypeVar("_Result")


@dataclass(frozen=True, slots=True)
class SearchFilter:
    """Which pages may be found."""

    relevant: bool = False  #: those that count as relevant only
    host: str = ""  #: of this host and those below it; empty: any
    language: str = ""  #: in this language, by its ISO 639-1 code; empty: any
    copies: bool = False  #: pages with a verdict of `COPIES` too
    all_words: bool = False  #: with all words; otherwise those that have some of them come last


@dataclass(frozen=True, slots=True)
class Hit:
    """A page that was found."""

    seq: int  #: number of its fetch
    url: str  #: after redirects
    title: str
    excerpt: str  #: with its words marked, see `search_query.parts`
    language: str
    relevance: float
    relevant: bool
    fetched: str  #: ISO 8601
    all_words: bool = True  #: whether it has all that is asked for


class Search:
    """The search of one collection.

    Parameters
    ----------
    folder : of the collection
    options : how its pages are read
    pages : its page repository
    """

    def __init__(self, folder: Path, options: ReadingOptions, pages: PageRepository) -> None:
        self._folder, self._options, self._pages = folder, options, pages
        self.unreadable = 0  #: pages met, while adding, whose bytes are damaged: they are found by their titles alone

    def hits(self, query: FtsQuery, wanted: SearchFilter, most: int, tell: TellIndexed) -> list[Hit]:
        """The best pages that a query finds, the best first, once the index is up to date.

        Raises StorageError where it cannot be brought up to date. A damaged index is made anew without a word.
        """
        return self._anew_if_damaged(lambda: self._hits(query, wanted, most, tell))

    def update(self, tell: TellIndexed) -> None:
        """Bring the index up to date, and ask nothing. Raises StorageError as `hits`."""

        def add() -> None:
            with self._up_to_date(tell):
                pass

        self._anew_if_damaged(add)

    def _anew_if_damaged(self, work: Callable[[], _Result]) -> _Result:
        try:
            return work()
        except UselessIndexError:
            delete_database(self._folder / SEARCH)
            return work()

    def _hits(self, query: FtsQuery, wanted: SearchFilter, most: int, tell: TellIndexed) -> list[Hit]:
        with self._up_to_date(tell) as index:
            with closing(open_to_read(self._folder)) as store:
                found = found_in(index, store, query, wanted, most)
            with closing(Excerpts()) as excerpts:
                return [replace(hit, excerpt=excerpts.best(index.text(hit.seq), query)) for hit in found]

    @contextmanager
    def _up_to_date(self, tell: TellIndexed) -> Iterator[SearchIndex]:
        with closing(open_to_read(self._folder)) as store:
            content = made_of(store, self._options)
        with closing(SearchIndex(self._folder / SEARCH, content)) as index:
            self._bring_up_to_date(index, tell)
            yield index

    def _bring_up_to_date(self, index: SearchIndex, tell: TellIndexed) -> None:
        """Add what is missing. No transaction on crawl.db stays open meanwhile: its log could not be cleared."""
        done = 0
        while True:
            with closing(open_to_read(self._folder)) as store:
                after = index.up_to(store)
                rows = store.execute(_MISSING, (after, BATCH)).fetchall()
                left = store.execute(f"SELECT count(*) FROM fetches WHERE {IS_VERSION} AND seq > ?", (after,))
                total = done + left.fetchone()[0]
            if not rows:
                return
            if index.is_still:
                raise StorageError(
                    f"{index.path}: is not up to date, and nobody may write to this folder; search as a user who may, or search "
                    "a copy"
                )
            entries = self._entries(rows)
            index.add(after, entries)
            done += len(entries)
            tell(done, total)

    def _entries(self, rows: Sequence[Row]) -> list[IndexEntry]:
        """What is to be indexed of pages, up to `BATCH_CHARACTERS`."""
        entries: list[IndexEntry] = []
        room = BATCH_CHARACTERS
        for seq, url, time, content_hash, title, content_type, *place in rows:
            text = self._text(Place(*place), content_type or "")
            entries.append(IndexEntry(seq, url, mark(time, content_hash), searchable(plain(title or "")), text))
            room -= len(text)
            if room < 0:
                break
        return entries

    def _text(self, place: Place, content_type: str) -> str:
        try:
            stored = self._pages.get(place)
        except StorageError:  # one page less; `scrapy verify` tells which
            self.unreadable += 1
            return ""
        declared = stored.content_type or content_type
        text = page_text(stored.body, declared, self._options) or ""
        return searchable(plain(text[:LONGEST_TEXT].replace("\xad", "")))  # a soft hyphen is no blank


_MISSING = f"""
SELECT seq, {FIRST_ID}, time, content_hash, title, content_type, file, offset, length FROM fetches f
WHERE {IS_VERSION} AND seq > ? ORDER BY seq LIMIT ?
"""


_DESCRIBED = f"""
SELECT f.seq, u.url, f.title, f.language, f.relevance, f.relevant, f.time, f.verdict, h.name
FROM fetches f JOIN urls u ON u.id = f.final_url JOIN hosts h ON h.id = u.host WHERE {IS_VERSION}
"""


def made_of(store: Store, options: ReadingOptions) -> str:
    """What an index must be made of: this collection, and texts as they are read by now."""
    started = store.execute("SELECT min(started) FROM runs").fetchone()[0]
    return f"{started} text {reading.VERSION} max_bytes {options.max_bytes} documents {options.documents}"


def found_in(index: SearchIndex, store: Store, query: FtsQuery, wanted: SearchFilter, most: int) -> list[Hit]:
    """The best pages that have all words, then those that have some; without their excerpts."""
    ranked = index.ranked(query.match)
    found = list(islice(hits_of(store, ranked, wanted), most))
    if len(found) < most and query.some and not wanted.all_words:
        known = set(ranked)
        others = [seq for seq in index.ranked(query.some) if seq not in known]
        rest = islice(hits_of(store, others, wanted), most - len(found))
        found += [replace(hit, all_words=False) for hit in rest]
    return found


def hits_of(store: Store, ranked: Sequence[int], wanted: SearchFilter) -> Iterator[Hit]:
    """Yield those pages that are wanted of fetches by their numbers, in the same order, without their excerpts."""
    for start in range(0, len(ranked), AT_ONCE):
        seqs = ranked[start : start + AT_ONCE]
        rows = store.execute(f"{_DESCRIBED} AND f.seq IN ({', '.join('?' * len(seqs))})", seqs)
        by_seq = {row[0]: row for row in rows}
        for seq in seqs:
            if seq not in by_seq:
                continue
            _, url, title, language, relevance, relevant, time, verdict, host = by_seq[seq]
            if (
                (relevant or not wanted.relevant)
                and (not wanted.host or f".{host}".endswith(f".{wanted.host}"))
                and (not wanted.language or language == wanted.language)
                and (wanted.copies or verdict not in COPIES)
            ):
                yield Hit(seq, url, title or "", "", language or "", relevance or 0.0, bool(relevant), time)
