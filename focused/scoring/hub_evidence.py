"""How good the pages are that link to a URL, judged by their other links: a hub leads to relevant pages, whatever it says itself.

Two pages that the same hub links to are alike (co-citation), and every page that is fetched tells of all that stand beside it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from focused.crawl.strategy import FloatArray, IntArray
from focused.scoring.growing import grown

LINKS_IN = 24  #: pages that link to a URL which are looked at: the last ones
PRIOR = 2.0  #: links that the prior of a page's mean counts as


class HubEvidence:
    """Means over what the links of each page led to, looked up from the URLs that it links to.

        mean of a page = (sum of the relevance of those of its targets that were fetched + 2 · what is expected) / (their count + 2)

    An edge takes 8 bytes, a URL 16.
    """

    def __init__(self) -> None:
        self._outcome = np.zeros(0, np.float32)  # by URL: its relevance, NaN as long as it is not known
        self._last = np.zeros(0, np.int32)  # by URL: 1 + its newest edge, 0 for none
        self._sums = np.zeros(0, np.float32)  # by page: relevance of its targets
        self._counts = np.zeros(0, np.float32)
        self._sources = np.zeros(0, np.int32)  # by edge
        self._before = np.zeros(0, np.int32)  # by edge: 1 + the edge before it to the same URL, 0 for none
        self._edges = 0

    def add_page(self, page: int, targets: IntArray) -> None:
        """Note the distinct URLs that a page links to; a link to itself says nothing."""
        targets = targets[targets != page]
        self._grow(max(page, int(targets.max(initial=-1))) + 1)
        start, end = self._edges, self._edges + len(targets)
        self._sources, self._before = grown(self._sources, end), grown(self._before, end)
        self._sources[start:end] = page
        self._before[start:end] = self._last[targets]
        self._last[targets] = np.arange(start + 1, end + 1)
        self._edges = end
        known = self._outcome[targets]
        known = known[~np.isnan(known)]
        self._sums[page], self._counts[page] = known.sum(), len(known)

    def add_outcome(self, url: int, relevance: float) -> None:
        """Note what a URL turned out to be, for the pages that link to it; once, as it is fetched once."""
        self._grow(url + 1)
        if not np.isnan(self._outcome[url]):
            return
        self._outcome[url] = relevance
        edge = int(self._last[url])
        for _ in range(LINKS_IN):
            if not edge:
                break
            source = self._sources[edge - 1]
            self._sums[source] += relevance
            self._counts[source] += 1
            edge = int(self._before[edge - 1])

    def of(self, ids: IntArray, expected: float) -> tuple[FloatArray, FloatArray]:
        """(n,) the mean of the best page that links to each URL, and (n,) the mean of these means; zeros where none does.

        expected : relevance of a page of which nothing is known
        """
        self._grow(int(ids.max(initial=-1)) + 1)
        best, total, number = (np.zeros(len(ids)) for _ in range(3))
        rows, edges = np.arange(len(ids)), self._last[ids]
        for _ in range(LINKS_IN):
            rows, edges = rows[edges > 0], edges[edges > 0]
            if not len(rows):
                break
            sources = self._sources[edges - 1]
            means = (self._sums[sources] + expected * PRIOR) / (self._counts[sources] + PRIOR)
            best[rows] = np.maximum(best[rows], means)
            total[rows] += means
            number[rows] += 1
            edges = self._before[edges - 1]
        return best, total / np.maximum(1, number)

    def state(self) -> dict[str, Any]:
        """All that decides later answers; arrays."""
        return {name: getattr(self, name) for name in _BY_URL} | {
            name: getattr(self, name)[: self._edges] for name in _BY_EDGE
        }

    def restore(self, state: Mapping[str, Any]) -> None:
        """Take up what `state` gave."""
        for name in (*_BY_URL, *_BY_EDGE):
            setattr(self, name, np.array(state[name]))
        self._edges = len(self._sources)

    def _grow(self, count: int) -> None:
        for name in _BY_URL:
            setattr(self, name, grown(getattr(self, name), count, np.nan if name == "_outcome" else 0))


_BY_URL = ("_outcome", "_last", "_sums", "_counts")
_BY_EDGE = ("_sources", "_before")
