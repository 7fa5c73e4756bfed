"""`context_graph` with thresholds of layers learned while crawling, by what pages turned out to lead to.

Diligenti, Coetzee, Lawrence, Giles & Gori 2000, "Focused Crawling Using Context Graphs", section 5, leave open how thresholds are
best set: "A promising approach maintains a graph representation of the current crawl, which a separate on-line process uses to
quantify the effect of different queue thresholds." This answer is ours. It brought nothing, so it stays here; the figures stand in
lab/notes/notebook.md (`make context-graphs`, `make webkb-labelled`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from random import Random
from typing import Any

import numpy as np

from focused.crawl.arrays import FloatArray, IntArray
from focused.crawl.strategy import Rescoring, Waiting
from focused.strategies.context_graph.context_graph import ContextGraph
from focused.strategies.context_graph.layer_classifier import Document, LayerClassifier
from focused.strategies.context_graph.learning import by_place, fit_layers, rescoring_by
from focused.strategies.context_graph.remembered_pages import RememberedPages

FEWEST = 10  #: pages of a layer with fetched children, before its threshold is learned


def worths(targets: Sequence[int], sources: IntArray, ends: IntArray, pages: int) -> FloatArray:
    """(pages,) share of targets among the fetched pages that each page links to; NaN where it links to none.

    sources, ends : (e,) pages of each link between fetched pages, from 0 to ``pages`` - 1
    """
    is_target = np.zeros(pages)
    is_target[list(targets)] = 1
    children = np.bincount(sources, minlength=pages)
    found = np.bincount(sources, is_target[ends], minlength=pages)
    worth: FloatArray = np.full(pages, np.nan)
    np.divide(found, children, out=worth, where=children > 0)
    return worth


def learned_thresholds(classifier: LayerClassifier, documents: Sequence[Document], worth: FloatArray) -> FloatArray:
    """The threshold of each layer, (c,), by which the pages let in are worth most beyond the mean page.

        threshold of c = argmax over t of Σ (worth(p) - mean worth), over the pages p of layer c with likelihood >= t

    worth : (d,) of each document, NaN where it is not known
    A layer with few known pages keeps its threshold; one whose pages are all worth less than the mean lets in none.
    """
    winners, likelihoods = classifier.nearest(documents)
    thresholds = classifier.thresholds.copy()
    known = ~np.isnan(worth) & np.isfinite(likelihoods)
    mean = worth[known].mean() if known.any() else 0.0
    for column in range(len(thresholds)):
        inside = np.flatnonzero(known & (winners == column))
        if len(inside) < FEWEST:
            continue
        inside = inside[np.argsort(-likelihoods[inside], kind="stable")]
        gains = np.cumsum(worth[inside] - mean)
        best = int(np.argmax(gains))
        thresholds[column] = likelihoods[inside[best]] if gains[best] > 0 else np.inf
    return thresholds


def learn_thresholds(
    options: Any,
    base: LayerClassifier | None,
    remembered: RememberedPages,
    edges: tuple[IntArray, IntArray],
    waiting: Waiting,
    chance: Random,
) -> Rescoring:
    """As `learn_layers`, with thresholds learned; layers that were learned before stay as they are."""
    place, sources, ends = by_place(remembered.documents, edges, waiting)
    classifier = base or fit_layers(options, None, remembered, place, sources, ends, chance)
    between, texts = place[ends] >= 0, list(remembered.documents.values())
    worth = worths(place[list(remembered.targets)].tolist(), sources[between], place[ends[between]], len(texts))
    classifier = replace(classifier, thresholds=learned_thresholds(classifier, texts, worth))
    return rescoring_by(classifier, texts, sources, ends, waiting)


class LearnedThresholds(ContextGraph):
    """Let a page into a layer if such pages led to more targets than the mean page did."""

    name = "learned_thresholds"

    def _settle(self) -> None:
        super()._settle()
        self.rescore_every = self.options.refit_every

    def rescore(self, waiting: Waiting) -> Callable[[], Rescoring] | None:
        if self._beginning is not None or len(self._remembered.targets) < self.options.least_targets:
            return super().rescore(waiting)
        chance, edges = self.world.chance("context graph"), self.world.graph.edges()
        return partial(learn_thresholds, self.options, self._base, self._remembered.copy(), edges, waiting, chance)
