"""The numbers of a collection as columns in memory: read once, then brought forward by what the crawl has added since.

At 200,000 pages the totals of crawl.db take a second to add up; here a request adds the rows of the last moment.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

import numpy as np
from numpy.typing import NDArray

from focused.collection.store import Row, Store
from focused.crawl.arrays import FloatArray, IntArray
from focused.desk.dashboard.growing import BATCH, Flags, GrowingColumns, runs_of

_PAGES = """
SELECT f.seq, u.host, f.relevant, f.relevance, f.time
FROM fetches f JOIN urls u ON u.id = f.final_url WHERE f.outcome = 'page' AND f.seq > ? ORDER BY f.seq LIMIT ?
"""
_FAILURES = """
SELECT f.seq, u.host FROM fetches f JOIN urls u ON u.id = f.url
WHERE f.outcome = 'failed' AND f.seq > ? ORDER BY f.seq LIMIT ?
"""


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
