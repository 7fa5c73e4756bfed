"""PageRank (Brin & Page 1998): a page is worth what the pages that link to it are worth, each divided among its links."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

import numpy as np
from pydantic import Field
from scipy.sparse import csr_array

from focused.crawl.arrays import FloatArray, IntArray
from focused.crawl.strategy import Changes, Rescoring, Waiting
from focused.papers.models.reordering import Reordering, ReorderingOptions

CONVERGED = 1e-9  #: change of a rank, on average over all nodes, below which iterations stop


def pagerank(
    sources: IntArray, targets: IntArray, nodes: int, *, damping: float = 0.8, iterations: int = 10
) -> FloatArray:
    """(nodes,) PageRank of each node, in the scale of equation 11: not negative, 1 on average.

        PR(p) = (1 - d) + d · (sum over q that link to p of PR(q) / outlinks of q + sum over q without links of PR(q) / nodes)

    Parameters
    ----------
    sources, targets : (e,) ends of the edges, each edge once, numbers from 0 to nodes - 1
    nodes : count of nodes, at least 1
    damping : d, the share of a node's rank that flows along its links, from 0 to 1
    iterations : at most; ranks start as equal
    """
    outlinks = np.bincount(sources, minlength=nodes)
    # Row p, column q: the share of the rank of q that flows to p.
    flow = csr_array((1 / outlinks[sources], (targets, sources)), shape=(nodes, nodes))
    dangling = outlinks == 0
    ranks = np.ones(nodes)
    for _ in range(iterations):
        before = ranks
        ranks = (1 - damping) + damping * (flow @ before + before[dangling].sum() / nodes)
        if np.abs(ranks - before).sum() < CONVERGED * nodes:
            break
    return ranks


class PageRank(Reordering):
    """Order all that waits by its PageRank in the graph of all fetched pages and their links.

        score = rank
        rank(p) = (1 - d) + d · sum over pages q that link to p of rank(q) / links of q

    What has no known links, as all that waits, shares its rank among all nodes.

    Parts
        rank: PageRank, 1 on average over all nodes

    Source: Almpanidis, Kotropoulos & Pitas 2007, "Combining text and link analysis for focused crawling", equation 11 and
    section 5.1.
    """

    name = "pagerank"
    parts: ClassVar[tuple[str, ...]] = ("rank",)
    uses_graph = True
    rescore_lag = 10  # picks; the ranks of a large graph take a while

    class Options(ReorderingOptions):
        damping: float = Field(0.8, ge=0, le=1, description="share of a page's rank that flows along its links (d)")
        iterations: int = Field(10, ge=1, le=1000, description="most steps of the computation")

    def rescore(self, waiting: Waiting) -> Callable[[], Rescoring]:
        pages, (sources, targets) = self.world.graph.pages, self.world.graph.edges()
        options = self.options

        def job() -> Rescoring:
            node, nodes = dense_numbers(pages, targets, waiting.ids)
            ranks = pagerank(
                node[sources], node[targets], nodes, damping=options.damping, iterations=options.iterations
            )
            scores = ranks[node[waiting.ids]]
            return Rescoring(Changes(waiting.ids, scores, scores[:, np.newaxis]))

        return job


def dense_numbers(*groups: IntArray) -> tuple[IntArray, int]:
    """Number the ids that stand in any group from 0, in their order: the number by id, and how many there are.

    Linear, where `numpy.unique` sorts; the number of an id in no group is of no use.
    """
    present = np.zeros(max(int(group.max(initial=-1)) for group in groups) + 1, bool)
    for group in groups:
        present[group] = True
    return present.cumsum() - 1, int(present.sum())
