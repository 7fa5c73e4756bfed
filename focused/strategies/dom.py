"""DOM: scores a link by the text around it in the tag tree and, with less weight, by its whole page."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
from pydantic import Field

from focused.crawl.arrays import FloatArray
from focused.crawl.strategy import Strategy, StrategyOptions, Visit
from focused.scorers.similarity import page_and_context_similarities


class Dom(Strategy):
    """Weigh the similarity of a link's page against that of the text around the link in the tag tree.

        score = alpha · page + (1 - alpha) · context

    Parts
        page: cos(keywords, linking page)
        context: cos(keywords, all text under the link's aggregation node)

    Source: Pant & Menczer 2003, "Topical Crawling for Business Intelligence", section 4.4 (an equation without a number).
    """

    name = "dom"
    parts: ClassVar[tuple[str, ...]] = ("page", "context")

    class Options(StrategyOptions):
        alpha: float = Field(0.25, ge=0, le=1, description="weight of the whole page; the link's context has the rest")

    def score(self, visit: Visit) -> tuple[FloatArray, FloatArray]:
        page, contexts = page_and_context_similarities(self.world.keywords, visit.page)
        alpha = self.options.alpha
        parts = np.column_stack((np.full(len(contexts), page), contexts))
        return alpha * page + (1 - alpha) * contexts, parts
