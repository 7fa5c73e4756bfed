"""BM25: term frequencies that saturate, weighed by how rare a term is and how long a text is.

Source: Almpanidis, Kotropoulos & Pitas 2007, "Combining text and link analysis for focused crawling", section 2.1.1, after
Robertson & Sparck Jones 1994, "Simple, Proven Approaches to Text Retrieval". Equation 3 as printed closes a parenthesis too
late: k1 would multiply TF too, and saturate nothing.
"""

from __future__ import annotations

import numpy as np

from focused.crawl.arrays import FloatArray, IntArray


def collection_frequency_weights(frequencies: IntArray, documents: int) -> FloatArray:
    """(t,) CFW: ln((n + 1) / (n_i + 0.5)), how rare each term is among n documents, n_i of which hold it; 0 where n_i = 0.

    Equation 1, log(n / n_i), with the usual smoothing: it stays above 0 for a term of all documents, which keywords easily are
    where documents were chosen for them.
    """
    return np.where(frequencies > 0, np.log((documents + 1) / (frequencies + 0.5)), 0.0)


def bm25(
    counts: IntArray, lengths: IntArray, weights: FloatArray, mean_length: float, *, k1: float = 2.0, b: float = 0.75
) -> FloatArray:
    """(p,) BM25 of p pages, not negative: the sum of the combined weights of t terms.

        CW(i, page) = CFW(i) · TF · (k1 + 1) / (k1 · ((1 - b) + b · NDL) + TF),  NDL = length / mean length

    Parameters
    ----------
    counts : (p, t) TF, how often each page holds each term
    lengths : (p,) terms of each page
    weights : (t,) CFW of each term
    mean_length : terms of a document of the collection, on average; 0 if it has none, then no length counts
    k1 : how late term frequencies saturate, from 0 (at once)
    b : how much the length of a page counts, from 0 to 1
    """
    relative = lengths / mean_length if mean_length else np.ones(len(lengths))
    normalised = k1 * ((1 - b) + b * relative)
    saturated = np.zeros(counts.shape)
    np.divide(counts * (k1 + 1), normalised[:, np.newaxis] + counts, out=saturated, where=counts > 0)
    return saturated @ weights
