"""crawl.db: the journal of a crawl in SQLite, written in batches and read back to go on.

Every event of the core (see `crawl.Crawl`) becomes a few rows, its *unit*, which are committed together and in the order of
events, about once a second, after the page repository is safe on disk. What was not committed never happened.
"""

from __future__ import annotations

import logging
import os
import sqlite3
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import quote

import numpy as np

from focused.collection.migrations import migrate, require_newest, schema
from focused.collection.repository import Place, Watched
from focused.collection.sqlite_errors import BusyError, database_errors
from focused.crawl.arrays import IntArray
from focused.exceptions import StorageError
from focused.page.urls import Address

logger = logging.getLogger(__name__)

Row = tuple[Any, ...]
Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class Rows:
    """Rows of one table, by the names of their columns; those that are left out are NULL."""

    table: str
    columns: tuple[str, ...]
    values: Sequence[Row]

    @classmethod
    def one(cls, table: str, **values: Any) -> Rows:
        """A single row."""
        return cls(table, tuple(values), [tuple(values.values())])

    @property
    def statement(self) -> str:
        """The SQL that writes them."""
        places = ", ".join("?" * len(self.columns))
        return f"INSERT OR REPLACE INTO {self.table} ({', '.join(self.columns)}) VALUES ({places})"


#: The tables that number events; one event may have several rows of the same kind.
JOURNAL = ("seeds", "requests", "picks", "fetches", "backlinks", "steering")
LIST = "list"  #: outcome of a fetch that gave a sitemap or a feed, which is no page
#: Outcomes of a page that the item pipelines have not stored, or not all of it: fetched first, and once more.
DROPPED, DROPPED_CHANGE = "dropped", "dropped change"
CHANGED, SAME, GONE, MISSED = "changed", "same", "gone", "missed"
REVISITED = (CHANGED, SAME, GONE, MISSED, DROPPED_CHANGE)  #: outcomes of asking for a page once more
#: In SQL, whether a fetch is the answer to that, and whether it brought a page, or a new version of one.
IS_AGAIN, IS_VERSION = f"outcome IN {REVISITED}", f"outcome IN ('page', '{CHANGED}')"
#: In SQL, of a fetch ``f``: id of the URL under which its page was fetched first.
FIRST_ID = "iif(f.outcome = 'page', f.final_url, f.url)"

LOCK_SECONDS = 60.0  #: for which a lock of another process is waited for, where nothing else is said
#: Seconds for which SQLite waits itself: longer would keep a crawl from its servers, and a person from Ctrl-C
BUSY_SECONDS = 0.1


def knows_nothing(path: Path) -> bool:
    """Whether there is no database, or one that no crawl has written to."""
    if not path.exists():
        return True
    with database_errors(path), closing(sqlite3.connect(path)) as db:
        return schema(db) == 0


def connect_to_read(path: Path) -> sqlite3.Connection:
    """A connection that changes nothing, also where nobody may write."""
    # Without the right to write beside it SQLite reads a database only if told that nobody else writes.
    still = not os.access(path.parent, os.W_OK) and not path.with_name(f"{path.name}-wal").exists()
    options = "mode=ro&immutable=1" if still else "mode=ro"
    return sqlite3.connect(f"file:{quote(path.as_posix())}?{options}", uri=True, isolation_level=None)


def last_event(db: sqlite3.Connection) -> int:
    """Number of the last event of a journal; 0 of an empty one."""
    tables = " UNION ALL ".join(f"SELECT max(seq) AS seq FROM {table}" for table in JOURNAL)
    return db.execute(f"SELECT max(seq) FROM ({tables})").fetchone()[0] or 0


TELL_AFTER = 3.0  #: seconds of waiting before a person is told of it, and between two such lines
PAUSE = 0.2  #: seconds between two attempts


class LockPatience:
    """Waits for a database that another process has locked, and says so.

    Parameters
    ----------
    path : of the database
    seconds : after so many of waiting the lock is an error
    """

    def __init__(self, path: Path, seconds: float) -> None:
        self.path, self.seconds = path, seconds
        self._since: float | None = None  # when the lock was met first
        self._told = 0.0  # when it was spoken of last, or met

    def met(self, error: BusyError) -> None:
        """Note that the lock is (still) there. Raises the error when that has lasted too long, and then each time."""
        now = time.monotonic()
        if self._since is None:
            self._since = self._told = now
        waited = now - self._since
        if waited >= self.seconds:
            raise error
        if now - self._told >= TELL_AFTER:
            self._told = now
            logger.warning("%s is locked by another process: waiting, for %.0f s at most", self.path, self.seconds)

    def over(self) -> None:
        """Note that the lock is gone, or was never there."""
        self._since = None

    def insist(self, work: Callable[[], Result]) -> Result:
        """Do some work, again and again while the lock is there. Blocks."""
        while True:
            try:
                result = work()
            except BusyError as error:
                self.met(error)
                time.sleep(PAUSE)
            else:
                self.over()
                return result


class Store:
    """The database of one collection. One process writes, any number may read.

    Parameters
    ----------
    path : of crawl.db
    read_only : for looking only, also while a crawl is running
    lock_seconds : how long a lock of another process is waited for

    Attributes
    ----------
    patient : whether whoever writes waits for such a lock; a crawl that runs must not, for all else would stand still: its
        `commit` raises BusyError and is called again

    Raises StorageError for a database that cannot be used; OlderSchemaError for one to be read that an older release has written:
    `Store.copy_of` can read it.
    """

    def __init__(self, path: Path, *, read_only: bool = False, lock_seconds: float = LOCK_SECONDS) -> None:
        self.path, self.patience = path, LockPatience(path, lock_seconds)
        if read_only:
            self._open(read_only=True)
        else:
            self.patience.insist(lambda: self._open(read_only=False))
            self._watched = Watched(path), Watched(path.with_name(f"{path.name}-wal"))

    def _open(self, *, read_only: bool) -> None:
        path = self.path
        with database_errors(path):
            db = (
                connect_to_read(path)
                if read_only
                else sqlite3.connect(path, timeout=BUSY_SECONDS, isolation_level=None)
            )
            try:
                if read_only:
                    db.execute("BEGIN")  # all that is read is of one moment, also while a crawl goes on
                    require_newest(db, str(path))
                else:
                    db.execute("PRAGMA journal_mode = WAL")
                    db.execute("PRAGMA synchronous = FULL")  # a commit survives a power failure
                    migrate(db, str(path))
                self._begin(db)
            except BaseException:
                db.close()
                raise

    def _begin(self, db: sqlite3.Connection) -> None:
        self.db, self.patient = db, True
        self._units: dict[int, Sequence[Rows]] = {}
        self._texts: dict[int, str] = {}  # URLs not committed yet
        self.committed = last_event(db)  #: number of the last event on disk

    @classmethod
    def copy_of(cls, path: Path) -> Store:
        """A copy in memory, brought up to date: for looking at what an older release has written and nobody may change."""
        with database_errors(path):
            copy = sqlite3.connect(":memory:", isolation_level=None)
            with closing(connect_to_read(path)) as original:
                original.backup(copy)
            migrate(copy, str(path))
        store = cls.__new__(cls)
        store.path, store.patience = path, LockPatience(path, LOCK_SECONDS)
        store._begin(copy)
        return store

    def close(self) -> None:
        self.db.close()

    def add(self, event: int, unit: Sequence[Rows]) -> None:
        """Keep the rows of an event for the next commit."""
        self._units[event] = unit

    def announce(self, texts: Iterable[tuple[int, str]]) -> None:
        """Make the text of new URLs known, by id, that a later unit will hold."""
        self._texts.update(texts)

    def commit(self, extra: Sequence[tuple[str, Row]] = ()) -> int:
        """Write all units up to the first event still missing, and ``extra`` statements; return the last event written.

        Raises BusyError, and has written nothing, where another process has locked the database and nobody is `patient`;
        StorageError where the database was deleted or replaced: what is written to it now would vanish with this process.
        """
        for file in self._watched:
            file.check()
        last, together = self.committed, dict[str, list[Row]]()
        urls: list[Row] = []
        while (unit := self._units.get(last + 1)) is not None:
            last += 1
            for rows in unit:
                together.setdefault(rows.statement, []).extend(rows.values)
                if rows.table == "urls":
                    urls += rows.values
        with self._transaction():
            for statement, values in together.items():
                self.db.executemany(statement, values)
            for statement, row in extra:
                self.db.execute(statement, row)
        for event in range(self.committed + 1, last + 1):
            del self._units[event]
        for url, *_ in urls:
            self._texts.pop(url, None)
        self.committed = last
        return last

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        self.execute("BEGIN IMMEDIATE")  # from here on no other process can be in the way
        with database_errors(self.path), self.db:
            yield

    def execute(self, statement: str, values: Sequence[Any] | Mapping[str, Any] = ()) -> sqlite3.Cursor:
        """Run one statement outside the journal of events, with errors in words."""

        def run() -> sqlite3.Cursor:
            with database_errors(self.path):
                return self.db.execute(statement, values)

        return self.patience.insist(run) if self.patient else run()

    def replace_all(self, statements: Iterable[tuple[str, Iterable[Row]]]) -> None:
        """Run many statements in one transaction."""
        with self._transaction():
            for statement, rows in statements:
                self.db.executemany(statement, rows)

    def url(self, url: int) -> str:
        """The text of a URL by id."""
        text = self._texts.get(url)
        if text is None:
            text = self._row_of("SELECT url FROM urls WHERE id = ?", url)[0]
        return text

    def hosts(self) -> list[tuple[str, float | None]]:
        """Names of all hosts in order of id, with the crawl-delay of their robots.txt in seconds."""
        return self.execute("SELECT name, crawl_delay FROM hosts ORDER BY id").fetchall()

    def url_keys(self) -> tuple[IntArray, IntArray]:
        """Keys and host ids of all URLs in order of id."""
        count = self.execute("SELECT count(*) FROM urls").fetchone()[0]
        both = np.empty((count, 2), np.int64)
        cursor, filled = self.execute("SELECT key, host FROM urls ORDER BY id"), 0
        while rows := cursor.fetchmany(10_000):
            both[filled : filled + len(rows)] = rows
            filled += len(rows)
        return both[:, 0].copy(), both[:, 1].copy()

    def address(self, url: int) -> Address:
        key, host, text = self._row_of(
            "SELECT u.key, h.name, u.url FROM urls u JOIN hosts h ON h.id = u.host WHERE u.id = ?", url
        )
        return Address(key, host, text)

    def repository_ends(self) -> dict[str, int]:
        """The committed end of each file of the page repository, in bytes."""
        return dict(
            self.execute(
                """
                SELECT file, max(place_end) FROM (
                    SELECT file, offset + length AS place_end FROM fetches WHERE file IS NOT NULL UNION ALL
                    SELECT plain_file, plain_offset + plain_length FROM fetches WHERE plain_file IS NOT NULL)
                GROUP BY file"""
            )
        )

    def newest_places(self, most: int) -> list[Place]:
        """Where the newest pages lie, of which a repository of files may have a newer one at the same place."""
        rows = self.execute(
            f"SELECT file, offset, length FROM fetches WHERE file IS NOT NULL AND outcome <> '{SAME}' ORDER BY seq DESC LIMIT ?",
            (most,),
        )
        return [Place(*row) for row in rows]

    def snapshot_version(self) -> str | None:
        """The version that made the snapshot; None when there is none."""
        row = self.execute("SELECT version FROM snapshots ORDER BY seq DESC LIMIT 1").fetchone()
        return row[0] if row else None

    def snapshot_event(self) -> int:
        """The event after which the snapshot was taken; 0 when there is none."""
        return self.execute("SELECT coalesce(max(seq), 0) FROM snapshots").fetchone()[0] or 0

    def snapshot(self) -> bytes:
        """The snapshot, of which there is one."""
        (state,) = self.execute("SELECT state FROM snapshots ORDER BY seq DESC LIMIT 1").fetchone()
        return bytes(state)

    def _row_of(self, query: str, url: int) -> Row:
        """The one row that a query finds for a URL. Raises StorageError where there is none, or one without text."""
        row: Row | None = self.execute(query, (url,)).fetchone()
        if row is None or not isinstance(row[-1], str):
            raise StorageError(
                f"{self.path}: there is no URL with the number {url}: it is damaged; put a copy back, or put all aside with "
                "-a fresh=true"
            )
        return row


LONGEST = 100  #: pages of a way that are told, the nearest; a trap may lead a crawl thousands of links away
BATCH = 10_000  #: rows at a time
TEXTS = 20_000  #: URLs that are kept in memory: most ways begin with the same


class Ways:
    """Knows of each fetched page the page whose link led to it: 16 bytes a page, read in 1 s for a million.

    longest : pages of a way that are told
    """

    def __init__(self, store: Store, longest: int = LONGEST) -> None:
        self._longest = longest
        self._pages, self._sources = _steps(store)
        self._url: Callable[[int], str] = lru_cache(TEXTS)(store.url)

    def to(self, source: int | None) -> list[str]:
        """URLs of the pages from a seed to the page with the id ``source``, which is the last; none where it is None."""
        way: list[int] = []
        while source is not None and source not in way and len(way) < self._longest:
            way.append(source)
            source = self._source_of(source)
        return [self._url(page) for page in reversed(way)]

    def _source_of(self, page: int) -> int | None:
        position = int(np.searchsorted(self._pages, page))
        if position == len(self._pages) or self._pages[position] != page or self._sources[position] < 0:
            return None
        return int(self._sources[position])


def _steps(store: Store) -> tuple[IntArray, IntArray]:
    """Ids of pages, ascending, and of those whose links led to them; -1: none. Of a page fetched twice the first time counts."""
    cursor = store.execute(
        "SELECT f.final_url, coalesce(p.source, -1) FROM fetches f JOIN picks p ON p.seq = f.pick "
        f"WHERE f.outcome IN ('page', '{DROPPED}') ORDER BY f.seq"
    )
    batches = [np.empty((0, 2), np.int64)]
    while rows := cursor.fetchmany(BATCH):
        batches.append(np.array(rows, np.int64))
    table = np.concatenate(batches)
    pages, first = np.unique(table[:, 0], return_index=True)
    return pages, table[first, 1]
