"""How a crawl by context graphs begins: it asks who links to the seeds, and who links to those, and fetches what it is told.

Source: Diligenti, Coetzee, Lawrence, Giles & Gori 2000, "Focused Crawling Using Context Graphs", section 3.1.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any, Self

import numpy as np

from focused.crawl.url_table import State, UrlTable
from focused.papers.strategies.context_graph.graph_layers import LayeredGraph, merged
from focused.papers.strategies.context_graph.layer_classifier import Document
from focused.papers.strategies.context_graph.remembered_pages import packed, unpacked


class Beginning:
    """One context graph for each seed, built backwards: layer i + 1 are the pages that a provider of backlinks names for layer i.

    All graphs grow by a layer at a time, when all questions about the last layer have been answered. Pages are ids of URLs.

    Parameters
    ----------
    seeds : layer 0 of each graph
    depth : layers beside that of the seeds
    most : pages of a layer of one graph

    Attributes
    ----------
    documents : the pages of the graphs that were fetched so far, by their own ids: those at the ends of redirects
    open : pages asked about, without an answer so far
    """

    def __init__(self, seeds: Sequence[int], depth: int, most: int) -> None:
        self.depth, self.most = depth, most
        self.documents: dict[int, Document] = {}
        self.open = dict.fromkeys(seeds)
        self._graphs = [LayeredGraph([seed]) for seed in seeds]
        self._pages = dict.fromkeys(seeds)  # of all graphs
        self._fetched: dict[int, int] = {}  # page of a graph -> id of its document
        self._parents: dict[int, list[int]] = {}  # of each page that was asked about and answered

    def answered(self, page: int, parents: Sequence[int], chance: Random) -> list[int]:
        """Take in who links to a page; return the pages to fetch, where a layer is complete with it (`open` are then new)."""
        if page not in self.open:
            return []
        del self.open[page]
        self._parents[page] = list(parents)
        found: dict[int, None] = {}
        while not self.open and (count := len(self._graphs[0].layers)) <= self.depth:
            for graph in self._graphs:
                graph.grow(lambda child: self._parents.get(child, ()), self.most, chance)
            layer = dict.fromkeys(page for graph in self._graphs for page in graph.layers[-1])
            found |= layer
            if count < self.depth:
                self.open = {page: None for page in layer if page not in self._parents}
        self._pages |= found
        return list(found)

    def add(self, page: int, end: int, document: Document) -> bool:
        """Keep a page that was fetched, if it belongs to a graph; ``end`` is another page where it redirects."""
        if belongs := page in self._pages:
            self.documents[end] = document
            self._fetched[page] = end
        return belongs

    def alias(self, page: int, target: int) -> None:
        """A page of a graph redirects to a page known before, which stands there in its place."""
        if page in self._pages:
            self._pages[target] = None
            self._fetched[page] = target

    def is_over(self, urls: UrlTable) -> bool:
        """No question is open, and each page has been fetched, or never will be."""
        return not (self.open or self._any(urls, State.WAITING, State.PICKED))

    def is_under_way(self, urls: UrlTable) -> bool:
        """A question is open, or a page is being fetched."""
        return bool(self.open) or self._any(urls, State.PICKED)

    def layers(self) -> list[list[int]]:
        """The merged context graph of the pages that were fetched: the documents of each layer, as often as they stand there."""
        both = merged([graph.layers for graph in self._graphs])
        ends = ([self._fetched.get(page, -1) for page in layer] for layer in both)
        return [[end for end in layer if end in self.documents] for layer in ends]

    def state(self) -> dict[str, Any]:
        return {
            "depth": self.depth,
            "most": self.most,
            "open": list(self.open),
            "pages": list(self._pages),
            "layers": [graph.layers for graph in self._graphs],
            "nearer": [sorted(graph.nearer) for graph in self._graphs],
            "parents": {str(page): parents for page, parents in self._parents.items()},
            "fetched": {str(page): end for page, end in self._fetched.items()},
            "documents": packed(self.documents),
        }

    @classmethod
    def restored(cls, state: Mapping[str, Any]) -> Self:
        self = cls((), state["depth"], state["most"])
        self.open, self._pages = dict.fromkeys(state["open"]), dict.fromkeys(state["pages"])
        self._graphs = [LayeredGraph.restored(*both) for both in zip(state["layers"], state["nearer"], strict=True)]
        self._parents = {int(page): parents for page, parents in state["parents"].items()}
        self._fetched = {int(page): end for page, end in state["fetched"].items()}
        self.documents = unpacked(state["documents"])
        return self

    def _any(self, urls: UrlTable, *states: State) -> bool:
        pages = np.fromiter(self._pages, np.int64, len(self._pages))
        return bool(np.isin(urls.state[pages], states).any())
