"""The distiller: finds the hubs among the fetched pages, whose unvisited links are worth a visit."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from focused.crawl.arrays import BoolArray, FloatArray, IntArray
from focused.crawl.strategy import Changes, Rescoring
from focused.scoring.hits import hits


@dataclass(slots=True, frozen=True)
class Distiller:
    """Finds the best hubs among the fetched pages: HITS over links between hosts, weighted by relevance.

        forward(u, v) = R(v), 0 if v may be no authority;  backward(u, v) = R(u)

    sources, targets : (e,) ids of all edges
    hosts : (n,) host of each URL, by id
    relevance : (n,) R of fetched pages, NaN for other URLs
    may_be_authority : (n,) fetched pages that may be authorities
    """

    sources: IntArray
    targets: IntArray
    hosts: NDArray[np.int32]
    relevance: FloatArray
    may_be_authority: BoolArray
    hubs: int

    def distil(self) -> Rescoring:
        """All links of the best hubs that are not fetched, with a score that no other link has; and `Strategy.hubs`."""
        relevance = self.relevance
        scores = self._hub_scores()
        best = np.lexsort((np.arange(len(scores)), -scores))[: self.hubs]
        best = best[scores[best] > 0]
        rank = np.zeros(len(scores))
        rank[best] = scores[best] / scores.max(initial=1e-300)
        chosen = (rank[self.sources] > 0) & np.isnan(relevance[self.targets])
        sources = self.sources[chosen]
        parts = np.column_stack((relevance[sources], rank[sources]))
        changes = Changes(self.targets[chosen], 1.0 + rank[sources], parts)
        return Rescoring(changes, {int(url): float(rank[url]) for url in best})

    def _hub_scores(self) -> FloatArray:
        relevance = self.relevance
        counts = self.may_be_authority[self.targets] & (self.hosts[self.sources] != self.hosts[self.targets])
        sources, targets = self.sources[counts], self.targets[counts]
        return hits(sources, targets, relevance[targets], relevance[sources], len(relevance))[0]
