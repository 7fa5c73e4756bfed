"""A crawl by `adaptive` that notes how each link looked to the link scorers, and how relevant the page behind it was."""

from __future__ import annotations

import numpy as np

from focused.crawl.arrays import FloatArray, IntArray
from focused.crawl.strategy import StrategyOptions
from focused.crawl.world import World
from focused.papers.training.examples import Followed
from focused.strategies.adaptive import Adaptive


class Following(Adaptive):
    """Crawls as `adaptive` does, and notes what that learns its weights from."""

    name = "following"  # no snapshot of `adaptive` is taken up: what came before it would not be noted

    def __init__(self, options: StrategyOptions, world: World) -> None:
        super().__init__(options, world)
        self._columns: list[FloatArray] = []
        self._relevance: list[float] = []

    def learn(self, picked: IntArray, relevance: float, *, is_seed: bool) -> None:
        if self.history.knows(picked)[0]:
            self._columns.append(self.columns(picked)[:, 0])
            self._relevance.append(relevance)
        super().learn(picked, relevance, is_seed=is_seed)

    def followed(self) -> Followed:
        """All links followed so far that some page has."""
        columns = np.array(self._columns).reshape(-1, len(self.names))
        return Followed(columns, np.array(self._relevance), self.prior)
