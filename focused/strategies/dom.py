"""DOM: a link is worth what stands around it in the tag tree, and to a lesser degree what its whole page is worth."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, ClassVar, Literal

import numpy as np
from pydantic import Field

from focused.crawl.arrays import FloatArray
from focused.crawl.strategy import Changes, Rescoring, Strategy, StrategyOptions, Visit, Waiting
from focused.crawl.world import World
from focused.scoring.dom_similarity import page_and_context_similarities
from focused.scoring.node_choice import NODES, PAGE, NodeChoice
from focused.scoring.similarity import anchor_similarities

CHOOSE_EVERY = 25  #: pages between two choices of the aggregation node


class Dom(Strategy):
    """Weigh the similarity of a link's page against that of the text around the link in the tag tree.

        score = alpha · page + (1 - alpha) · context

    Parts
        page: cos(keywords, page the link stands on), by term frequencies
        context: cos(keywords, all text under the link's aggregation node), by term frequencies

    The aggregation node is the link's parent, unless the topic's reading options say otherwise. With `aggregation = "learned"`
    it is the link itself, that node or the whole page: every 25 pages the one whose scores correlate most with the similarity of
    the pages behind links so far. Page and context are then the greatest of all links to a URL.

    Source: Pant & Menczer 2003, "Topical Crawling for Business Intelligence", section 4.4 and equation 4; learning the node, which
    they leave open, is ours.
    """

    name = "dom"
    parts: ClassVar[tuple[str, ...]] = ("page", "context")

    class Options(StrategyOptions):
        alpha: float = Field(0.25, ge=0, le=1, description="weight of the whole page; the link's context has the rest")
        aggregation: Literal["parent", "learned"] = Field(
            "parent",
            description="context of a link: the text of its parent, or of the link, its parent or the page, "
            "whichever foretells best what lies behind links (learned)",
        )

    def __init__(self, options: StrategyOptions, world: World) -> None:
        super().__init__(options, world)
        self._choice = NodeChoice() if self.options.aggregation == "learned" else None
        if self._choice:
            self.rescore_every = CHOOSE_EVERY
            # By each node, the greatest of all links to a URL.
            self._similarities = world.column("similarities", np.float32, np.nan, shape=(len(NODES),))

    def score(self, visit: Visit) -> tuple[FloatArray, FloatArray]:
        parts = self.parts_of(visit)
        return self.weighed(parts), parts

    def parts_of(self, visit: Visit) -> FloatArray:
        """(n, p) the parts of the links of a page."""
        page, contexts = page_and_context_similarities(self.world.keywords, visit.page)
        pages = np.full(len(contexts), page)
        if self._choice is None:
            return np.column_stack((pages, contexts))
        self._learn(self._choice, visit.picked, page)
        found = np.column_stack((anchor_similarities(self.world.keywords, visit.page), contexts, pages))
        np.fmax.at(self._similarities.values, visit.targets, found)
        return self._page_and_context(self._choice, self._similarities[visit.targets])

    def weighed(self, parts: FloatArray) -> FloatArray:
        """(n,) scores of n links, from their parts."""
        page, context = parts[:, -2], parts[:, -1]
        alpha = self.options.alpha
        return np.asarray(alpha * page + (1 - alpha) * context)

    def rescore(self, waiting: Waiting) -> Callable[[], Rescoring] | None:
        if self._choice is None or not self._choice.choose():
            return None
        similarities = self._similarities[waiting.ids]
        # Seeds have no parts and keep their score, though pages may link to them.
        is_link = waiting.parts[:, -2:].any(axis=1) & ~np.isnan(similarities[:, PAGE])
        parts = waiting.parts[is_link].copy()
        parts[:, -2:] = self._page_and_context(self._choice, similarities[is_link])
        changes = Changes(waiting.ids[is_link], self.weighed(parts), parts)
        return lambda: Rescoring(changes)

    def state(self) -> dict[str, Any]:
        return self._choice.state() if self._choice else {}

    def restore(self, state: Mapping[str, Any]) -> None:
        if self._choice:
            self._choice.restore(state)

    def _learn(self, choice: NodeChoice, picked: int, similarity: float) -> None:
        """Learn from a page that a link led to, by its similarity to the keywords."""
        similarities = self._similarities[picked].astype(np.float64)
        if not np.isnan(similarities[PAGE]):  # or it is a seed that nothing links to
            alpha = self.options.alpha
            choice.learn(alpha * similarities[PAGE] + (1 - alpha) * similarities, similarity)

    @staticmethod
    def _page_and_context(choice: NodeChoice, similarities: FloatArray) -> FloatArray:
        return np.asarray(similarities[:, [PAGE, choice.node]], np.float64)
