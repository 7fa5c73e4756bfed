"""Fish-search: links of relevant pages come first, and a path ends after some irrelevant pages in a row."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
from pydantic import Field

from focused.crawl.arrays import FloatArray
from focused.crawl.strategy import Changes, Seeds, Strategy, StrategyOptions, Visit
from focused.crawl.world import World
from focused.scorers.similarity import page_similarity


class FishSearch(Strategy):
    """Follow the links of relevant pages first, and those of others until `depth` irrelevant pages came in a row.

        score = relevant
        depth = d if the page is relevant, otherwise the depth of the page - 1; a link of depth 0 is dropped

    Seeds have depth d. A link found on several pages has the greatest depth that they give it. With d = 0 nothing but the
    seeds is fetched.

    Parts
        relevant: 1 if cos(keywords, linking page) exceeds the threshold, otherwise 0
        depth: irrelevant pages that may still come in a row, this link's included

    Source: Pant, Srinivasan & Menczer 2004, "Crawling the Web", section 3.2, after De Bra & Post 1994.
    """

    name = "fish_search"
    parts: ClassVar[tuple[str, ...]] = ("relevant", "depth")
    state_version = 2  # seeds bring their depth with them

    class Options(StrategyOptions):
        depth: int = Field(
            3,
            ge=0,
            le=100,
            description="a path ends after this many irrelevant pages in a row (d); 0: fetch seeds only",
        )
        threshold: float = Field(
            0.0, ge=0, lt=1, description="a page is relevant if its similarity to the keywords exceeds this"
        )

    def __init__(self, options: StrategyOptions, world: World) -> None:
        super().__init__(options, world)
        self._depths = world.column("depth", np.uint8)  # the greatest given so far, 0 for none

    def start(self, seeds: Seeds) -> Changes:
        changes = super().start(seeds)
        changes.parts[:, self.parts.index("depth")] = self.options.depth
        return changes

    def score(self, visit: Visit) -> tuple[FloatArray, FloatArray]:
        relevant = page_similarity(self.world.keywords, visit.page) > self.options.threshold
        depth = self.depth_of_links(visit, relevant=relevant)
        count = len(visit.links)
        scores = np.full(count, float(relevant) if depth else np.nan)
        return scores, np.tile([float(relevant), float(depth)], (count, 1))

    def depth_of_links(self, visit: Visit, *, relevant: bool) -> int:
        """Note and return the depth that a page gives to its links, 0 if they are not followed."""
        depth = self.options.depth if relevant else max(self._depth_of(visit) - 1, 0)
        self._depths[visit.targets] = np.maximum(self._depths[visit.targets], depth)
        return int(depth)

    def _depth_of(self, visit: Visit) -> int:
        """The greater of the depths of a page and of the link that was picked, which may redirect; d if neither has one."""
        chosen = int(visit.parts[self.parts.index("depth")]) if visit.parts else 0
        return max(chosen, int(self._depths[visit.id])) or int(self.options.depth)
