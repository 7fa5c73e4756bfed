"""Reordering: the base of strategies that order all that waits anew every N pages, because they need more than one page."""

from __future__ import annotations

import numpy as np
from pydantic import Field

from focused.crawl.arrays import FloatArray
from focused.crawl.strategy import Strategy, StrategyOptions, Visit
from focused.crawl.world import World

WAITS_BEHIND = -1.0  #: score of a link until the next reordering; those given then must not be negative


class ReorderingOptions(StrategyOptions):
    reorder_every: int = Field(50, ge=1, le=100_000, description="reorder the queue every this many pages (N)")


class Reordering(Strategy):
    """A subclass writes `rescore`; a link found in between waits behind all that was ordered, first in, first out.

    So it is breadth-first until the first N pages are there.

    Source: Almpanidis, Kotropoulos & Pitas 2007, "Combining text and link analysis for focused crawling", section 5.1
    (BSFSN: best-first search, reordering every N documents).
    """

    Options = ReorderingOptions

    def __init__(self, options: StrategyOptions, world: World) -> None:
        super().__init__(options, world)
        self.rescore_every = self.options.reorder_every

    def score(self, visit: Visit) -> tuple[FloatArray, FloatArray]:
        count = len(visit.links)
        return np.full(count, WAITS_BEHIND), np.zeros((count, len(self.parts)))
