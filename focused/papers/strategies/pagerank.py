"""PageRank: a link is worth what the fetched pages that link to it are worth, and so on."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

import numpy as np
from pydantic import Field

from focused.crawl.arrays import IntArray
from focused.crawl.strategy import Changes, Rescoring, Waiting
from focused.papers.models.page_ranks import pagerank
from focused.papers.models.reordering import Reordering, ReorderingOptions


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
