"""PageRank: a page is worth what the pages that link to it are worth, each of which divides its worth among its links.

Source: Almpanidis, Kotropoulos & Pitas 2007, "Combining text and link analysis for focused crawling", equation 11 and
section 5.1, after Brin & Page 1998.
"""

from __future__ import annotations

import numpy as np
from scipy.sparse import csr_array

from focused.crawl.arrays import FloatArray, IntArray

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
