"""The numbers of a collection as columns in memory: read once, then brought forward by what the crawl has added since.

At 200,000 pages the totals of crawl.db take a second to add up; here a request adds the rows of the last moment.
"""

from __future__ import annotations

import threading
from collections import Counter
from dataclasses import dataclass, field
from datetime import datetime

import numpy as np
from numpy.typing import NDArray

from focused.crawl.arrays import FloatArray, IntArray
from focused.run.reasons import kind_of
from focused.storage.store import Row, Store

Flags = NDArray[np.bool_]
BATCH = 20_000  #: rows at a time

_PAGES = """
SELECT f.seq, f.final_url, u.host, f.relevant, f.relevance, f.time, f.bytes, f.language
FROM fetches f JOIN urls u ON u.id = f.final_url WHERE f.outcome = 'page' AND f.seq > ? ORDER BY f.seq LIMIT ?
"""
_FAILURES = """
SELECT f.seq, u.host, f.reason FROM fetches f JOIN urls u ON u.id = f.url
WHERE f.outcome = 'failed' AND f.seq > ? ORDER BY f.seq LIMIT ?
"""


@dataclass(frozen=True, slots=True)
class PageColumns:
    """Fetched pages in order of arrival; all arrays are (n,)."""

    seq: IntArray  #: numbers of their fetches, ascending
    url: IntArray  #: ids of their URLs, after redirects
    host: IntArray  #: ids of their hosts
    relevant: Flags
    relevance: FloatArray  #: in [0, 1]
    time: FloatArray  #: seconds since 1970
    bytes: IntArray
    language: IntArray  #: positions in `Numbers.languages`

    def __len__(self) -> int:
        return len(self.seq)


@dataclass(frozen=True, slots=True)
class Numbers:
    """What a collection held at one moment."""

    pages: PageColumns
    hosts: list[str]  #: names, by id
    languages: list[str]
    failures: int
    failures_by_kind: Counter[str]
    failures_by_host: Counter[int]
    known: int  #: URLs ever seen
    last: int  #: number of the last fetch

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


class Figures:
    """Brings the numbers of one collection forward. Safe to be asked by several threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._made_of: tuple[str, int] | None = None
        self._clear()

    def numbers(self, store: Store) -> Numbers:
        """The numbers of the moment that a store shows.

        A new run may have judged all pages anew, and a fresh start is another collection: then all is read again.
        """
        with self._lock:
            made_of = tuple(store.execute("SELECT coalesce(min(started), ''), count(*) FROM runs").fetchone())
            if made_of != self._made_of:
                self._clear()
                self._made_of = made_of
            self._read_hosts(store)
            self._read_pages(store)
            self._read_failures(store)
            known = store.execute("SELECT coalesce(max(id), -1) + 1 FROM urls").fetchone()[0]
            columns = PageColumns(*(column.seen() for column in self._columns))  # type: ignore[arg-type]
            return Numbers(
                columns,
                self._hosts,
                self._languages,
                self._failures.total(),
                self._failures.copy(),
                self._by_host.copy(),
                known,
                max(self._last_page, self._last_failure),
            )

    def _clear(self) -> None:
        kinds = (np.int64, np.int64, np.int64, np.bool_, np.float64, np.float64, np.int64, np.int64)
        self._columns = [GrowingColumn(kind) for kind in kinds]
        self._hosts: list[str] = []
        self._languages: list[str] = []
        self._numbers_of_languages: dict[str, int] = {}
        self._failures: Counter[str] = Counter()
        self._by_host: Counter[int] = Counter()
        self._last_page = self._last_failure = 0

    def _read_hosts(self, store: Store) -> None:
        rows = store.execute("SELECT name FROM hosts WHERE id >= ? ORDER BY id", (len(self._hosts),)).fetchall()
        self._hosts += [name for (name,) in rows]

    def _read_pages(self, store: Store) -> None:
        while rows := store.execute(_PAGES, (self._last_page, BATCH)).fetchall():
            self._last_page = rows[-1][0]
            for column, values in zip(self._columns, self._values(rows), strict=True):
                column.extend(values)

    def _values(self, rows: list[Row]) -> list[NDArray[np.generic]]:
        seqs, urls, hosts, relevant, relevance, times, sizes, languages = zip(*rows, strict=True)
        return [
            np.array(seqs, np.int64),
            np.array(urls, np.int64),
            np.array(hosts, np.int64),
            np.array([bool(one) for one in relevant], np.bool_),
            np.array([one or 0.0 for one in relevance], np.float64),
            np.array([seconds_of(one) for one in times], np.float64),
            np.array([one or 0 for one in sizes], np.int64),
            np.array([self._number_of_language(one or "") for one in languages], np.int64),
        ]

    def _number_of_language(self, language: str) -> int:
        if language not in self._numbers_of_languages:
            self._numbers_of_languages[language] = len(self._languages)
            self._languages.append(language)
        return self._numbers_of_languages[language]

    def _read_failures(self, store: Store) -> None:
        while rows := store.execute(_FAILURES, (self._last_failure, BATCH)).fetchall():
            self._last_failure = rows[-1][0]
            self._failures.update(kind_of(reason or "") for _, _, reason in rows)
            self._by_host.update(host for _, host, _ in rows)


def seconds_of(time: str) -> float:
    """Seconds since 1970 of a time as crawl.db has it (ISO 8601); 0 of a damaged one."""
    try:
        return datetime.fromisoformat(time).timestamp()
    except (TypeError, ValueError):
        return 0.0
