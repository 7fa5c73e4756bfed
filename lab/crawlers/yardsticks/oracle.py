"""Oracle: it knows all targets and all links of the web, and goes to the nearest target. A strong reference, not an optimum."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from focused.crawl.arrays import FloatArray, IntArray
from focused.crawl.strategy import Changes, StrategyOptions, Visit
from lab.crawlers.web_links import NO_PAGE, Nodes, WebLinks
from lab.crawlers.yardstick import JudgedWorld, JudgedYardstick

FAR = np.iinfo(np.int32).max // 2  #: distance of a page from which no way leads to a target


class TargetDistances:
    """Distances in a graph from which pages are taken away, one after the other.

    A page fetched is taken away: it is no target any more, and no way leads through it, because its links are found. So
    distances only grow, and after each page only those are computed anew whose every shortest way led through it
    (after G. Ramalingam, T. Reps, "An Incremental Algorithm for a Generalization of the Shortest-Path Problem", Journal of
    Algorithms 21, 1996; here all links are of one length, there are many targets, and links only go).

    Parameters
    ----------
    links : of the web, n nodes
    targets : nodes of the pages to be found; NO_PAGE is passed over
    taken : nodes taken away already

    Attributes
    ----------
    distance : (n,) links to the nearest target; 0 for a target, FAR where there is no way
    near : (n,) number of targets that a page links to
    """

    def __init__(self, links: WebLinks, targets: Nodes, taken: Nodes | None = None) -> None:
        count = len(links)
        self._forward, self._backward = links.forward(), links.backward()
        self._taken = np.zeros(count, np.bool_)
        if taken is not None:
            self._taken[taken] = True
        self._is_target = np.zeros(count, np.bool_)
        self._is_target[targets[targets != NO_PAGE]] = True
        self._is_target &= ~self._taken
        self.distance = self._from_targets()
        sources = np.repeat(np.arange(count, dtype=np.int32), self._forward.counts)
        heads = self._forward.neighbours
        self.near = np.bincount(sources[self._is_target[heads]], minlength=count)
        on_shortest = self.distance[heads] + 1 == self.distance[sources]
        self._support = np.bincount(sources[on_shortest], minlength=count)  # shortest ways out of each page

    @property
    def taken(self) -> Nodes:
        """Nodes taken away, ascending."""
        return np.flatnonzero(self._taken).astype(np.int32)

    def take(self, page: int) -> Nodes:
        """Take a page away; return the nodes whose distance or number of near targets is another one now."""
        if self._taken[page]:
            return np.empty(0, np.int32)
        self._taken[page] = True
        before = self._backward.of(np.array([page]))
        changed = []
        if self._is_target[page]:
            self._is_target[page] = False
            self.near[before] -= 1
            changed.append(before)
        if self.distance[page] < FAR:
            cut_off = self._cut_off(page)
            self._settle(cut_off)
            changed.append(cut_off)
        return np.unique(np.concatenate(changed)) if changed else np.empty(0, np.int32)

    def _from_targets(self) -> NDArray[np.int32]:
        """Distances from scratch: breadth-first from all targets at once, against the links."""
        distance = np.full(len(self._taken), FAR, np.int32)
        level, reached = 0, np.flatnonzero(self._is_target).astype(np.int32)
        while len(reached):
            distance[reached] = level
            before = self._backward.of(reached)
            reached = np.unique(before[(distance[before] == FAR) & ~self._taken[before]])
            level += 1
        return distance

    def _cut_off(self, page: int) -> Nodes:
        """Nodes all of whose shortest ways led through a page, level by level away from it; they are FAR for now."""
        level, lost = int(self.distance[page]), np.array([page], np.int32)
        found = []
        while len(lost):
            self.distance[lost] = FAR
            before = self._backward.of(lost)
            before = before[self.distance[before] == level + 1]
            np.subtract.at(self._support, before, 1)
            before = np.unique(before)
            lost = before[self._support[before] == 0]
            found.append(lost)
            level += 1
        return np.concatenate(found)

    def _settle(self, pages: Nodes) -> None:
        """Find the distances of pages that are FAR only because they were cut off: nearest first, from the others' distances."""
        waits = np.zeros(len(self._taken), np.bool_)
        waits[pages] = True
        tentative = self._nearest(pages)
        while (open_ones := waits[pages] & (tentative < FAR)).any():
            level = int(tentative[open_ones].min())
            settled = pages[open_ones & (tentative == level)]
            self.distance[settled], waits[settled] = level, False
            reached = np.zeros(len(waits), np.bool_)
            reached[self._backward.of(settled)] = True
            tentative = np.where(reached[pages], np.minimum(tentative, level + 1), tentative)
        self._count_ways(pages)

    def _nearest(self, pages: Nodes) -> NDArray[np.int64]:
        """(k,) one link more than the nearest neighbour of each page; FAR where none has a way."""
        counts = self._forward.counts[pages]
        nearest = np.full(len(pages), FAR, np.int64)
        rows = np.repeat(np.arange(len(pages)), counts)
        np.minimum.at(nearest, rows, self.distance[self._forward.of(pages)] + 1)
        return np.minimum(nearest, FAR)

    def _count_ways(self, pages: Nodes) -> None:
        """Count the shortest ways out of pages whose distance is new, and those out of other pages that now lead to them."""
        heads = self._forward.of(pages)
        rows = np.repeat(np.arange(len(pages)), self._forward.counts[pages])
        on_shortest = self.distance[heads] + 1 == self.distance[pages[rows]]
        self._support[pages] = np.bincount(rows[on_shortest], minlength=len(pages))
        is_new = np.zeros(len(self._taken), np.bool_)
        is_new[pages] = True
        tails = self._backward.of(pages)
        rows = np.repeat(np.arange(len(pages)), self._backward.counts[pages])
        on_shortest = (self.distance[pages[rows]] + 1 == self.distance[tails]) & ~is_new[tails]
        np.add.at(self._support, tails[on_shortest], 1)


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
