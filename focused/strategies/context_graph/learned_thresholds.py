"""Thresholds of layers by what pages turned out to lead to: an answer of ours to the question that the paper leaves open.

Source: ours, after Diligenti, Coetzee, Lawrence, Giles & Gori 2000, "Focused Crawling Using Context Graphs", section 5: "a graph
representation of the current crawl, which a separate on-line process uses to quantify the effect of different queue thresholds".
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from focused.crawl.arrays import FloatArray, IntArray
from focused.strategies.context_graph.layer_classifier import Document, LayerClassifier

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
