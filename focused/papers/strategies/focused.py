"""Focused: a link is worth the probability that its page belongs to a good topic; a distiller finds hubs now and then.

Hubs and authorities (HITS) on a graph with edge weights: good hubs link to good authorities, which good hubs link to.

    authority(v) = Σ over edges u -> v of hub(u) · forward(u, v)
    hub(u) = Σ over edges u -> v of authority(v) · backward(u, v)

each normalised to a sum of 1 in every round.

Source: Kleinberg 1999, "Authoritative Sources in a Hyperlinked Environment"; edge weights: Chakrabarti, van den Berg & Dom 1999,
"Focused crawling", section on the distiller.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from focused.crawl.arrays import BoolArray, FloatArray, IntArray
from focused.crawl.strategy import Changes, Rescoring, Strategy, StrategyOptions, Visit, Waiting
from focused.crawl.world import World
from focused.exceptions import TopicError
from focused.papers.models.siblings import Siblings
from focused.papers.models.taxonomy import Node, Taxonomy, name_of, nested, node_of

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


class Focused(Strategy):
    """Give every link the probability that its page is about a good topic; links of the best hubs go to the front.

        score = relevance;  1 + hub for a link that the distiller brings to the front
        relevance = R(p) = Σ over good c of Pr(c | p)

    Parts
        relevance: R(p) of the linking page, by the trained classifier; without one by the crawl's page model
        hub: hub score of that page, 1 for the best hub; 0 where the distiller did not choose it

    Source: Chakrabarti, van den Berg & Dom 1999, "Focused crawling", as described in Pant, Srinivasan & Menczer 2004, "Crawling
    the Web", section 3.3 and equation 6.
    """

    name = "focused"
    parts: ClassVar[tuple[str, ...]] = ("relevance", "hub")
    uses_graph = True
    trained = "classifier"
    model_class = Taxonomy
    rescore_lag = 10
    state_version = 3  # the best hubs, the page whose children come next

    class Options(StrategyOptions):
        judges = True
        mode: Literal["soft", "hard"] = Field(
            "soft", description="follow all links (soft), or only those of pages whose best class is good (hard)"
        )
        model: str = Field("", description="name of a classifier made by scrapy train; empty: the crawl's page model")
        good: tuple[str, ...] = Field(
            (), description="classes of the model that are on topic, as science/physics; [] = those it was trained with"
        )
        distill_every: int = Field(
            500, ge=0, le=1_000_000, description="pages between two runs of the distiller; 0: none"
        )
        hubs: int = Field(10, ge=1, le=10_000, description="the links of this many best hubs go to the front")
        authority: float = Field(
            0.5, ge=0, le=1, description="only pages with at least this R(p), by the model, may be authorities"
        )
        revisit: bool = Field(
            False, description="re-fetch the best hubs after each run of the distiller, also without [recrawl]"
        )
        block: bool = Field(False, description="fetch all children of a page before those of the next")

    @classmethod
    def tuned(cls, model: Taxonomy, options: Mapping[str, Any]) -> Taxonomy:
        return _with_good(model, tuple(options.get("good", ())))

    def __init__(self, options: StrategyOptions, world: World) -> None:
        super().__init__(options, world)
        self.rescore_every, self.revisits_hubs = self.options.distill_every, self.options.revisit
        self._taxonomy: Taxonomy | None = world.model and _with_good(world.model, self.options.good)
        self._relevance = world.column("relevance", np.float64, np.nan)  # of fetched pages
        self._may_be_authority = world.column("may_be_authority", np.bool_)
        self._siblings = Siblings(world)

    def visited(self, visit: Visit) -> Changes:
        changes = super().visited(visit)
        return self._siblings.raised(visit, changes) if self.options.block else changes

    def score(self, visit: Visit) -> tuple[FloatArray, FloatArray]:
        relevance, is_good = self._judge(visit)
        self._relevance[visit.id] = relevance
        self._may_be_authority[visit.id] = is_good if self._taxonomy is None else relevance >= self.options.authority
        count = len(visit.links)
        score = relevance if is_good or self.options.mode == "soft" else np.nan
        hub = self.hubs.get(visit.picked, 0.0) if visit.again and self.hubs else 0.0
        return np.full(count, 1.0 + hub if hub else score), np.tile([relevance, hub], (count, 1))

    def _judge(self, visit: Visit) -> tuple[float, bool]:
        """R(p), and whether the best class of a page is good."""
        if self._taxonomy is None:
            return visit.relevance, visit.relevant
        found = self._taxonomy.probabilities(visit.page.terms)
        return self._taxonomy.relevance(found), self._taxonomy.is_good(self._taxonomy.best_leaf(found))

    def rescore(self, waiting: Waiting) -> Callable[[], Rescoring] | None:
        known = slice(len(self.world.urls))
        return partial(
            distil,
            *self.world.graph.edges(),
            hosts=self.world.urls.host[known].copy(),
            relevance=self._relevance[known].copy(),
            may_be_authority=self._may_be_authority[known].copy(),
            hubs=self.options.hubs,
        )

    def adopt(self, learned: Any) -> None:
        self.hubs = learned

    def state(self) -> dict[str, Any]:
        return {"hubs": {str(url): hub for url, hub in (self.hubs or {}).items()}, "block": self._siblings.parent}

    def restore(self, state: Mapping[str, Any]) -> None:
        self.hubs = {int(url): hub for url, hub in state["hubs"].items()}
        self._siblings.parent = state["block"]


def _with_good(taxonomy: Taxonomy, names: tuple[str, ...]) -> Taxonomy:
    """The taxonomy with other good nodes, if any are named; TopicError for nodes it does not have or that are nested."""
    good = frozenset(map(node_of, names)) or taxonomy.good
    if strange := sorted(good - set(taxonomy.nodes)):
        classes = ", ".join(map(name_of, taxonomy.nodes))
        raise TopicError(f"[strategy] good: {name_of(strange[0])!r} is no class of the model; classes: {classes}")
    if pair := nested(good):
        raise TopicError(f"[strategy] good: {_shown(pair[1])} lies below {_shown(pair[0])}: leave one of them out")
    return Taxonomy(taxonomy.children, taxonomy.classifiers, good, taxonomy.length)


def _shown(node: Node) -> str:
    return repr(name_of(node))


def distil(
    sources: IntArray,
    targets: IntArray,
    *,
    hosts: NDArray[np.int32],
    relevance: FloatArray,
    may_be_authority: BoolArray,
    hubs: int,
) -> Rescoring:
    """All links of the best hubs that are not fetched, with a score that no other link has; and `Strategy.hubs`.

    Hubs are found among the fetched pages by HITS over links between hosts, weighted by relevance:

        forward(u, v) = R(v), 0 if v may be no authority;  backward(u, v) = R(u)

    sources, targets : (e,) ids of all edges
    hosts : (n,) host of each URL, by id
    relevance : (n,) R of fetched pages, NaN for other URLs
    may_be_authority : (n,) fetched pages that may be authorities
    hubs : how many of the best to return
    """
    counts = may_be_authority[targets] & (hosts[sources] != hosts[targets])
    ends = sources[counts], targets[counts]
    scores, _ = hits(*ends, relevance[ends[1]], relevance[ends[0]], len(relevance))
    best = np.lexsort((np.arange(len(scores)), -scores))[:hubs]
    best = best[scores[best] > 0]
    rank = np.zeros(len(scores))
    rank[best] = scores[best] / scores.max(initial=1e-300)
    chosen = (rank[sources] > 0) & np.isnan(relevance[targets])
    parts = np.column_stack((relevance[sources[chosen]], rank[sources[chosen]]))
    changes = Changes(targets[chosen], 1.0 + parts[:, 1], parts)
    return Rescoring(changes, {int(url): float(rank[url]) for url in best})
