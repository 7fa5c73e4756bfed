"""The best aggregation node, learned while crawling: which text around links foretells what lies behind them.

Pant & Menczer 2003, "Topical Crawling for Business Intelligence", section 4.4, take the link's parent and leave the choice of the
optimal node open. The way it is chosen here is ours.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from focused.crawl.arrays import FloatArray

NODES = LINK, PARENT, PAGE = range(3)  #: the link itself, its aggregation node (the parent by default), the whole page
WARM_UP = 10  #: pages behind links that are seen before anything but the parent is chosen


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
