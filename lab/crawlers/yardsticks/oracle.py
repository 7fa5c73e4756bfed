"""Oracle: it knows all targets and all links of the web, and goes to the nearest target. A strong reference, not an optimum."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np

from focused.crawl.arrays import FloatArray, IntArray
from focused.crawl.strategy import Changes, StrategyOptions, Visit
from lab.crawlers.target_distances import TargetDistances
from lab.crawlers.web_links import NO_PAGE, Nodes
from lab.crawlers.yardstick import JudgedWorld, JudgedYardstick


class Oracle(JudgedYardstick):
    """Fetch the link that is the fewest links away from a target that is still to be fetched.

        score = near / (1 + near) - distance

    Parts
        distance: links from the URL to the nearest target not yet fetched that lead through no fetched page; 0 if it is
            one itself, the number of URLs of the web where there is no way
        near: number of targets not yet fetched that it links to; of equal distances the larger number comes first

    Distances are brought up to date after each page, for all that waits. A strong reference, not an optimum: a crawler
    that plans ahead would choose the link behind which many targets lie, not the nearest one. It knows neither what is
    under way nor ``max_depth`` and ``pages_per_host`` of a topic.

    Source: ours.
    """

    name = "oracle"
    parts: ClassVar[tuple[str, ...]] = ("distance", "near")

    def __init__(self, options: StrategyOptions, world: JudgedWorld) -> None:
        super().__init__(options, world)
        self._links = world.links()
        self._targets = self._links.pages(sorted(world.targets))
        self._distances = TargetDistances(self._links, self._targets)
        self._pages: Nodes = np.empty(0, np.int32)  # by id of a URL: the node it leads to, NO_PAGE if it is not known

    def visited(self, visit: Visit) -> Changes:
        nodes = self._links.pages([link.key for link in visit.links])
        self._know(visit.targets, nodes)
        page = self._links.node(visit.page.key)
        changed = self._distances.take(page) if page != NO_PAGE else np.empty(0, np.int32)
        others = self._ids_of(changed)
        ids = np.concatenate((visit.targets, others))
        scores, parts = self._scores(np.concatenate((nodes, self._pages[others])))
        return Changes(ids, scores, parts, replace=True)

    def state(self) -> dict[str, Any]:
        return {"pages": self._pages, "taken": self._distances.taken}

    def restore(self, state: Mapping[str, Any]) -> None:
        self._pages = np.array(state["pages"], np.int32)
        self._distances = TargetDistances(self._links, self._targets, np.array(state["taken"], np.int32))

    def _know(self, ids: IntArray, nodes: Nodes) -> None:
        """Remember where URLs lead to."""
        most = int(ids.max(initial=-1)) + 1
        if most > len(self._pages):
            more = np.full(max(most, 2 * len(self._pages)) - len(self._pages), NO_PAGE, np.int32)
            self._pages = np.concatenate((self._pages, more))
        self._pages[ids] = nodes

    def _ids_of(self, nodes: Nodes) -> IntArray:
        """Ids of all URLs found so far that lead to one of these nodes."""
        wanted = np.zeros(len(self._links) + 1, np.bool_)  # the last one stands for NO_PAGE
        wanted[nodes] = True
        return np.flatnonzero(wanted[self._pages])

    def _scores(self, nodes: Nodes) -> tuple[FloatArray, FloatArray]:
        """Scores (k,) and parts (k, 2) of URLs that lead to these nodes."""
        most = len(self._links)
        distance, near = np.full(len(nodes), most, float), np.zeros(len(nodes))
        known = nodes != NO_PAGE
        distance[known] = np.minimum(self._distances.distance[nodes[known]], most)
        near[known] = self._distances.near[nodes[known]]
        return near / (1 + near) - distance, np.column_stack((distance, near))
