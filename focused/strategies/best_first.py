"""Naive best-first: a link is worth as much as its page. With a batch of N it is best-N-first."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
from pydantic import Field

from focused.crawl.arrays import FloatArray
from focused.crawl.strategy import Changes, Ready, Seeds, Strategy, StrategyOptions, Visit
from focused.crawl.world import World
from focused.scorers.similarity import page_similarity

NOBODY = -1  #: means no seed, among ids of seeds


class BestFirst(Strategy):
    """Give every link of a page the similarity of that page to the topic's keywords.

        score = page

    Parts
        page: cos(keywords, linking page)

    Source: Pant & Menczer 2003, "Topical Crawling for Business Intelligence", section 4.3 and equation 3; best-N-first
    with N = 256, and a frontier for each seed (MySpiders): Pant, Srinivasan & Menczer 2004, "Crawling the Web", sections 3.1, 5.1.
    """

    name = "best_first"
    parts: ClassVar[tuple[str, ...]] = ("page",)
    choice = "it was the turn of its seed, which has a frontier of its own"

    class Options(StrategyOptions):
        batch: int = Field(
            1, ge=1, le=100_000, description="take this many best links before looking at the frontier again (N)"
        )
        by_seed: bool = Field(False, description="a frontier for each seed; each in turn gives its N best links")

    def __init__(self, options: StrategyOptions, world: World) -> None:
        super().__init__(options, world)
        if self.options.by_seed:
            self._seed = world.column("seed", np.int32, NOBODY)  # the seed from which each URL was found first
        else:
            self.batch, self.choice = self.options.batch, ""

    def start(self, seeds: Seeds) -> Changes:
        if self.options.by_seed:
            self._seed[seeds.ids] = seeds.ids
        return super().start(seeds)

    def visited(self, visit: Visit) -> Changes:
        if self.options.by_seed:
            self._seed[visit.targets[self._seed[visit.targets] == NOBODY]] = self._seed[visit.picked]
        return super().visited(visit)

    def score(self, visit: Visit) -> tuple[FloatArray, FloatArray]:
        scores = np.full(len(visit.links), page_similarity(self.world.keywords, visit.page))
        return scores, scores[:, np.newaxis]

    def choose(self, ready: Ready) -> int | None:
        if not self.options.by_seed:
            return None
        waiting = ready.ready()
        seeds = self._seed[waiting.ids]
        have = np.unique(seeds)
        own = seeds == have[self.world.picks // self.options.batch % len(have)]
        best = own & (waiting.scores == waiting.scores[own].max())
        return int(waiting.ids[best].min())  # the one that was found first
