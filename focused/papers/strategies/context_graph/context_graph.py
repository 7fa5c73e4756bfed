"""Context graph: a page is judged by how many links it probably lies before a target, and so are its links."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, ClassVar

import numpy as np
from pydantic import Field

from focused.crawl.arrays import IntArray
from focused.crawl.strategy import WAIT, Changes, Ready, Rescoring, Seeds, Strategy, StrategyOptions, Visit, Waiting
from focused.crawl.world import World
from focused.papers.strategies.context_graph.layer_classifier import LayerClassifier, TermCounts
from focused.papers.strategies.context_graph.learning import (
    CERTAIN,
    SEED_SCORE,
    Beginning,
    RememberedPages,
    learn_beginning,
    learn_layers,
    scored,
)

REMEMBERED_TERMS = 200  #: of a page, the most frequent
LAG = 10  #: picks in which a graph is built and learned from
BLOCK_SCORE = 2.0  #: of the other children of the page whose children are being fetched
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
    trained = "layers"
    model_class = LayerClassifier
    state_version = 4

    class Options(StrategyOptions):
        as_printed: bool = Field(False, description="crawl as the paper says")
        model: str = Field("", description="trained layers; none: the crawl learns them")
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
        self._remembered = RememberedPages()
        self._block = -1  # the page whose children are being fetched
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
            changes = self._with_block(visit, changes)
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

    def _with_block(self, visit: Visit, changes: Changes) -> Changes:
        """The first child of a page that arrives takes the others to the front."""
        parent = int(self.world.urls.source[visit.id])
        if parent < 0 or parent == self._block:
            return changes
        self._block = parent
        children = self.world.graph.targets(parent)
        parts = visit.parts or (0.0,) * len(self.parts)
        return Changes(
            np.concatenate((changes.ids, children)),
            np.concatenate((changes.scores, np.full(len(children), BLOCK_SCORE))),
            np.concatenate((changes.parts, np.tile(parts, (len(children), 1)))),
        )

    def is_time_to_rescore(self, pages: int) -> bool:
        if self._beginning is not None:
            return self._beginning.is_over(self.world.urls)
        return super().is_time_to_rescore(pages)

    def rescore(self, waiting: Waiting) -> Callable[[], Rescoring] | None:
        """Learn from the pages that the crawl began with; later, from graphs of the links between pages that are remembered."""
        if self._beginning is not None:
            layers, documents = self._beginning.layers(), self._remembered.documents | self._beginning.documents
            if layers[0] and any(layers[1:]):
                return partial(learn_beginning, self.options, layers, documents, self.world.graph.edges(), waiting)
            self._end_beginning()  # nobody links to the seeds, as far as is known
            return None
        if len(self._remembered.targets) < self.options.least_targets:
            return None
        chance, remembered = self.world.chance("context graph"), self._remembered.copy()
        return partial(learn_layers, self.options, remembered, self.world.graph.edges(), waiting, chance)

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
            "block": self._block,
            "begun": [self._begun, self.apart],
        }

    def restore(self, state: Mapping[str, Any]) -> None:
        if state["beginning"]:
            self._beginning = Beginning.restored(state["beginning"])
        if state["classifier"]:
            self._classifier = LayerClassifier.restored(state["classifier"])
        self._has_learned = state["has_learned"]
        self._remembered.restore(state["remembered"])
        self._block = state["block"]
        self._begun, self.apart = state["begun"]
        self._settle()
