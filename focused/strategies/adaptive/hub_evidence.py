"""How good the pages are that link to a URL, judged by their other links: a hub leads to relevant pages, whatever it says itself.

Two pages that the same hub links to are alike (co-citation), and every page that is fetched tells of all that stand beside it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from focused.crawl.arrays import FloatArray, IntArray
from focused.crawl.columns import Columns
from focused.crawl.world import World

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

    def __init__(self, world: World) -> None:
        self._outcome = world.column("outcome", np.float32, np.nan)  # its relevance, NaN as long as it is not known
        self._links = world.column("links", np.int32)  # pages that link to it
        self._last = world.column("last_block", np.int32)  # of a URL that is linked to: its newest block
        self._of_pages, self._of_blocks = Columns(), Columns()
        self._sums = self._of_pages.add("sums", np.float32)  # relevance of its targets
        self._counts = self._of_pages.add("counts", np.float32)
        self._sources = self._of_blocks.add("sources", np.int32, shape=(BLOCK,))  # pages, the newest last
        self._before = self._of_blocks.add("before", np.int32)  # the one before it of the same URL, if it has more
        self._pages = self._blocks = 0

    def add_page(self, url: int, targets: IntArray) -> None:
        """Note the distinct URLs that a page links to; a link to itself says nothing."""
        targets = targets[targets != url]
        page, links = self._pages, self._links[targets]
        self._pages += 1
        full = targets[links % BLOCK == 0]
        start, end = self._blocks, self._blocks + len(full)
        self._blocks = end
        self._of_pages.reach(page + 1)
        self._of_blocks.reach(end)
        self._before[start:end] = self._last[full]
        self._last[full] = np.arange(start, end)
        self._sources[self._last[targets], links % BLOCK] = page
        self._links[targets] += 1
        known = self._outcome[targets]
        known = known[~np.isnan(known)]
        self._sums[page], self._counts[page] = known.sum(), len(known)

    def add_outcome(self, url: int, relevance: float) -> None:
        """Note what a URL turned out to be, for the pages that link to it; once, as it is fetched once."""
        if not np.isnan(self._outcome[url]):
            return
        self._outcome[url] = relevance
        _, pages = self._last_links(np.array([url]))
        self._sums[pages] += relevance
        self._counts[pages] += 1

    def forget(self) -> None:
        """Forget what URLs turned out to be, but not which pages link to them."""
        self._outcome.values.fill(np.nan)
        self._sums.values.fill(0.0)
        self._counts.values.fill(0.0)

    def of(self, ids: IntArray, expected: float) -> tuple[FloatArray, FloatArray]:
        """(n,) the mean of the best page that links to each URL, and (n,) the mean of these means; zeros where none does.

        expected : relevance of a page of which nothing is known
        """
        rows, pages = self._last_links(ids)
        means = (self._sums.take(pages) + expected * PRIOR) / (self._counts.take(pages) + PRIOR)
        best = np.zeros(len(ids))
        np.maximum.at(best, rows, means.astype(np.float64))
        total = np.bincount(rows, means, minlength=len(ids))
        return best, total / np.minimum(LINKS_IN, np.maximum(1, self._links.take(ids)))

    def state(self) -> dict[str, Any]:
        """What decides later answers beside the columns of the world."""
        pages, blocks = self._of_pages.snapshot(self._pages), self._of_blocks.snapshot(self._blocks)
        return {"pages": pages, "blocks": blocks}

    def restore(self, state: Mapping[str, Any]) -> None:
        """Take up what `state` gave."""
        self._of_pages.restore(state["pages"])
        self._of_blocks.restore(state["blocks"])
        self._pages, self._blocks = len(state["pages"]["sums"]), len(state["blocks"]["before"])

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
        return rows, self._sources.values.ravel().take(places).astype(np.int64)
