"""Naive best-first: a link is worth as much as the page it stands on. With a batch of N it is best-N-first."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
from pydantic import Field

from focused.crawl.arrays import FloatArray
from focused.crawl.strategy import Strategy, StrategyOptions, Visit
from focused.crawl.world import World
from focused.scoring.similarity import page_similarity


class BestFirst(Strategy):
    """Give every link of a page the similarity of that page to the topic's keywords.

        score = page

    Parts
        page: cos(keywords, page the link stands on), by term frequencies

    Source: Pant & Menczer 2003, "Topical Crawling for Business Intelligence", section 4.3 and equation 3; best-N-first
    with N = 256: Pant, Srinivasan & Menczer 2004, "Crawling the Web", section 3.1.
    """

    name = "best_first"
    parts: ClassVar[tuple[str, ...]] = ("page",)

    class Options(StrategyOptions):
        batch: int = Field(
            1, ge=1, le=100_000, description="take this many best links before looking at the frontier again (N)"
        )

    def __init__(self, options: StrategyOptions, world: World) -> None:
        super().__init__(options, world)
        self.batch = self.options.batch

    def score(self, visit: Visit) -> tuple[FloatArray, FloatArray]:
        scores = np.full(len(visit.links), page_similarity(self.world.keywords, visit.page))
        return scores, scores[:, np.newaxis]
