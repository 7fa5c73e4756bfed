"""What is learned from a context graph while a crawl goes on: a classifier of layers, and what it says of the links that wait.

How a crawl by context graphs begins: it asks who links to the seeds, and who links to those, and fetches what it is told.

Source: Diligenti, Coetzee, Lawrence, Giles & Gori 2000, "Focused Crawling Using Context Graphs", section 3.1.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any, Self

import numpy as np

from focused.crawl.arrays import FloatArray, IntArray
from focused.crawl.strategy import Changes, Rescoring, Waiting
from focused.crawl.url_table import State, UrlTable
from focused.papers.strategies.context_graph.layer_classifier import (
    LayerClassifier,
    LayeredGraph,
    TermCounts,
    context_graph,
    merged,
)

MOST = 2_000  #: pages remembered, the latest: about 1 KB each


class RememberedPages:
    """Documents by id of their page, in order of arrival; ``targets`` are those that are relevant."""

    def __init__(self) -> None:
        self.documents: dict[int, TermCounts] = {}
        self.targets: dict[int, None] = {}

    def add(self, page: int, document: TermCounts, *, is_target: bool) -> None:
        """Remember a page; the oldest is forgotten where there are too many."""
        self.documents[page] = document
        if is_target:
            self.targets[page] = None
        if len(self.documents) > MOST:
            oldest = next(iter(self.documents))
            del self.documents[oldest]
            self.targets.pop(oldest, None)

    def copy(self) -> RememberedPages:
        """What is remembered now, for another thread."""
        other = RememberedPages()
        other.documents, other.targets = dict(self.documents), dict(self.targets)
        return other

    def state(self) -> dict[str, Any]:
        return {**packed(self.documents), "targets": np.array(list(self.targets), np.int64)}

    def restore(self, state: Mapping[str, Any]) -> None:
        self.documents = unpacked(state)
        self.targets = dict.fromkeys(state["targets"].tolist())


def packed(documents: Mapping[int, TermCounts]) -> dict[str, Any]:
    """Documents by page as a few arrays."""
    values, empty = list(documents.values()), TermCounts.of(())
    return {
        "pages": np.array(list(documents), np.int64),
        "lengths": np.array([len(document.keys) for document in values], np.int64),
        "keys": np.concatenate([empty.keys, *(document.keys for document in values)]),
        "counts": np.concatenate([empty.counts, *(document.counts for document in values)]),
    }


def unpacked(state: Mapping[str, Any]) -> dict[int, TermCounts]:
    """What `packed` was given."""
    ends = np.cumsum(state["lengths"])[:-1]
    split = zip(np.split(state["keys"], ends), np.split(state["counts"], ends), strict=True)
    documents = [TermCounts(keys, counts) for keys, counts in split] if len(state["pages"]) else []
    return dict(zip(state["pages"].tolist(), documents, strict=True))


SEED_SCORE = 1.0  #: as `Strategy.start` gives it; every link that was judged has less
CERTAIN = 1.0  #: likelihood of what is known; whatever is estimated has less


def scored(
    classifier: LayerClassifier | None, documents: list[TermCounts], other: int
) -> tuple[FloatArray, FloatArray]:
    """Scores (d,) and parts (d, 2) that the links of these documents get; without a classifier all the same."""
    if classifier is None:
        layers, likelihoods = np.full(len(documents), other), np.zeros(len(documents))
    else:
        layers, means = classifier.classify(documents)
        likelihoods = 1 / (1 - means)
    return likelihoods - layers, np.column_stack((layers, likelihoods))


def learn_beginning(
    options: Any,
    layers: list[list[int]],
    documents: Mapping[int, TermCounts],
    edges: tuple[IntArray, IntArray],
    waiting: Waiting,
) -> Rescoring:
    """A classifier of the layers that a crawl began with, and what it says of the links that wait.

    layers : pages of each layer, by id
    documents : these, and others that tell how rare terms are
    edges : (e,) sources and ends of all links seen so far, by id
    """
    place, sources, ends = by_place(documents, edges, waiting)
    texts = list(documents.values())
    classifier = _fit(options, [place[layer].tolist() for layer in layers], texts)
    return rescoring_by(classifier, texts, sources, ends, waiting)


def learn_layers(
    options: Any,
    remembered: RememberedPages,
    edges: tuple[IntArray, IntArray],
    waiting: Waiting,
    chance: Random,
) -> Rescoring:
    """A classifier of the layers around the targets that are remembered, and what it says of the links that wait."""
    place, sources, ends = by_place(remembered.documents, edges, waiting)
    classifier = fit_layers(options, remembered, place, sources, ends, chance)
    return rescoring_by(classifier, list(remembered.documents.values()), sources, ends, waiting)


def fit_layers(
    options: Any,
    remembered: RememberedPages,
    place: IntArray,
    sources: IntArray,
    ends: IntArray,
    chance: Random,
) -> LayerClassifier:
    """A classifier of the layers around the targets that are remembered; parameters as of `learn_layers` and from `by_place`."""
    between = place[ends] >= 0
    layers = context_graph(
        place[list(remembered.targets)].tolist(),
        *(sources[between], place[ends[between]]),
        depth=options.depth,
        most=options.layer_pages,
        chance=chance,
    )
    return _fit(options, layers, list(remembered.documents.values()))


def rescoring_by(
    classifier: LayerClassifier, texts: list[TermCounts], parents: IntArray, children: IntArray, waiting: Waiting
) -> Rescoring:
    """What a classifier says of the links that wait, by the documents that they stand on, and the classifier to adopt.

    parents, children : (e,) links: the place of a document in ``texts``, and the id of a URL
    """
    scores, parts = scored(classifier, texts, classifier.other)
    return Rescoring(_best_of_parents(waiting, parents, children, scores, parts), classifier)


def by_place(
    documents: Mapping[int, TermCounts], edges: tuple[IntArray, IntArray], waiting: Waiting
) -> tuple[IntArray, IntArray, IntArray]:
    """The place of each id in the order of the documents, -1 for others; and of links of these documents (e,) the place of the
    source and the id of the end.
    """
    pages = np.fromiter(documents, np.int64, len(documents))
    place = np.full(1 + max(int(array.max(initial=-1)) for array in (*edges, waiting.ids, pages)), -1)
    place[pages] = np.arange(len(pages))
    known = place[edges[0]] >= 0
    return place, place[edges[0][known]], edges[1][known]


def _fit(options: Any, layers: list[list[int]], texts: list[TermCounts]) -> LayerClassifier:
    return LayerClassifier.fit(
        layers,
        texts,
        vocabulary_terms=options.vocabulary,
        kept=options.document_terms,
        as_printed=options.as_printed,
    )


def _best_of_parents(
    waiting: Waiting, parents: IntArray, children: IntArray, scores: FloatArray, parts: FloatArray
) -> Changes:
    """What waits gets the score and the parts of the best page, of those remembered, that links to it.

    parents, children : (e,) links: the place of a page in ``scores`` and ``parts``, and the id of a URL
    Seeds, requests of the user's own, known parents, and children of the block that is being fetched stay as they are.
    """
    judged = waiting.ids[(waiting.scores < SEED_SCORE) & (waiting.parts[:, 1] < CERTAIN)]
    row = np.full(1 + max(int(children.max(initial=-1)), int(waiting.ids.max(initial=-1))), -1)
    row[judged] = np.arange(len(judged))
    waits = row[children] >= 0
    parents, children = parents[waits], children[waits]
    order = np.argsort(scores[parents], kind="stable")
    best = np.full(len(judged), -1)
    best[row[children[order]]] = parents[order]  # of several the last counts, which is the best
    found = best >= 0
    return Changes(judged[found], scores[best[found]], parts[best[found]])


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
        self.documents: dict[int, TermCounts] = {}
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

    def add(self, page: int, end: int, document: TermCounts) -> bool:
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
