"""Layers of context graphs around the pages on topic, and what tells them apart: for context_graph."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from random import Random
from typing import Any

import numpy as np
from pydantic import Field

from focused.papers.strategies.context_graph.layer_classifier import (
    LayerClassifier,
    TermCounts,
    context_graph,
    distances,
    merged,
)
from focused.papers.training.examples import Examples, parts, require_documents, require_good_nodes, require_targets
from focused.papers.training.kind import Kind, KindOptions, ShowProgress

FEWEST = 10  #: pages in all, and pages on topic that links lead to
CHANCE = "layers"  #: what a large layer is drawn by: the same examples give the same model


class Layers(Kind):
    name = "layers"
    about = "how many links a page lies before a page on topic (strategy context_graph)"

    class Options(KindOptions):
        depth: int = Field(4, ge=1, le=10, description="layers beside that of the pages on topic")
        layer_pages: int = Field(
            300, ge=1, le=2000, description="pages of a layer of each graph; of more, these are drawn"
        )
        document_terms: int = Field(40, ge=1, le=200, description="terms of a page that its layer is told by")
        vocabulary: int = Field(1000, ge=1, le=100_000, description="terms of pages on topic that are looked at")
        as_printed: bool = Field(
            False, description="the likelihood of a page is the product over its terms, as in the paper"
        )

    def check(self, examples: Examples, folds: int) -> None:
        require_documents(examples, max(FEWEST, folds))
        require_good_nodes(examples)
        require_targets(examples, FEWEST)

    def fit(self, examples: Examples) -> LayerClassifier:
        return self._fit(_texts(examples), self._layers(examples), range(len(examples.documents)))

    def scores(self, examples: Examples, count: int, said: ShowProgress) -> Mapping[str, float]:
        """Measured on pages that were not learned from; their layers are those of the whole web."""
        from scipy.stats import spearmanr
        from sklearn.metrics import accuracy_score, roc_auc_score

        texts, layers = _texts(examples), self._layers(examples)
        truth = self._distances(examples)
        predicted, scores = np.zeros(len(texts), np.int64), np.zeros(len(texts))
        for number, (learned, tested) in enumerate(parts([str(layer) for layer in truth], count), start=1):
            said(f"cross-validation, part {number} of {count}")
            classifier = self._fit(texts, layers, learned)
            found, likelihoods = classifier.classify([texts[i] for i in tested])
            predicted[tested], scores[tested] = found, 1 / (1 - likelihoods) - found
        on_topic = truth == 0
        varied = len(set(truth)) > 1 and len(set(predicted.tolist())) > 1
        return {
            "accuracy": accuracy_score(truth, predicted),
            "rank correlation with distance": float(spearmanr(truth, predicted).statistic) if varied else 0.0,
            "ROC-AUC of pages on topic": roc_auc_score(on_topic, scores) if not on_topic.all() else 0.5,
        }

    def counts(self, model: Any) -> dict[str, int]:
        return {"terms": len(model.vocabulary), "layers": len(model.layers)}

    def _fit(self, texts: Sequence[TermCounts], layers: list[list[int]], learned: Collection[int]) -> LayerClassifier:
        chosen = sorted(learned)
        place = {position: number for number, position in enumerate(chosen)}
        options = self.options
        return LayerClassifier.fit(
            [[place[position] for position in layer if position in place] for layer in layers],
            [texts[position] for position in chosen],
            vocabulary_terms=options.vocabulary,
            kept=options.document_terms,
            as_printed=options.as_printed,
        )

    def _layers(self, examples: Examples) -> list[list[int]]:
        """The merged context graph: one graph for each page on topic; pages by their position."""
        chance, links, options = Random(CHANCE), _links(examples), self.options
        graphs = [
            context_graph([target], *links, depth=options.depth, most=options.layer_pages, chance=chance)
            for target in _targets(examples)
        ]
        return merged(graphs)

    def _distances(self, examples: Examples) -> np.ndarray[Any, np.dtype[np.int64]]:
        """(d,) links from each page to the nearest page on topic; ``depth`` + 1 for more."""
        size = len(examples.documents)
        return distances(_targets(examples), *_links(examples), pages=size, depth=self.options.depth)


def _texts(examples: Examples) -> list[TermCounts]:
    return [TermCounts.of(document.page.terms) for document in examples.documents]


def _targets(examples: Examples) -> list[int]:
    return [i for i, document in enumerate(examples.documents) if examples.is_good(document)]


def _links(examples: Examples) -> tuple[np.ndarray[Any, np.dtype[np.int64]], np.ndarray[Any, np.dtype[np.int64]]]:
    """Sources and ends (e,) of all links between the documents, by position."""
    position = {document.page.key: i for i, document in enumerate(examples.documents)}
    pairs = [
        (i, position[key])
        for i, document in enumerate(examples.documents)
        for key in dict.fromkeys(link.key for link in document.page.links)
        if key in position
    ]
    both = np.array(pairs, np.int64).reshape(-1, 2)
    return both[:, 0], both[:, 1]
