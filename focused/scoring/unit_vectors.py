"""Texts as sparse vectors of unit length, all in flat arrays: cosines with a query, and sums, without a loop over texts."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from focused.crawl.strategy import FloatArray, IntArray
from focused.scoring.term_ids import DIMENSIONS


class UnitVectors:
    """n texts, one after another; one without terms counts as a term of weight 0.

    Parameters
    ----------
    ids : of each text, the numbers of its distinct terms
    tf : of each text, the weights of these terms in it
    idf : gives the weights that terms have in any text
    """

    def __init__(
        self, ids: Sequence[IntArray], tf: Sequence[FloatArray], idf: Callable[[IntArray], FloatArray]
    ) -> None:
        no_id, no_weight = np.zeros(1, np.int64), np.zeros(1)
        self._lengths = np.array([max(1, len(one)) for one in ids], np.int64)
        self._ends = np.cumsum(self._lengths)
        self._starts = self._ends - self._lengths
        self._ids = np.concatenate([one if len(one) else no_id for one in ids])
        self._weights = np.concatenate([one if len(one) else no_weight for one in tf])
        self._weights *= idf(self._ids)
        norms = np.sqrt(np.add.reduceat(self._weights * self._weights, self._starts))
        self._weights /= np.repeat(np.where(norms > 0, norms, 1.0), self._lengths)

    def cosines(self, query: FloatArray) -> FloatArray:
        """(n,) products with a query (DIMENSIONS,)."""
        products = query[self._ids]
        products *= self._weights
        return np.asarray(np.add.reduceat(products, self._starts), np.float64)

    def sum_of(self, texts: IntArray, shares: FloatArray | float = 1.0) -> FloatArray:
        """(DIMENSIONS,) the sum of some of the vectors, each times its share."""
        if not len(texts):
            return np.zeros(DIMENSIONS)
        spans = [slice(start, end) for start, end in zip(self._starts[texts], self._ends[texts], strict=True)]
        ids, weights = (np.concatenate([array[span] for span in spans]) for array in (self._ids, self._weights))
        weights *= np.repeat(np.broadcast_to(shares, len(texts)), self._lengths[texts])
        return np.asarray(np.bincount(ids, weights, minlength=DIMENSIONS), np.float64)
