"""What a fetched page was worth together with what its links led to: relevance fed back along the paths of a crawl.

    Q(u) = R(u) + gamma · mean of Q(v) over all fetched pages v that u links to;  R(u) where there are none

Source: Ye, Li, Huang & Xu 2006, "Improved Focused Web Crawling Based on Incremental Q-Learning", section 3.2, equation 1.
"""

from __future__ import annotations

from typing import Literal

import numpy as np

from focused.crawl.arrays import FloatArray, IntArray

Children = Literal["mean", "max", "sum"]


def path_rewards(
    rewards: FloatArray,
    sources: IntArray,
    targets: IntArray,
    *,
    gamma: float,
    depth: int,
    children: Children = "mean",
) -> FloatArray:
    """(n,) Q of n pages, from their rewards R (n,), not negative, and the links between them.

    Parameters
    ----------
    sources, targets : (e,) ends of the links, each link once, numbers from 0 to n - 1
    gamma : discount of the future, in [0, 1)
    depth : a page is fed back to ancestors that lie at most this many links before it, so that circles end
    children : the mean of the children's Q, their maximum or their sum
    """
    count = len(rewards)
    linked = np.maximum(np.bincount(sources, minlength=count), 1)

    def future(q: FloatArray) -> FloatArray:
        if children == "max":
            best: FloatArray = np.zeros(count)
            np.maximum.at(best, sources, q[targets])
            return best
        total = np.bincount(sources, q[targets], count).astype(np.float64)
        return total / linked if children == "mean" else total

    q = rewards
    for _ in range(depth):
        q = rewards + gamma * future(q)
    return q
