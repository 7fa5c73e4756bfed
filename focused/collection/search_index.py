"""search.db: the full text of a collection's pages, in a database beside crawl.db that may be thrown away at any time.

It holds texts and titles only. All else (URL, relevance, verdict, ...) is asked of crawl.db, where it may change.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from focused.collection.search_query import WORDS
from focused.collection.side_database import is_damaged
from focused.collection.sqlite_errors import database_errors
from focused.collection.store import IS_VERSION, Store, connect_to_read
from focused.exceptions import StorageError

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
