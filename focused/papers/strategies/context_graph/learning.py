"""What is learned from a context graph while a crawl goes on: a classifier of layers, and what it says of the links that wait."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

import numpy as np

from focused.crawl.arrays import FloatArray, IntArray
from focused.crawl.strategy import Changes, Rescoring, Waiting
from focused.papers.strategies.context_graph.graph_layers import context_graph
from focused.papers.strategies.context_graph.layer_classifier import Document, LayerClassifier
from focused.papers.strategies.context_graph.remembered_pages import RememberedPages

SEED_SCORE = 1.0  #: as `Strategy.start` gives it; every link that was judged has less
CERTAIN = 1.0  #: likelihood of what is known; whatever is estimated has less


def scored(classifier: LayerClassifier | None, documents: list[Document], other: int) -> tuple[FloatArray, FloatArray]:
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
    documents: Mapping[int, Document],
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
    classifier: LayerClassifier, texts: list[Document], parents: IntArray, children: IntArray, waiting: Waiting
) -> Rescoring:
    """What a classifier says of the links that wait, by the documents that they stand on, and the classifier to adopt.

    parents, children : (e,) links: the place of a document in ``texts``, and the id of a URL
    """
    scores, parts = scored(classifier, texts, classifier.other)
    return Rescoring(_best_of_parents(waiting, parents, children, scores, parts), classifier)


def by_place(
    documents: Mapping[int, Document], edges: tuple[IntArray, IntArray], waiting: Waiting
) -> tuple[IntArray, IntArray, IntArray]:
    """The place of each id in the order of the documents, -1 for others; and of links of these documents (e,) the place of the
    source and the id of the end.
    """
    pages = np.fromiter(documents, np.int64, len(documents))
    place = np.full(1 + max(int(array.max(initial=-1)) for array in (*edges, waiting.ids, pages)), -1)
    place[pages] = np.arange(len(pages))
    known = place[edges[0]] >= 0
    return place, place[edges[0][known]], edges[1][known]


def _fit(options: Any, layers: list[list[int]], texts: list[Document]) -> LayerClassifier:
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
