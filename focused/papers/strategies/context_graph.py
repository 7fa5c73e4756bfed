"""Context graph: a page is judged by how many links it probably lies before a target, and so are its links."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from random import Random
from typing import Any, ClassVar, Self

import numpy as np
from pydantic import Field

from focused.crawl.arrays import FloatArray, IntArray
from focused.crawl.strategy import WAIT, Changes, Ready, Rescoring, Seeds, Strategy, StrategyOptions, Visit, Waiting
from focused.crawl.url_table import State, UrlTable
from focused.crawl.world import World
from focused.papers.models.layers import (
    LayerClassifier,
    LayeredGraph,
    Reference,
    TermCounts,
    context_graph,
    merged,
)
from focused.papers.models.siblings import Siblings
from focused.papers.strategies.ss1 import TermSpace

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
    reference: Reference | None = None,
) -> Rescoring:
    """A classifier of the layers that a crawl began with, and what it says of the links that wait.

    layers : pages of each layer, by id
    documents : these, and others that tell how rare terms are, where no ``reference`` does
    edges : (e,) sources and ends of all links seen so far, by id
    """
    place, sources, ends = by_place(documents, edges, waiting)
    return _learned(options, [place[layer].tolist() for layer in layers], documents, sources, ends, waiting, reference)


def learn_layers(
    options: Any,
    documents: Mapping[int, TermCounts],
    targets: list[int],
    edges: tuple[IntArray, IntArray],
    waiting: Waiting,
    chance: Random,
    reference: Reference | None = None,
) -> Rescoring:
    """The same of the layers around targets, by the links between the pages whose documents are given."""
    place, sources, ends = by_place(documents, edges, waiting)
    between = place[ends] >= 0
    layers = context_graph(
        place[targets].tolist(),
        *(sources[between], place[ends[between]]),
        depth=options.depth,
        most=options.layer_pages,
        chance=chance,
    )
    return _learned(options, layers, documents, sources, ends, waiting, reference)


def _learned(
    options: Any,
    layers: list[list[int]],
    documents: Mapping[int, TermCounts],
    parents: IntArray,
    children: IntArray,
    waiting: Waiting,
    reference: Reference | None,
) -> Rescoring:
    """A classifier of layers, which name documents by their places, and what it says of the links on these documents.

    parents, children : (e,) links: the place of a document, and the id of a URL
    """
    texts = list(documents.values())
    classifier = LayerClassifier.fit(
        layers,
        texts,
        vocabulary_terms=options.vocabulary,
        kept=options.document_terms,
        as_printed=options.as_printed,
        reference=reference,
    )
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


REMEMBERED_TERMS = 200  #: of a page, the most frequent
LAG = 10  #: picks in which a graph is built and learned from
MOST_BEGINNINGS = 2  #: with the graphs of the seeds, and with those of the first targets that were found


class ContextGraph(Strategy):
    """Give the links of a page the layer of the context graph that the page belongs to, and its likelihood within the layer.

        score = likelihood - layer

    Parts
        layer: links that probably lead from the page to a target, 0 to ``depth``; ``depth`` + 1 for a page of no layer
        likelihood: 1 / (1 - m) in (0, 1], m = mean log P(t | layer) of the page's terms; 0 where nothing is known

    Layers come from a trained model. Or the crawl begins with them: it asks who links to the seeds, who links to those and so on,
    fetches these pages and learns from them. Without a provider of backlinks it is breadth-first until it has found enough
    targets, and learns from the links that it has seen.

    As printed, the pages of the graphs come on top of the page budget; where the provider knows no links to the seeds, the first
    targets found get graphs in their place; all children of a page are fetched before those of the next; m is a sum.

    Source: Diligenti, Coetzee, Lawrence, Giles & Gori 2000, "Focused Crawling Using Context Graphs", sections 3.1 to 3.3 and 5.
    """

    name = "context_graph"
    parts: ClassVar[tuple[str, ...]] = ("layer", "likelihood")
    choice = "the pages of the context graphs come first"
    uses_graph = True
    reads_budget = True
    trained = "layers"
    model_class = LayerClassifier
    knows = "space"
    knowledge_class = TermSpace
    state_version = 4

    class Options(StrategyOptions):
        judges = True
        as_printed: bool = Field(False, description="crawl as the paper says")
        model: str = Field("", description="trained layers; none: the crawl learns them")
        knowledge: str = Field("", description="trained space that says how rare terms are; none: the pages read")
        begin: bool = Field(
            True, description="learn the layers from the pages that lead to the seeds, by the topic's [backlinks]"
        )
        begin_share: float = Field(
            0.25, gt=0, le=1, description="most of the page budget that is fetched to begin with"
        )
        parents: bool = Field(
            False, description="ask the topic's [backlinks] who links to each page on topic, and fetch those pages"
        )
        depth: int = Field(4, ge=1, le=10, description="layers beside that of the targets")
        layer_pages: int = Field(300, ge=1, le=2000, description="pages of a layer of one graph that are learned from")
        document_terms: int = Field(40, ge=1, le=200, description="terms of a page that its layer is told by")
        vocabulary: int = Field(1000, ge=1, le=100_000, description="terms of the targets that are looked at")
        least_targets: int = Field(
            10, ge=1, le=2000, description="relevant pages before a graph of seen links is built"
        )
        refit_every: int = Field(100, ge=1, le=100_000, description="pages until such a graph is built anew")

    def __init__(self, options: StrategyOptions, world: World) -> None:
        super().__init__(options, world)
        self._beginning: Beginning | None = None
        self._begun = 0  # times that graphs were asked for
        self._classifier: LayerClassifier | None = world.model
        self._has_learned = self._classifier is not None  # for good: from graphs, not from the links it has seen
        corpus: TermSpace | None = world.knowledge
        self._reference = Reference.of(corpus.documents, corpus.frequencies) if corpus else None
        self._remembered = RememberedPages()
        self._siblings = Siblings(world)
        self._settle()

    def _settle(self) -> None:
        """Rescore as often as what is known by now demands."""
        self.rescore_every = 0 if self._has_learned else self.options.refit_every
        self.rescore_lag = LAG if self._beginning is None else 0

    def start(self, seeds: Seeds) -> Changes:
        """The first seeds get a graph each, but for hubs, which are no targets; seeds that a later run adds get none."""
        changes = super().start(seeds)
        hubs = {self.world.urls.find(key) for key in self.world.hubs}
        targets = [seed for seed in seeds.ids.tolist() if seed not in hubs]
        if self._may_begin and not self.world.pages and targets:
            changes.ask = self._begin(targets)
        return changes

    @property
    def _may_begin(self) -> bool:
        return self.options.begin and self.world.answers and not self._has_learned and self._beginning is None

    def _begin(self, targets: list[int]) -> list[int]:
        """Begin a graph for each target; return whose backlinks to ask for."""
        self._beginning = Beginning(targets, self.options.depth, self._pages_of_a_layer(len(targets)))
        self._begun += 1
        self._settle()
        self._recall(targets)
        return list(self._beginning.open)

    def _recall(self, pages: list[int]) -> None:
        """Pages that were fetched before they belonged to a graph."""
        assert self._beginning is not None
        for page in pages:
            if (document := self._remembered.documents.get(page)) is not None:
                self._beginning.add(page, page, document)

    def _pages_of_a_layer(self, graphs: int) -> int:
        """All layers of all graphs have an equal part in what may be fetched to begin with."""
        most: int = self.options.layer_pages
        if self.options.as_printed or not self.world.page_budget:
            return most
        return max(1, min(most, int(self.options.begin_share * self.world.page_budget / (self.options.depth * graphs))))

    def visited(self, visit: Visit) -> Changes:
        # Cut as the pages are that it learns from.
        document = TermCounts.of(visit.page.terms, REMEMBERED_TERMS if self.world.model is None else None)
        scores, parts = scored(self._classifier, [document], self._other)
        if self.rescore_every:
            self._remembered.add(visit.id, document, is_target=visit.relevant)
        count = len(visit.targets)
        changes = Changes(visit.targets, np.full(count, scores[0]), np.tile(parts[0], (count, 1)))
        if self._beginning is not None:
            belongs = self._beginning.add(visit.picked, visit.id, document)
            self.apart += self.options.as_printed and belongs and visit.depth > 0  # seeds are crawled
            return changes
        if self.options.as_printed:
            changes = self._siblings.raised(visit, changes)
            targets = list(self._remembered.targets)
            if self._may_begin and self._begun < MOST_BEGINNINGS and len(targets) >= self.options.least_targets:
                changes.ask = self._begin(targets)
                return changes
        in_layer_0 = visit.relevant if self._classifier is None else parts[0, 0] == 0 and not visit.duplicate
        if self.options.parents and in_layer_0:
            changes.ask = (visit.id,)
        return changes

    def listed(self, visit: Visit) -> Changes:
        scores, parts = scored(self._classifier, [TermCounts.of(visit.page.terms)], self._other)
        count = len(visit.targets)
        return Changes(visit.targets, np.full(count, scores[0]), np.tile(parts[0], (count, 1)))

    def aliased(self, url: int, target: int) -> None:
        if self._beginning is not None:
            self._beginning.alias(url, target)

    def backlinks(self, url: int, ids: IntArray) -> Changes:
        """A parent of a page on topic belongs to layer 1 for certain; to begin with, whole layers are fetched like seeds."""
        if self._beginning is None:
            return Changes(ids, np.full(len(ids), CERTAIN - 1), np.tile((1.0, CERTAIN), (len(ids), 1)))
        fetch = self._beginning.answered(url, ids.tolist(), self.world.chance(f"context graph {url}"))
        self._recall(fetch)
        count = len(fetch)
        return Changes(
            np.array(fetch, np.int64),
            np.full(count, SEED_SCORE),
            np.zeros((count, len(self.parts))),
            ask=list(self._beginning.open) if fetch else (),
        )

    def choose(self, ready: Ready) -> int | None:
        """While a crawl begins, it fetches seeds and the pages of the graphs, and waits for these while there is what to wait for.

        There may be none: the rule of distinct hosts wants a page of another host first.
        """
        if self._beginning is None or (best := ready.best()) is None or ready.score(best) >= 0:
            return None
        is_held = ready.held_score is not None and ready.held_score >= 0
        return WAIT if is_held or self._beginning.is_under_way(self.world.urls) else None

    @property
    def _other(self) -> int:
        return int(self.options.depth) + 1

    def is_time_to_rescore(self, pages: int) -> bool:
        if self._beginning is not None:
            return self._beginning.is_over(self.world.urls)
        return super().is_time_to_rescore(pages)

    def rescore(self, waiting: Waiting) -> Callable[[], Rescoring] | None:
        """Learn from the pages that the crawl began with; later, from graphs of the links between pages that are remembered."""
        if self._beginning is not None:
            layers, documents = self._beginning.layers(), self._remembered.documents | self._beginning.documents
            if layers[0] and any(layers[1:]):
                edges = self.world.graph.edges()
                return partial(learn_beginning, self.options, layers, documents, edges, waiting, self._reference)
            self._end_beginning()  # nobody links to the seeds, as far as is known
            return None
        if len(self._remembered.targets) < self.options.least_targets:
            return None
        documents, targets = dict(self._remembered.documents), list(self._remembered.targets)
        chance = self.world.chance("context graph")
        edges = self.world.graph.edges()
        return partial(learn_layers, self.options, documents, targets, edges, waiting, chance, self._reference)

    def adopt(self, learned: LayerClassifier) -> None:
        self._classifier = learned
        if self._beginning is not None:
            self._has_learned, self._remembered = True, RememberedPages()
            self._end_beginning()

    def _end_beginning(self) -> None:
        self._beginning = None
        self._settle()

    def state(self) -> dict[str, Any]:
        own = None if self._classifier is self.world.model else self._classifier
        return {
            "beginning": {} if self._beginning is None else self._beginning.state(),
            "classifier": {} if own is None else own.state(),
            "has_learned": self._has_learned,
            "remembered": self._remembered.state(),
            "block": self._siblings.parent,
            "begun": [self._begun, self.apart],
        }

    def restore(self, state: Mapping[str, Any]) -> None:
        if state["beginning"]:
            self._beginning = Beginning.restored(state["beginning"])
        if state["classifier"]:
            self._classifier = LayerClassifier.restored(state["classifier"])
        self._has_learned = state["has_learned"]
        self._remembered.restore(state["remembered"])
        self._siblings.parent = state["block"]
        self._begun, self.apart = state["begun"]
        self._settle()
