"""The link graph that a crawl has seen: which fetched page links to which URL, in flat arrays in order of arrival."""

from __future__ import annotations

from array import array
from collections.abc import Mapping
from typing import Any

import numpy as np

from focused.crawl.arrays import IntArray


class LinkGraph:
    """Edges from fetched pages to URLs, each edge once: 8 bytes an edge.

    The crawl keeps it for strategies that set `Strategy.uses_graph`. Nodes are ids of URLs; `pages` are those that were fetched.
    """

    def __init__(self) -> None:
        self._pages = array("i")
        self._ends = array("q")  # by page, in order of arrival: count of edges up to and including its own
        self._targets = array("i")
        self._row: dict[int, int] = {}  # page -> its place in the order of arrival
        self._later: dict[int, list[int]] = {}  # page that has changed since -> places of the links that it got

    def __len__(self) -> int:
        """Count of edges."""
        return len(self._targets)

    def __contains__(self, page: int) -> bool:
        return page in self._row

    def add(self, page: int, targets: IntArray) -> None:
        """Add a fetched page with the URLs it links to; a repeated URL counts once, the page itself not at all.

        A page that the graph has already keeps its earlier links as well.
        """
        distinct = list(dict.fromkeys(targets.tolist()))
        self._place(page, len(self._pages))
        self._pages.append(page)
        self._targets.extend(target for target in distinct if target != page)
        self._ends.append(len(self._targets))

    @property
    def pages(self) -> IntArray:
        """(p,) ids of fetched pages in order of arrival."""
        return np.fromiter(self._row, np.int64, len(self._row))

    def targets(self, page: int) -> IntArray:
        """Ids of the URLs that a fetched page links to, in page order; empty for any other URL."""
        row = self._row.get(page)
        if row is None:
            return np.empty(0, np.int64)
        found = array("i")
        for place in (row, *self._later.get(page, ())):
            found += self._targets[self._ends[place - 1] if place else 0 : self._ends[place]]
        return np.array(found, np.int64)

    def edges(self) -> tuple[IntArray, IntArray]:
        """Sources and targets of all edges, (e,) each, in order of arrival; copies that another thread may use."""
        ends = np.array([0, *self._ends], np.int64)
        return np.repeat(np.array(self._pages, np.int64), ends[1:] - ends[:-1]), np.array(self._targets, np.int64)

    def snapshot(self) -> dict[str, Any]:
        return {
            "pages": np.array(self._pages, np.int32),
            "ends": np.array(self._ends, np.int64),
            "targets": np.array(self._targets, np.int32),
        }

    def restore(self, state: Mapping[str, Any]) -> None:
        self._pages = array("i", state["pages"].tolist())
        self._ends = array("q", state["ends"].tolist())
        self._targets = array("i", state["targets"].tolist())
        self._row, self._later = {}, {}
        for row, page in enumerate(self._pages):
            self._place(page, row)

    def _place(self, page: int, row: int) -> None:
        if self._row.setdefault(page, row) != row:
            self._later.setdefault(page, []).append(row)
