"""A collection as columns in memory: read once, then brought forward by what the crawl has added since.

At 200,000 pages the totals of crawl.db take a second to add up; here a request adds the rows of the last moment.
"""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import count
from typing import Any

import numpy as np
from numpy.typing import NDArray

from focused.collection.collection import mark_of
from focused.collection.store import DROPPED, FIRST_ID, IS_VERSION, Store
from focused.crawl.arrays import BoolArray, FloatArray, IntArray
from focused.crawl.novelty import COPIES
from focused.page.urls import UrlRules

BATCH = 20_000  #: rows at a time
#: Pages, what they became when they were asked for again, and URLs that gave none, or one that no pipeline has stored: the
#: columns of `VersionTable` come first.
_ROWS = f"""
SELECT f.seq, {FIRST_ID}, u.id, u.key, u.host, f.run, coalesce(f.relevant, 0), coalesce(f.relevance, 0.0), f.language,
    coalesce(f.verdict IN ({", ".join(f"'{one}'" for one in COPIES)}), 0),
    coalesce((julianday(f.time) - 2440587.5) * 86400, 0.0), f.outcome = 'page', f.outcome = 'failed', f.outcome = '{DROPPED}'
FROM fetches f JOIN urls u ON u.id = iif(f.outcome = 'failed', f.url, f.final_url)
WHERE (f.{IS_VERSION} OR f.outcome IN ('failed', '{DROPPED}')) AND f.seq > ? ORDER BY f.seq LIMIT ?
"""
_LANGUAGE = 8  #: a column of texts, of which the numbers are kept
_KINDS = (*(np.int64,) * 6, np.bool_, np.float64, np.int64, np.bool_, np.float64, np.bool_, np.bool_, np.bool_)
SomeArray = NDArray[Any]


class GrowingColumns(ABC):
    """Columns of one collection. Safe to be asked by several threads, which hold ``_lock`` meanwhile.

    A new run may have judged all pages anew, and a fresh start is another collection: then all is read again.
    """

    _last: int  # number of the last row that was read
    _columns: list[SomeArray]  # what is added later makes new arrays, so that whoever has these keeps them as they are

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._made_of: tuple[str, int] | None = None

    @abstractmethod
    def _begin(self) -> Sequence[type]:
        """Forget what was made of rows; return the kinds of the columns."""

    def _begin_anew_if(self, made_of: tuple[str, int]) -> None:
        """Forget all where it was read of other runs (see `runs_of`)."""
        if made_of != self._made_of:
            self._columns, self._last = [np.empty(0, kind) for kind in self._begin()], 0
            self._made_of = made_of

    def _extend(self, *columns: SomeArray) -> None:
        self._columns = [np.concatenate(pair) for pair in zip(self._columns, columns, strict=True)]


def runs_of(store: Store) -> tuple[str, int]:
    """What is another where pages may have been judged anew: the mark of the collection, and how many runs it had."""
    return mark_of(store), store.execute("SELECT count(*) FROM runs").fetchone()[0]


def seconds_of(time: str) -> float:
    """Seconds since 1970 of a time as crawl.db has it (ISO 8601); 0 of a damaged one."""
    try:
        return datetime.fromisoformat(time).timestamp()
    except (TypeError, ValueError):
        return 0.0


@dataclass(frozen=True, slots=True)
class PageColumns:
    """Pages as they were fetched first, in order of arrival; all arrays are (n,)."""

    seq: IntArray  #: numbers of their fetches, ascending
    host: IntArray  #: ids of their hosts
    relevant: BoolArray
    time: FloatArray  #: seconds since 1970

    def __len__(self) -> int:
        return len(self.seq)


@dataclass(frozen=True, slots=True)
class Numbers:
    """What a collection held at one moment."""

    pages: PageColumns
    hosts: list[str]  #: names, by id
    failures_by_host: Counter[int]
    unstored: int  #: pages that were fetched, and that the item pipelines have not stored

    @property
    def fetched(self) -> int:
        """Pages as the budget counts them."""
        return len(self.pages) + self.unstored

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


@dataclass(frozen=True, slots=True)
class VersionTable:
    """Versions of pages in the order of their fetches; all arrays are (n,) and never change."""

    seq: IntArray  #: numbers of their fetches, ascending
    first: IntArray  #: ids of the URLs under which the pages were fetched first
    url: IntArray  #: ids of their URLs, after redirects
    key: IntArray  #: keys of these URLs
    host: IntArray  #: ids of their hosts
    run: IntArray
    relevant: BoolArray
    relevance: FloatArray
    language: IntArray  #: positions in `languages`
    copy: BoolArray  #: whether they copy another page
    day: IntArray  #: positions in `days`
    newest: BoolArray  #: whether no later version has taken their place
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


class Figures(GrowingColumns):
    """Brings the numbers of one collection, and the versions of its pages, forward."""

    _hosts: list[str]  # names, by id
    _languages: defaultdict[str, int]  # the number of each, in the order in which they came
    _made: tuple[Numbers, VersionTable] | None  # of what was read last

    def numbers(self, store: Store) -> Numbers:
        """The numbers of the moment that a store shows."""
        return self._all(store)[0]

    def versions(self, store: Store) -> VersionTable:
        """All versions of pages that a store shows."""
        return self._all(store)[1]

    def _all(self, store: Store) -> tuple[Numbers, VersionTable]:
        with self._lock:
            self._begin_anew_if(runs_of(store))
            names = store.execute("SELECT name FROM hosts WHERE id >= ? ORDER BY id", (len(self._hosts),)).fetchall()
            if names:
                self._hosts, self._made = [*self._hosts, *(name for (name,) in names)], None
            while rows := store.execute(_ROWS, (self._last, BATCH)).fetchall():
                columns = list(zip(*rows, strict=True))
                columns[_LANGUAGE] = tuple(self._languages[one or ""] for one in columns[_LANGUAGE])
                self._extend(*map(np.array, columns, _KINDS))
                self._last, self._made = rows[-1][0], None
            self._made = self._made or (self._numbers(), self._versions())
            return self._made

    def _begin(self) -> Sequence[type]:
        self._hosts, self._made = [], None
        self._languages = defaultdict(count().__next__)
        return _KINDS

    def _numbers(self) -> Numbers:
        seq, _, _, _, host, _, relevant, _, _, _, time, is_page, is_failure, is_unstored = self._columns
        pages = PageColumns(*(column[is_page] for column in (seq, host, relevant, time)))
        return Numbers(pages, self._hosts, Counter(host[is_failure].tolist()), int(is_unstored.sum()))

    def _versions(self) -> VersionTable:
        *columns, _, is_failure, is_unstored = self._columns
        *found, time = (column[~(is_failure | is_unstored)] for column in columns)
        newest = np.zeros(len(time), np.bool_)
        newest[len(newest) - 1 - np.unique(found[1][::-1], return_index=True)[1]] = True
        days, day = np.unique(time // 86_400, return_inverse=True)
        names = days.astype("datetime64[D]").astype(str).tolist()
        return VersionTable(*found, day, newest, self._hosts, list(self._languages), names)  # type: ignore[arg-type, call-arg]
