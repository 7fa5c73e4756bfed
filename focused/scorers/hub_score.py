"""Hub score: how good the pages that link to a URL are, judged by their other links, not by their text.

Two pages that the same hub links to are alike (co-citation), so every fetched page tells something of the links beside it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np

from focused.crawl.arrays import FloatArray, IntArray
from focused.crawl.columns import Columns
from focused.crawl.world import World
from focused.scorers.link_scorer import LinkHistory, LinkScorer, PageLinks
from focused.scorers.similarity import count_seed_hosts, hub_score

LINKS_IN = 24  #: the last pages that link to a URL: only these count
BLOCK = 6  #: pages in a block
PRIOR = 2.0  #: links that the prior of a page's mean counts as


class HubScore(LinkScorer):
    """Means, by page, over what its links led to, looked up from the URLs that it links to; and Pant & Menczer's hub score.

        mean of a page = (sum of the relevance of those of its targets that were fetched + 2 · what is expected) / (their count + 2)

    The pages that link to a URL lie in blocks of six, and each block names the one before it: so five steps find the last 24
    pages of any number of URLs. The outcome of a URL counts for these pages, not for older ones. Pages are numbered as they
    come. A URL takes 16 bytes, a block 28. ``seed_hosts`` is the best n(n-1) / (1 + n²) of the pages that link to it, n the
    distinct hosts of seeds that a page points to (Pant & Menczer 2003, section 4.5); the means are ours.
    """

    title = "hub score"
    prior: ClassVar[Mapping[str, float]] = {
        "best_hub": 0.0,  # of pages that the best of its sources links to
        "mean_hub": 0.0,  # of pages that its sources link to
        "seed_hosts": 0.0,
    }
    parts: ClassVar[Mapping[str, tuple[str, ...]]] = {"hubs": tuple(prior)}
    meanings: ClassVar[Mapping[str, str]] = {
        "hubs": "how relevant other links from the same pages turned out to be, and whether these point to seeds"
    }

    def __init__(self, world: World, history: LinkHistory) -> None:
        super().__init__(world, history)
        self._of_seeds = world.column("seed_hosts", np.float32)
        self._outcome = world.column("outcome", np.float32, np.nan)  # its relevance, NaN as long as it is not known
        self._links = world.column("links", np.int32)  # pages that link to it
        self._last = world.column("last_block", np.int32)  # of a URL that is linked to: its newest block
        self._of_pages, self._of_blocks = Columns(), Columns()
        self._sums = self._of_pages.add("sums", np.float32)  # relevance of its targets
        self._counts = self._of_pages.add("counts", np.float32)
        self._sources = self._of_blocks.add("sources", np.int32, shape=(BLOCK,))  # pages, the newest last
        self._before = self._of_blocks.add("before", np.int32)  # the one before it of the same URL, if it has more
        self._pages = self._blocks = 0

    def add_links(self, links: PageLinks) -> None:
        """Note the URLs that a page links to; a link to itself says nothing."""
        targets = links.urls[links.urls != links.visit.id]
        of_seeds = hub_score(count_seed_hosts(links.visit.page, self.world.seed_hosts))
        self._of_seeds[targets] = np.maximum(self._of_seeds[targets], of_seeds)
        page, before = self._pages, self._links[targets]
        self._pages += 1
        full = targets[before % BLOCK == 0]
        start, end = self._blocks, self._blocks + len(full)
        self._blocks = end
        self._of_pages.reach(page + 1)
        self._of_blocks.reach(end)
        self._before[start:end] = self._last[full]
        self._last[full] = np.arange(start, end)
        self._sources[self._last[targets], before % BLOCK] = page
        self._links[targets] += 1
        known = self._outcome[targets]
        known = known[~np.isnan(known)]
        self._sums[page], self._counts[page] = known.sum(), len(known)

    def add_outcome(self, url: int, relevance: float, *, is_seed: bool) -> None:
        """Note the relevance of a URL for the pages that link to it; only once, as the crawl fetches it once.

        A page that links to a seed is a hub, whatever the seed's text says.
        """
        if not np.isnan(self._outcome[url]):
            return
        self._outcome[url] = value = 1.0 if is_seed else relevance
        _, pages = self._last_links(np.array([url]))
        self._sums[pages] += value
        self._counts[pages] += 1

    def forget(self) -> None:
        self._outcome.values.fill(np.nan)
        self._sums.values.fill(0.0)
        self._counts.values.fill(0.0)

    def columns(self, ids: IntArray) -> FloatArray:
        """(3, n) the mean of the best page that links to each URL, the mean of these means, and the best score by seeds."""
        rows, pages = self._last_links(ids)
        means = (self._sums.take(pages) + self.history.mean * PRIOR) / (self._counts.take(pages) + PRIOR)
        best = np.zeros(len(ids))
        np.maximum.at(best, rows, means.astype(np.float64))
        total = np.bincount(rows, means, minlength=len(ids))
        return np.stack(
            (best, total / np.minimum(LINKS_IN, np.maximum(1, self._links.take(ids))), self._of_seeds.take(ids))
        )

    def state(self) -> dict[str, Any]:
        pages, blocks = self._of_pages.snapshot(self._pages), self._of_blocks.snapshot(self._blocks)
        return {"pages": pages, "blocks": blocks}

    def restore(self, state: Mapping[str, Any]) -> None:
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
        # The places of each block, as many as counted, from its newest link backwards.
        places = np.repeat(places + counts.cumsum() - counts, counts) - np.arange(len(rows))
        return rows, self._sources.values.ravel().take(places).astype(np.int64)
