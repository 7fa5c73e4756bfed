"""RL spider: a link is worth what following it led to on sites explored before, told from the words around it."""

from __future__ import annotations

from typing import ClassVar, Literal

import numpy as np
from pydantic import Field

from focused.crawl.arrays import FloatArray
from focused.crawl.strategy import Strategy, StrategyOptions, Visit
from focused.papers.strategies.rl_spider.path_values import PathValues


class RlSpider(Strategy):
    """Give every link the discounted reward that its words promise, by a mapping learned before the crawl and then fixed.

        score = value = Σ over classes c of P(c | words of the link) · mean Q of c
        Q(link) = gamma ** (links from its page to the nearest relevant page), learned by `scrapy train paths`

    Parts
        target: P(the link leads straight to a relevant page | its words)
        value: expected Q, from 0 to 1

    Source: Rennie & McCallum 1999, "Using Reinforcement Learning to Spider the Web Efficiently", as described in Pant, Srinivasan &
    Menczer 2004, "Crawling the Web", section 5.2, and in the IQ-learning paper, sections 2 and 3.3.
    """

    name = "rl_spider"
    parts: ClassVar[tuple[str, ...]] = ("target", "value")
    trained = "paths"
    model_class = PathValues
    needs_model = True

    class Options(StrategyOptions):
        model: str = Field("", description="name of a model made by scrapy train paths; it must be given")
        value: Literal["expected", "likeliest"] = Field(
            "expected",
            description="Q of a link: the mean over all classes by their probability, or that of the likeliest",
        )

    def score(self, visit: Visit) -> tuple[FloatArray, FloatArray]:
        model = self.world.model
        probabilities = model.probabilities(visit.page)
        likeliest = self.options.value == "likeliest"
        values = model.values[probabilities.argmax(axis=1)] if likeliest else probabilities @ model.values
        return values, np.column_stack((probabilities[:, 0], values))
