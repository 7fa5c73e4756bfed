"""Keyword count, then PageRank: first the links whose parents hold most of the keywords; among equals, those of the best rank."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

import numpy as np

from focused.crawl.arrays import FloatArray
from focused.crawl.strategy import Changes, Rescoring, StrategyOptions, Visit, Waiting
from focused.crawl.world import World
from focused.papers.strategies.pagerank import PageRank


class KeywordPageRank(PageRank):
    """Order all that waits by the keywords on the pages that link to it, and then by its PageRank.

        score = keywords + rank / (1 + rank)

    Parts
        keywords: how many of the keywords any fetched page that links to it has
        rank: PageRank, as in pagerank

    Source: Almpanidis, Kotropoulos & Pitas 2007, "Combining text and link analysis for focused crawling", section 3.3, after
    Srinivasan, Pant & Menczer 2002, "Target Seeking Crawlers and their Topical Performance".
    """

    name = "keyword_pagerank"
    parts: ClassVar[tuple[str, ...]] = ("keywords", "rank")

    def __init__(self, options: StrategyOptions, world: World) -> None:
        super().__init__(options, world)
        self._keywords = world.column("keywords", np.bool_, shape=(len(world.keywords),))  # on parents of a URL

    def score(self, visit: Visit) -> tuple[FloatArray, FloatArray]:
        terms = set(visit.page.terms)
        self._keywords[np.unique(visit.targets)] |= np.array([word in terms for word in self.world.keywords], bool)
        return super().score(visit)

    def rescore(self, waiting: Waiting) -> Callable[[], Rescoring]:
        ranked, counts = super().rescore(waiting), self._keywords[waiting.ids].sum(axis=1)

        def job() -> Rescoring:
            ranks = ranked().changes.scores
            scores = counts + ranks / (1 + ranks)
            return Rescoring(Changes(waiting.ids, scores, np.column_stack((counts, ranks))))

        return job
