"""Context graph: a page is judged by how many links it probably lies before a target, and so are its links."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, ClassVar

import numpy as np
from pydantic import Field

from focused.crawl.arrays import IntArray
from focused.crawl.strategy import Changes, Rescoring, Strategy, StrategyOptions, Visit, Waiting
from focused.crawl.world import World
from focused.strategies.context_graph.layer_classifier import Document, LayerClassifier
from focused.strategies.context_graph.learning import CERTAIN, learn_layers, scored
from focused.strategies.context_graph.remembered_pages import RememberedPages

REMEMBERED_TERMS = 200  #: of a page, the most frequent
LAG = 10  #: picks in which a graph is built and learned from
BLOCK_SCORE = 2.0  #: of the other children of the page whose children are being fetched


class ContextGraph(Strategy):
    """Give the links of a page the layer of the context graph that the page belongs to, and its likelihood within the layer.

        score = likelihood - layer

    Parts
        layer: links that probably lead from the page to a target, 0 to ``depth``; ``depth`` + 1 for a page of no layer
        likelihood: 1 / (1 - m) in (0, 1], m = mean log P(t | layer) of the page's terms; 0 where nothing is known

    A layer is one queue, the likelihood the order in it. Layers come from a trained model, or are learned while the crawl
    goes on from the links that it has seen; until enough targets are found it is breadth-first.

    Source: Diligenti, Coetzee, Lawrence, Giles & Gori 2000, "Focused Crawling Using Context Graphs", sections 3.1 to 3.3 and 5.
    """

    name = "context_graph"
    parts: ClassVar[tuple[str, ...]] = ("layer", "likelihood")
    uses_graph = True
    trained = "layers"
    rescore_lag = LAG

    class Options(StrategyOptions):
        model: str = Field("", description="trained layers; none: the crawl learns them from the links it has seen")
        parents: bool = Field(
            False, description="ask the topic's [backlinks] who links to each page on topic, and fetch those pages"
        )
        block: bool = Field(False, description="fetch all children of a page before those of the next")
        depth: int = Field(4, ge=1, le=10, description="layers beside that of the targets")
        layer_pages: int = Field(300, ge=1, le=2000, description="pages of a layer that are learned from")
        document_terms: int = Field(40, ge=1, le=200, description="terms of a page that its layer is told by")
        vocabulary: int = Field(1000, ge=1, le=100_000, description="terms that are looked at")
        vocabulary_layers: int = Field(1, ge=1, le=2, description="they come from the targets (1), or layer 1 too (2)")
        least_targets: int = Field(10, ge=1, le=2000, description="relevant pages before the first graph is built")
        refit_every: int = Field(100, ge=1, le=100_000, description="pages until the graph is built anew")

    def __init__(self, options: StrategyOptions, world: World) -> None:
        super().__init__(options, world)
        self._classifier: LayerClassifier | None = world.model
        self._learns = world.model is None
        self.rescore_every = self.options.refit_every if self._learns else 0
        self._remembered = RememberedPages()
        self._block = -1  # the page whose children are being fetched

    def visited(self, visit: Visit) -> Changes:
        document = Document.of(visit.page.terms, REMEMBERED_TERMS if self._learns else None)
        if self._learns:
            self._remembered.add(visit.id, document, is_target=visit.relevant)
        scores, parts = scored(self._classifier, [document], self._other)
        count = len(visit.targets)
        changes = Changes(visit.targets, np.full(count, scores[0]), np.tile(parts[0], (count, 1)))
        if self.options.block:
            changes = self._with_block(visit, changes)
        if self.options.parents and self._is_target(visit, int(parts[0, 0])):
            changes.ask = (visit.id,)
        return changes

    def backlinks(self, url: int, ids: IntArray) -> Changes:
        """A parent of a page on topic belongs to layer 1 for certain."""
        count = len(ids)
        return Changes(ids, np.full(count, CERTAIN - 1), np.tile((1.0, CERTAIN), (count, 1)))

    def _is_target(self, visit: Visit, layer: int) -> bool:
        """Layer 0 decides; before anything is learned, the page model of the topic does."""
        return visit.relevant if self._classifier is None else layer == 0 and not visit.duplicate

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

    def rescore(self, waiting: Waiting) -> Callable[[], Rescoring] | None:
        """Build the graph anew from the links between pages that are remembered, and judge them all again."""
        if len(self._remembered.targets) < self.options.least_targets:
            return None
        chance = self.world.chance("context graph")
        return partial(learn_layers, self.options, self._remembered.copy(), self.world.graph.edges(), waiting, chance)

    def adopt(self, learned: LayerClassifier) -> None:
        self._classifier = learned

    def state(self) -> dict[str, Any]:
        return {
            "remembered": self._remembered.state(),
            "classifier": self._classifier.state() if self._classifier is not None and self._learns else {},
            "block": self._block,
        }

    def restore(self, state: Mapping[str, Any]) -> None:
        self._remembered.restore(state["remembered"])
        if state["classifier"]:
            self._classifier = LayerClassifier.restored(state["classifier"])
        self._block = state["block"]
