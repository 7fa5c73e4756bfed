"""Combined: adds up the text around a link, the hub score of its page, and a classifier's prediction."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

import numpy as np
from pydantic import Field

from focused.crawl.arrays import FloatArray
from focused.crawl.strategy import StrategyOptions
from focused.crawl.world import World
from focused.exceptions import TopicError
from focused.scorers.pipeline import ScoringPipeline

Weight = Annotated[float, Field(ge=-1000, le=1000)]
WEIGHTS: Mapping[str, float] = {"aggregated": 0.6, "seed_hosts": 0.3, "words": 0.1}


class Combined(ScoringPipeline):
    """Add up what link scorers say, with fixed weights.

        score = 0.6 · aggregated + 0.3 · seed_hosts + 0.1 · words

    Parts
        base: nothing; a seed that waits is lifted to 1
        anchor: nothing
        context: aggregated, cos(keywords, text under the link's aggregation node)
        hubs: seed_hosts, the best hub score of the pages that link to it, as in hub_seeking
        words: what a regression over the words of its links expects beyond the mean, once 25 pages are learned
        url: nothing
        host: nothing
        neighbours: nothing
        promise: nothing
        form: nothing

    Source: context and hub: Pant & Menczer 2003, "Topical Crawling for Business Intelligence", sections 4.4 and 4.5; the sum of
    the three is ours.
    """

    name = "combined"

    class Options(ScoringPipeline.Options):
        weights: dict[str, Weight] = Field(
            dict(WEIGHTS), description="weight of each column of a scorer; 0 where none is given"
        )

    def __init__(self, options: StrategyOptions, world: World) -> None:
        super().__init__(options, world)
        if unknown := sorted(set(self.options.weights) - set(self.names)):
            raise TopicError(
                f"[strategy] weights: no scorer has a column {', '.join(unknown)}; there are: {', '.join(self.names)}"
            )
        self._weights = np.array([self.options.weights.get(name, 0.0) for name in self.names])

    @property
    def weights(self) -> tuple[float, FloatArray]:
        return 0.0, self._weights
