"""Shark-search: scores a link by what it inherits along its path, and by its anchor and the text around it."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
from pydantic import Field

from focused.crawl.arrays import FloatArray
from focused.crawl.strategy import Visit
from focused.scorers.similarity import anchor_similarities, page_and_context_similarities
from focused.strategies.fish_search import FishSearch


class SharkSearch(FishSearch):
    """Weigh what a link inherits from the pages that led to it against the words in and around it.

        score = gamma · inherited + (1 - gamma) · (beta · anchor + (1 - beta) · context)
        inherited = delta · cos(keywords, page) if the page is relevant, otherwise delta · inherited of the page

    A path ends after some irrelevant pages in a row, as in fish-search.

    Parts
        inherited: decayed similarity of the last relevant page on the path to the link; 0 if there is none
        anchor: cos(keywords, anchor text)
        context: 1 if anchor > 0, otherwise cos(keywords, all text under the link's aggregation node)
        depth: irrelevant pages that may still come in a row, this link's included

    Source: Pant, Srinivasan & Menczer 2004, "Crawling the Web", section 3.2, equations 2 to 5, after Hersovici et al. 1998.
    """

    name = "shark_search"
    parts: ClassVar[tuple[str, ...]] = ("inherited", "anchor", "context", "depth")

    class Options(FishSearch.Options):
        gamma: float = Field(
            0.5, ge=0, le=1, description="weight of what is inherited; the link's neighbourhood has the rest"
        )
        delta: float = Field(0.5, ge=0, le=1, description="what is inherited decays by this factor with every link")
        beta: float = Field(
            0.8, ge=0, le=1, description="weight of the anchor text; the text around the link has the rest"
        )

    def score(self, visit: Visit) -> tuple[FloatArray, FloatArray]:
        page, contexts = page_and_context_similarities(self.world.keywords, visit.page)
        relevant = page > self.options.threshold
        depth = self.depth_of_links(visit, relevant=relevant)
        inherited_by_page = visit.parts[self.parts.index("inherited")] if visit.parts else 0.0
        inherited = self.options.delta * (page if relevant else inherited_by_page)
        anchors = anchor_similarities(self.world.keywords, visit.page)
        contexts = np.where(anchors > 0, 1.0, contexts)
        gamma, beta = self.options.gamma, self.options.beta
        scores = gamma * inherited + (1 - gamma) * (beta * anchors + (1 - beta) * contexts)
        count = len(scores)
        parts = np.column_stack((np.full(count, inherited), anchors, contexts, np.full(count, depth)))
        return scores if depth else np.full(count, np.nan), parts
