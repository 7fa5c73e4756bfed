"""IQ-learning: LocalPulse that looks ahead: a link is also worth what the page behind it leads to."""

from __future__ import annotations

from typing import ClassVar, Literal

import numpy as np
from pydantic import Field

from focused.crawl.arrays import FloatArray, IntArray
from focused.papers.strategies.local_pulse import LocalPulse, Worth

Children = Literal["mean", "max", "sum"]


class IqLearning(LocalPulse):
    """Learn what the words of links were worth in the long run: the pages behind them, and what these led to.

        score = q, once something was learned; page before that
        Q(u) = R(u) + gamma · mean of Q over the fetched pages that u links to, back to ancestors at most `depth` links away
        q = mean Q of the pages in the class that naive Bayes finds likeliest for the words of all known anchors of the link

    It learns as local_pulse does, but classes are those of Q in place of R.

    Parts
        page: relevance of the linking page, by the topic's page model
        q: what following the link is expected to be worth in the long run; 0 before something was learned

    Source: Ye, Li, Huang & Xu 2006, "Improved Focused Web Crawling Based on Incremental Q-Learning", section 3, equations 1 to
    5 and figure 3.
    """

    name = "iq_learning"
    parts: ClassVar[tuple[str, ...]] = LocalPulse.parts
    uses_graph = True

    class Options(LocalPulse.Options):
        gamma: float = Field(0.35, ge=0, lt=1, description="discount of what a page leads to")
        depth: int = Field(6, ge=1, le=100, description="feed a page back to ancestors at most this many links away")
        children: Children = Field("mean", description="what a page leads to: mean, max or sum over what it links to")

    def _worth(self) -> Worth:
        sources, targets = self.world.graph.edges()
        gamma, depth, children = self.options.gamma, self.options.depth, self.options.children

        def worth(pages: IntArray, relevance: FloatArray) -> FloatArray:
            fetched = pages >= 0
            number = np.full(1 + max(array.max(initial=-1) for array in (pages, sources, targets)), -1)
            number[pages[fetched]] = np.flatnonzero(fetched)
            ends = number[sources], number[targets]
            known = (ends[0] >= 0) & (ends[1] >= 0)
            return path_rewards(relevance, ends[0][known], ends[1][known], gamma=gamma, depth=depth, children=children)

        return worth


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
