"""All links of a recorded web that a crawl may follow: what an oracle knows. Read once, then kept beside the analysed pages."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

Nodes = NDArray[np.int32]
NO_PAGE = -1  #: of a URL that leads to none: unknown, failed, or barred by the scope


@dataclass(frozen=True)
class Adjacency:
    """Neighbours of nodes: those of node i are ``neighbours[start[i]:start[i + 1]]``, each once, in ascending order."""

    start: NDArray[np.int64]
    neighbours: Nodes

    @property
    def counts(self) -> NDArray[np.int64]:
        """(n,) number of neighbours of each node."""
        return np.diff(self.start)

    def of(self, nodes: Nodes) -> Nodes:
        """Neighbours of several nodes, one node after the other; those they share stand several times."""
        starts, counts = self.start[nodes], self.start[nodes + 1] - self.start[nodes]
        ends = np.cumsum(counts)
        places = np.arange(ends[-1] if len(ends) else 0) + np.repeat(starts - ends + counts, counts)
        neighbours: Nodes = self.neighbours[places]
        return neighbours


@dataclass(frozen=True)
class WebLinks:
    """The link graph of a recorded web. Nodes are its n URLs; only those with a page of their own have links.

    Parameters
    ----------
    keys : (n,) keys of the URLs, ascending
    leads_to : (n,) node of the page that a link to the URL arrives at, after redirects; NO_PAGE if at none
    start, targets : links between pages, as in `Adjacency`; a page's links to itself are none
    """

    keys: NDArray[np.int64]
    leads_to: Nodes
    start: NDArray[np.int64]
    targets: Nodes

    def __len__(self) -> int:
        return len(self.keys)

    def pages(self, keys: Sequence[int] | NDArray[np.int64]) -> Nodes:
        """(k,) nodes of the pages that URLs with these keys lead to, or NO_PAGE."""
        wanted = np.asarray(keys, np.int64)
        if not len(self) or not len(wanted):
            return np.full(len(wanted), NO_PAGE, np.int32)
        places = np.minimum(np.searchsorted(self.keys, wanted), len(self) - 1)
        return np.where(self.keys[places] == wanted, self.leads_to[places], np.int32(NO_PAGE))

    def node(self, key: int) -> int:
        """The node of a URL itself, wherever it leads to; NO_PAGE if it is not recorded."""
        place = int(np.searchsorted(self.keys, key))
        return place if place < len(self) and self.keys[place] == key else NO_PAGE

    def ends(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """(e,) sources and (e,) targets of all links between pages, each link once."""
        return np.repeat(np.arange(len(self)), np.diff(self.start)), self.targets.astype(np.int64)

    def forward(self) -> Adjacency:
        """The pages that each page links to."""
        return Adjacency(self.start, self.targets)

    def backward(self) -> Adjacency:
        """The pages that link to each page."""
        columns = self._matrix().tocsc()
        return Adjacency(columns.indptr.astype(np.int64), columns.indices.astype(np.int32))

    def reachable(self, pages: Nodes) -> NDArray[np.bool_]:
        """(n,) whether following links leads from any of these pages to each node; these pages are reachable themselves."""
        forward = self.forward()
        found = np.zeros(len(self), np.bool_)
        wave = np.unique(pages[pages != NO_PAGE])
        while len(wave):
            found[wave] = True
            following = np.unique(forward.of(wave))
            wave = following[~found[following]]
        return found

    def _matrix(self) -> csr_array:
        shape = len(self), len(self)
        return csr_array((np.ones(len(self.targets), np.bool_), self.targets, self.start), shape=shape)

    @classmethod
    def joined(cls, keys: NDArray[np.int64], leads_to: Nodes, links: Sequence[Nodes]) -> WebLinks:
        """The graph of pages whose links are given as URLs.

        links : for each of the n URLs, nodes of the URLs that its page links to; these may be repeated
        """
        counts = np.fromiter(map(len, links), np.int64, len(links))
        sources = np.repeat(np.arange(len(keys), dtype=np.int32), counts)
        targets = leads_to[np.concatenate([np.empty(0, np.int32), *links])]
        kept = (targets != NO_PAGE) & (targets != sources)
        ones = np.ones(np.count_nonzero(kept), np.bool_)
        matrix = csr_array((ones, (sources[kept], targets[kept])), shape=(len(keys), len(keys)))
        matrix.sum_duplicates()
        return cls(keys, leads_to, matrix.indptr.astype(np.int64), matrix.indices.astype(np.int32))
