"""A collection as columns in memory: read once, then brought forward by what the crawl has added since.

At 200,000 pages the totals of crawl.db take a second to add up; here a request adds the rows of the last moment. `Figures` has the
pages as they were fetched first, `VersionColumns` what a page that was asked for again is by now.
"""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime

import numpy as np
from numpy.typing import NDArray

from focused.collection.collection import mark_of
from focused.collection.store import FIRST_ID, IS_VERSION, Row, Store
from focused.crawl.arrays import FloatArray, IntArray
from focused.crawl.novelty import COPIES
from focused.page.urls import UrlRules

Flags = NDArray[np.bool_]
BATCH = 20_000  #: rows at a time
_PAGES = """
SELECT f.seq, u.host, f.relevant, f.relevance, f.time
FROM fetches f JOIN urls u ON u.id = f.final_url WHERE f.outcome = 'page' AND f.seq > ? ORDER BY f.seq LIMIT ?
"""
_FAILURES = """
SELECT f.seq, u.host FROM fetches f JOIN urls u ON u.id = f.url
WHERE f.outcome = 'failed' AND f.seq > ? ORDER BY f.seq LIMIT ?
"""
_ROWS = f"""
SELECT f.seq, {FIRST_ID}, f.final_url, u.key, u.host, f.run, f.relevant, f.relevance, substr(f.time, 1, 10), f.language, f.verdict
FROM fetches f JOIN urls u ON u.id = f.final_url WHERE {IS_VERSION} AND f.seq > ? ORDER BY f.seq LIMIT ?
"""
_KINDS = (*(np.int64,) * 6, np.bool_, np.float64, np.int64, np.int64, np.bool_)


@dataclass(slots=True)
class GrowingColumn:
    """One column: an array that doubles."""

    kind: type
    values: NDArray[np.generic] = field(init=False)
    count: int = 0

    def __post_init__(self) -> None:
        self.values = np.empty(0, self.kind)

    def extend(self, new: NDArray[np.generic]) -> None:
        if self.count + len(new) > len(self.values):
            larger: NDArray[np.generic] = np.empty(max(2 * len(self.values), self.count + len(new), 1024), self.kind)
            larger[: self.count] = self.values[: self.count]
            self.values = larger
        self.values[self.count : self.count + len(new)] = new
        self.count += len(new)

    def seen(self) -> NDArray[np.generic]:
        """What is there by now. It never changes: what is added later comes behind it."""
        part = self.values[: self.count]
        part.flags.writeable = False
        return part


class Names:
    """Numbers for names, in the order in which they come."""

    def __init__(self) -> None:
        self.names: list[str] = []
        self._numbers: dict[str, int] = {}

    def number(self, name: str) -> int:
        if name not in self._numbers:
            self._numbers[name] = len(self.names)
            self.names.append(name)
        return self._numbers[name]


class GrowingColumns(ABC):
    """Columns of one collection. Safe to be asked by several threads, which hold ``_lock`` meanwhile.

    A new run may have judged all pages anew, and a fresh start is another collection: then all is read again.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._made_of: tuple[str, int] | None = None
        self._begin()

    @abstractmethod
    def _clear(self) -> Sequence[type]:
        """Forget what was read of rows; return the kinds of the columns."""

    def _begin(self) -> None:
        self._columns = [GrowingColumn(kind) for kind in self._clear()]
        self._hosts: list[str] = []

    def _begin_anew_if(self, made_of: tuple[str, int]) -> None:
        """Forget all where it was read of other runs (see `runs_of`)."""
        if made_of != self._made_of:
            self._begin()
            self._made_of = made_of

    def _host_names(self, store: Store) -> list[str]:
        """Names of hosts, by id."""
        rows = store.execute("SELECT name FROM hosts WHERE id >= ? ORDER BY id", (len(self._hosts),)).fetchall()
        self._hosts += [name for (name,) in rows]
        return self._hosts


def runs_of(store: Store) -> tuple[str, int]:
    """What is another where pages may have been judged anew: the mark of the collection, and how many runs it had."""
    return mark_of(store), store.execute("SELECT count(*) FROM runs").fetchone()[0]


@dataclass(frozen=True, slots=True)
class PageColumns:
    """Fetched pages in order of arrival; all arrays are (n,)."""

    seq: IntArray  #: numbers of their fetches, ascending
    host: IntArray  #: ids of their hosts
    relevant: Flags
    relevance: FloatArray  #: in [0, 1]
    time: FloatArray  #: seconds since 1970

    def __len__(self) -> int:
        return len(self.seq)


@dataclass(frozen=True, slots=True)
class Numbers:
    """What a collection held at one moment."""

    pages: PageColumns
    hosts: list[str]  #: names, by id
    failures_by_host: Counter[int]

    @property
    def failures(self) -> int:
        return self.failures_by_host.total()

    @property
    def relevant(self) -> int:
        return int(self.pages.relevant.sum())

    @property
    def harvest(self) -> float:
        """Share of relevant pages by the crawl's own page model, in [0, 1]; 0 without a page."""
        return self.relevant / len(self.pages) if len(self.pages) else 0.0

    @property
    def hosts_with_pages(self) -> int:
        return len(np.unique(self.pages.host))


class Figures(GrowingColumns):
    """Brings the numbers of one collection forward."""

    def numbers(self, store: Store) -> Numbers:
        """The numbers of the moment that a store shows."""
        with self._lock:
            self._begin_anew_if(runs_of(store))
            hosts = self._host_names(store)
            self._read_pages(store)
            self._read_failures(store)
            columns = PageColumns(*(column.seen() for column in self._columns))  # type: ignore[arg-type]
            return Numbers(columns, hosts, self._failures.copy())

    def _clear(self) -> Sequence[type]:
        self._failures: Counter[int] = Counter()
        self._last_page = self._last_failure = 0
        return np.int64, np.int64, np.bool_, np.float64, np.float64

    def _read_pages(self, store: Store) -> None:
        while rows := store.execute(_PAGES, (self._last_page, BATCH)).fetchall():
            self._last_page = rows[-1][0]
            for column, values in zip(self._columns, _values(rows), strict=True):
                column.extend(values)

    def _read_failures(self, store: Store) -> None:
        while rows := store.execute(_FAILURES, (self._last_failure, BATCH)).fetchall():
            self._last_failure = rows[-1][0]
            self._failures.update(host for _, host in rows)


def _values(rows: list[Row]) -> list[NDArray[np.generic]]:
    seqs, hosts, relevant, relevance, times = zip(*rows, strict=True)
    return [
        np.array(seqs, np.int64),
        np.array(hosts, np.int64),
        np.array([bool(one) for one in relevant], np.bool_),
        np.array([one or 0.0 for one in relevance], np.float64),
        np.array([seconds_of(one) for one in times], np.float64),
    ]


def seconds_of(time: str) -> float:
    """Seconds since 1970 of a time as crawl.db has it (ISO 8601); 0 of a damaged one."""
    try:
        return datetime.fromisoformat(time).timestamp()
    except (TypeError, ValueError):
        return 0.0


@dataclass(frozen=True, slots=True)
class Versions:
    """Versions of pages in the order of their fetches; all arrays are (n,) and never change."""

    seq: IntArray  #: numbers of their fetches, ascending
    first: IntArray  #: ids of the URLs under which the pages were fetched first
    url: IntArray  #: ids of their URLs, after redirects
    key: IntArray  #: keys of these URLs
    host: IntArray  #: ids of their hosts
    run: IntArray
    relevant: Flags
    relevance: FloatArray
    day: IntArray  #: positions in `days`
    language: IntArray  #: positions in `languages`
    copy: Flags  #: whether they copy another page
    newest: Flags  #: whether no later version has taken their place
    hosts: list[str]  #: names, by id
    languages: list[str]
    days: list[str]  #: as in 2026-03-01

    def __len__(self) -> int:
        return len(self.seq)

    def rows_of(self, seqs: IntArray) -> IntArray:
        """Rows of fetches, in their order; those that there are none of are left out."""
        if not len(self.seq):
            return np.empty(0, np.int64)
        rows = np.minimum(np.searchsorted(self.seq, seqs), len(self.seq) - 1)
        found: IntArray = rows[self.seq[rows] == seqs]
        return found

    def row_of(self, url: str) -> int | None:
        """Row of the newest version of the page at a canonical URL; None where there is no such page."""
        found = np.flatnonzero(self.newest & (self.key == UrlRules.key(url)))
        return int(found[-1]) if len(found) else None


class VersionColumns(GrowingColumns):
    """Brings the versions of one collection forward."""

    _last: int  # number of the last fetch that was read

    def read(self, store: Store) -> Versions:
        """All that a store shows."""
        with self._lock:
            self._begin_anew_if(runs_of(store))
            hosts = self._host_names(store)
            while rows := store.execute(_ROWS, (self._last, BATCH)).fetchall():
                self._last = rows[-1][0]
                self._extend(rows)
            columns = [column.seen() for column in self._columns]
            newest = np.ones(len(columns[0]), np.bool_)
            newest[self._replaced] = False
            return Versions(*columns, newest, hosts, self._languages.names, self._days.names)  # type: ignore[arg-type, call-arg]

    def _clear(self) -> Sequence[type]:
        self._languages, self._days = Names(), Names()
        self._row_of: dict[int, int] = {}  # by the id of the first URL
        self._replaced: list[int] = []
        self._last = 0
        return _KINDS

    def _extend(self, rows: list[Row]) -> None:
        *numbers, relevants, relevances, days, languages, verdicts = zip(*rows, strict=True)
        values: list[NDArray[np.generic]] = [np.array(one, np.int64) for one in numbers]
        values += [
            np.array([bool(one) for one in relevants], np.bool_),
            np.array([one or 0.0 for one in relevances], np.float64),
            np.array([self._days.number(one or "") for one in days], np.int64),
            np.array([self._languages.number(one or "") for one in languages], np.int64),
            np.array([one in COPIES for one in verdicts], np.bool_),
        ]
        for row, first in enumerate(numbers[1], self._columns[0].count):
            if (before := self._row_of.get(first)) is not None:
                self._replaced.append(before)
            self._row_of[first] = row
        for column, some in zip(self._columns, values, strict=True):
            column.extend(some)
