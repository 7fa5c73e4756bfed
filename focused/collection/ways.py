"""How the crawl came to a page, from link to link: `found_on` of the history, followed back to a seed."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

import numpy as np

from focused.collection.store import Store
from focused.crawl.arrays import IntArray

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
        "WHERE f.outcome = 'page' ORDER BY f.seq"
    )
    batches = [np.empty((0, 2), np.int64)]
    while rows := cursor.fetchmany(BATCH):
        batches.append(np.array(rows, np.int64))
    table = np.concatenate(batches)
    pages, first = np.unique(table[:, 0], return_index=True)
    return pages, table[first, 1]
