"""`dom` with the aggregation node learned while crawling: which text around links foretells what lies behind them?

Pant & Menczer 2003, "Topical Crawling for Business Intelligence", section 4.4, take the link's parent and leave the choice of the
optimal node open. What came of it stands in lab/notes/notebook.md: `make aggregation`. It did not pay on topics that it was not
developed with, so it stays here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from focused.crawl.arrays import FloatArray
from focused.crawl.strategy import Changes, Rescoring, StrategyOptions, Visit, Waiting
from focused.crawl.world import World
from focused.scoring.dom_similarity import page_and_context_similarities
from focused.scoring.similarity import anchor_similarities
from focused.strategies.dom import Dom

NODES = LINK, PARENT, PAGE = range(3)  #: the link itself, its aggregation node (the parent by default), the whole page
WARM_UP = 10  #: pages behind links that are seen before anything but the parent is chosen
CHOOSE_EVERY = 25  #: pages between two choices


class NodeChoice:
    """Chooses the node whose scores of links correlate most with the similarities of the pages behind them.

    Every page counts for all nodes alike, whichever chose it, so that no link is followed for the sake of learning.

    Attributes
    ----------
    node : one of NODES, the one in use
    """

    def __init__(self) -> None:
        self.node = PARENT
        self._pages = 0
        self._sums = np.zeros((5, len(NODES)))  # of scores, their squares, similarities, their squares, and products

    def learn(self, scores: FloatArray, similarity: float) -> None:
        """Note what came of a link: its score by each node, (3,), and cos(q, page) of the page behind it."""
        self._pages += 1
        behind = np.full(len(NODES), similarity)
        self._sums += (scores, scores**2, behind, behind**2, scores * behind)

    def choose(self) -> bool:
        """Choose anew; return whether that is another node than before, which remains where two are equally good."""
        if self._pages < WARM_UP:
            return False
        correlations = self.correlations()
        best = int(np.argmax(correlations))
        if correlations[best] <= correlations[self.node]:
            return False
        self.node = best
        return True

    def correlations(self) -> FloatArray:
        """(3,) Pearson's correlation of each node's scores with similarities, in [-1, 1]; 0 where either never varies."""
        score, square, similarity, its_square, product = self._sums / max(self._pages, 1)
        variances = (square - score**2) * (its_square - similarity**2)
        found = np.zeros(len(NODES))
        np.divide(product - score * similarity, np.sqrt(variances.clip(0)), out=found, where=variances > 1e-15)
        return found.round(9)  # so that rounding makes no node better than its equal

    def state(self) -> dict[str, Any]:
        return {"node": self.node, "pages": self._pages, "sums": self._sums}

    def restore(self, state: Mapping[str, Any]) -> None:
        self.node, self._pages, self._sums = state["node"], state["pages"], state["sums"].copy()


class LearnedNode(Dom):
    """Weigh the similarity of a link's page against that of the text under the node that foretells best.

        score = alpha · page + (1 - alpha) · context

    Parts
        page: cos(keywords, page), the greatest of all pages that link to the URL
        context: cos(keywords, text under the node in use), the greatest of all links to the URL
    """

    name = "learned_node"
    rescore_every = CHOOSE_EVERY

    def __init__(self, options: StrategyOptions, world: World) -> None:
        super().__init__(options, world)
        self._choice = NodeChoice()
        # By each node, the greatest of all links to a URL.
        self._similarities = world.column("similarities", np.float32, np.nan, shape=(len(NODES),))

    def score(self, visit: Visit) -> tuple[FloatArray, FloatArray]:
        page, contexts = page_and_context_similarities(self.world.keywords, visit.page)
        known = self._similarities[visit.picked].astype(np.float64)
        if not np.isnan(known[PAGE]):  # or it is a seed that nothing links to
            self._choice.learn(self._weighed(known[PAGE], known), page)
        anchors = anchor_similarities(self.world.keywords, visit.page)
        found = np.column_stack((anchors, contexts, np.full(len(contexts), page)))
        np.fmax.at(self._similarities.values, visit.targets, found)
        return self._scored(self._similarities[visit.targets])

    def rescore(self, waiting: Waiting) -> Callable[[], Rescoring] | None:
        if not self._choice.choose():
            return None
        similarities = self._similarities[waiting.ids]
        # Seeds have no parts and keep their score, though pages may link to them.
        is_link = waiting.parts.any(axis=1) & ~np.isnan(similarities[:, PAGE])
        changes = Changes(waiting.ids[is_link], *self._scored(similarities[is_link]))
        return lambda: Rescoring(changes)

    def state(self) -> dict[str, Any]:
        return self._choice.state()

    def restore(self, state: Mapping[str, Any]) -> None:
        self._choice.restore(state)

    def _scored(self, similarities: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Scores and parts of links, by their similarities (n, 3)."""
        parts = np.asarray(similarities[:, [PAGE, self._choice.node]], np.float64)
        return self._weighed(parts[:, 0], parts[:, 1]), parts

    def _weighed(self, page: FloatArray, context: FloatArray) -> FloatArray:
        return np.asarray(self.options.alpha * page + (1 - self.options.alpha) * context)
