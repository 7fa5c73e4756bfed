"""How good the pages are that link to a URL, judged by their other links: a hub leads to relevant pages, whatever it says itself.

Two pages that the same hub links to are alike (co-citation), and every page that is fetched tells of all that stand beside it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from focused.crawl.strategy import FloatArray, IntArray
from focused.strategies.adaptive.growing import grown

LINKS_IN = 24  #: pages that link to a URL which are looked at: the last ones
BLOCK = 6  #: of these pages lie together
PRIOR = 2.0  #: links that the prior of a page's mean counts as


class HubEvidence:
    """Means over what the links of each page led to, looked up from the URLs that it links to.

        mean of a page = (sum of the relevance of those of its targets that were fetched + 2 · what is expected) / (their count + 2)

    The pages that link to a URL lie in blocks of six, each of which names the one before it: so five steps lead to the last
    24 of any number of URLs. What a URL turns out to be is told to these, not to older ones. Pages are numbered as they come.
    A URL takes 12 bytes, a block 28.
    """

    def __init__(self) -> None:
        self._outcome = np.zeros(0, np.float32)  # by URL: its relevance, NaN as long as it is not known
        self._links = np.zeros(0, np.int32)  # by URL: pages that link to it
        self._last = np.zeros(0, np.int32)  # by URL that is linked to: its newest block
        self._sums = np.zeros(0, np.float32)  # by page: relevance of its targets
        self._counts = np.zeros(0, np.float32)
        self._sources = np.zeros((0, BLOCK), np.int32)  # by block: pages, the newest last
        self._before = np.zeros(0, np.int32)  # by block: the one before it of the same URL, if it has more
        self._pages = self._blocks = 0

    def add_page(self, url: int, targets: IntArray) -> None:
        """Note the distinct URLs that a page links to; a link to itself says nothing."""
        targets = targets[targets != url]
        self._grow(int(targets.max(initial=-1)) + 1)
        page, links = self._pages, self._links[targets]
        self._pages += 1
        full = targets[links % BLOCK == 0]
        start, end = self._blocks, self._blocks + len(full)
        self._blocks = end
        for name, count in (("_sums", page + 1), ("_counts", page + 1), ("_sources", end), ("_before", end)):
            setattr(self, name, grown(getattr(self, name), count))
        self._before[start:end] = self._last[full]
        self._last[full] = np.arange(start, end)
        self._sources[self._last[targets], links % BLOCK] = page
        self._links[targets] += 1
        known = self._outcome[targets]
        known = known[~np.isnan(known)]
        self._sums[page], self._counts[page] = known.sum(), len(known)

    def add_outcome(self, url: int, relevance: float) -> None:
        """Note what a URL turned out to be, for the pages that link to it; once, as it is fetched once."""
        self._grow(url + 1)
        if not np.isnan(self._outcome[url]):
            return
        self._outcome[url] = relevance
        _, pages = self._last_links(np.array([url]))
        self._sums[pages] += relevance
        self._counts[pages] += 1

    def of(self, ids: IntArray, expected: float) -> tuple[FloatArray, FloatArray]:
        """(n,) the mean of the best page that links to each URL, and (n,) the mean of these means; zeros where none does.

        expected : relevance of a page of which nothing is known
        """
        self._grow(int(ids.max(initial=-1)) + 1)
        rows, pages = self._last_links(ids)
        means = (self._sums.take(pages) + expected * PRIOR) / (self._counts.take(pages) + PRIOR)
        best = np.zeros(len(ids))
        np.maximum.at(best, rows, means.astype(np.float64))
        total = np.bincount(rows, means, minlength=len(ids))
        return best, total / np.minimum(LINKS_IN, np.maximum(1, self._links.take(ids)))

    def state(self) -> dict[str, Any]:
        """All that decides later answers; arrays."""
        return {
            **{name: getattr(self, name) for name in _BY_URL},
            **{name: getattr(self, name)[: self._pages] for name in _BY_PAGE},
            **{name: getattr(self, name)[: self._blocks] for name in _BY_BLOCK},
        }

    def restore(self, state: Mapping[str, Any]) -> None:
        """Take up what `state` gave."""
        for name in (*_BY_URL, *_BY_PAGE, *_BY_BLOCK):
            setattr(self, name, np.array(state[name]))
        self._pages, self._blocks = len(self._sums), len(self._before)

    def _grow(self, count: int) -> None:
        if count <= len(self._last):
            return
        for name in _BY_URL:
            setattr(self, name, grown(getattr(self, name), count, np.nan if name == "_outcome" else 0))

    def _last_links(self, ids: IntArray) -> tuple[IntArray, IntArray]:
        """The last links to URLs: row of the URL in ``ids``, and the page; those of each URL in order, the newest first."""
        newest = self._links.take(ids).astype(np.int64) - 1  # links to a URL are numbered as they come
        rows = (newest >= 0).nonzero()[0]
        newest, blocks = newest.take(rows), self._last.take(ids.take(rows))
        oldest = np.maximum(0, newest - LINKS_IN + 1)
        steps = []
        while True:
            position = newest % BLOCK
            steps.append((rows, blocks * BLOCK + position, np.minimum(position, newest - oldest) + 1))
            more = (newest - position > oldest).nonzero()[0]
            if not len(more):
                break
            newest = (newest - position - 1).take(more)
            rows, oldest, blocks = rows.take(more), oldest.take(more), self._before.take(blocks.take(more))
        rows, places, counts = (np.concatenate(found) for found in zip(*steps, strict=True))
        rows = np.repeat(rows, counts)
        # So many places of each block, from its newest link backwards.
        places = np.repeat(places + counts.cumsum() - counts, counts) - np.arange(len(rows))
        return rows, self._sources.ravel().take(places).astype(np.int64)


_BY_URL = ("_outcome", "_links", "_last")
_BY_PAGE = ("_sums", "_counts")
_BY_BLOCK = ("_sources", "_before")
