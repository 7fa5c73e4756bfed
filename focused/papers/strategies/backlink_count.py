"""Backlink count: a link is worth as many fetched pages as link to it."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

import numpy as np

from focused.crawl.arrays import FloatArray
from focused.crawl.strategy import Changes, Rescoring, StrategyOptions, Visit, Waiting
from focused.crawl.world import World
from focused.papers.models.reordering import Reordering


class BacklinkCount(Reordering):
    """Order all that waits by the number of pages fetched so far that link to it.

        score = backlinks

    Parts
        backlinks: fetched pages that link to it, each counted once

    Source: Almpanidis, Kotropoulos & Pitas 2007, "Combining text and link analysis for focused crawling", section 5.1,
    after Cho, Garcia-Molina & Page 1998, "Efficient Crawling Through URL Ordering".
    """

    name = "backlink_count"
    parts: ClassVar[tuple[str, ...]] = ("backlinks",)

    def __init__(self, options: StrategyOptions, world: World) -> None:
        super().__init__(options, world)
        self._backlinks = world.column("backlinks", np.int32)

    def score(self, visit: Visit) -> tuple[FloatArray, FloatArray]:
        self._backlinks[np.unique(visit.targets)] += 1
        return super().score(visit)

    def rescore(self, waiting: Waiting) -> Callable[[], Rescoring]:
        scores = self._backlinks[waiting.ids].astype(np.float64)
        return lambda: Rescoring(Changes(waiting.ids, scores, scores[:, np.newaxis]))
