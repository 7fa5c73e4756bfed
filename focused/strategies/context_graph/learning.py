"""What is learned from a context graph while a crawl goes on: a classifier of layers, and what it says of the links that wait."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np

from focused.crawl.arrays import FloatArray, IntArray
from focused.crawl.strategy import Changes, Rescoring, Waiting
from focused.strategies.context_graph.graph_layers import context_graph
from focused.strategies.context_graph.layer_classifier import Document, LayerClassifier
from focused.strategies.context_graph.remembered_pages import RememberedPages

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


def learn_layers(
    options: Any,
    remembered: RememberedPages,
    edges: tuple[IntArray, IntArray],
    waiting: Waiting,
    chance: Random,
) -> Rescoring:
    """A classifier of the layers around the targets, and what it says of the links that wait."""
    documents = remembered.documents
    pages = np.fromiter(documents, np.int64, len(documents))
    place = np.full(1 + max(int(array.max(initial=-1)) for array in (*edges, waiting.ids, pages)), -1)
    place[pages] = np.arange(len(pages))
    from_known = place[edges[0]] >= 0
    sources, ends = place[edges[0][from_known]], edges[1][from_known]
    between = place[ends] >= 0
    links = sources[between], place[ends[between]]
    layers = context_graph(
        place[list(remembered.targets)].tolist(), *links, depth=options.depth, most=options.layer_pages, chance=chance
    )
    texts = list(documents.values())
    classifier = LayerClassifier.fit(
        layers,
        texts,
        vocabulary_layers=options.vocabulary_layers,
        vocabulary_terms=options.vocabulary,
        kept=options.document_terms,
    )
    scores, parts = scored(classifier, texts, classifier.other)
    return Rescoring(_best_of_parents(waiting, sources, ends, scores, parts), classifier)


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
