"""The newest version of each page as columns in memory: what a search filters and counts by.

`Figures` has the pages as they were fetched first; here a page that was asked for again is what it is by now.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from focused.collection.store import FIRST_ID, IS_VERSION, Row, Store
from focused.crawl.arrays import FloatArray, IntArray
from focused.crawl.novelty import COPIES
from focused.desk.dashboard.growing import BATCH, Flags, GrowingColumns, Names, runs_of
from focused.page.urls import UrlRules

_ROWS = f"""
SELECT f.seq, {FIRST_ID}, f.final_url, u.key, u.host, f.run, f.relevant, f.relevance, substr(f.time, 1, 10), f.language, f.verdict
FROM fetches f JOIN urls u ON u.id = f.final_url WHERE {IS_VERSION} AND f.seq > ? ORDER BY f.seq LIMIT ?
"""
_KINDS = (*(np.int64,) * 6, np.bool_, np.float64, np.int64, np.int64, np.bool_)


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
