"""Hubs and authorities (HITS) on a graph with edge weights: good hubs link to good authorities, which good hubs link to.

    authority(v) = Σ over edges u -> v of hub(u) · forward(u, v)
    hub(u) = Σ over edges u -> v of authority(v) · backward(u, v)

each normalised to a sum of 1 in every round.

Source: Kleinberg 1999, "Authoritative Sources in a Hyperlinked Environment"; edge weights: Chakrabarti, van den Berg & Dom 1999,
"Focused crawling", section on the distiller.
"""

from __future__ import annotations

import numpy as np

from focused.crawl.arrays import FloatArray, IntArray

ROUNDS = 30  #: the order of the best hubs settles long before


def hits(
    sources: IntArray, targets: IntArray, forward: FloatArray, backward: FloatArray, nodes: int, rounds: int = ROUNDS
) -> tuple[FloatArray, FloatArray]:
    """Hub and authority scores, (nodes,) each, summing up to 1; all 0 where no edge has weight.

    sources, targets : (e,) nodes of each edge, from 0 to ``nodes`` - 1
    forward, backward : (e,) weights of each edge, not negative
    """
    hubs, authorities = np.full(nodes, 1.0 / max(1, nodes)), np.zeros(nodes)
    for _ in range(rounds):
        authorities = _shares(targets, hubs[sources] * forward, nodes)
        hubs = _shares(sources, authorities[targets] * backward, nodes)
    return hubs, authorities


def _shares(ends: IntArray, weights: FloatArray, nodes: int) -> FloatArray:
    """The sum of the weights of each node's edges, as a share of all."""
    sums = np.bincount(ends, weights, nodes).astype(np.float64)
    total = sums.sum()
    return sums / total if total > 0 else sums
