"""Texts as sparse vectors of unit length, all in flat arrays: cosines with a query, and sums, without a loop over texts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from focused.crawl.arrays import FloatArray, IntArray
from focused.relevance.vectors import HASHED


class UnitVectors:
    """n texts, one after another, as vectors over the m terms that any of them has.

    A text without terms is a vector of zeros, and brings term 0 in.

    Parameters
    ----------
    ids : of each text, the numbers of its distinct terms
    tf : of each text, the weights of these terms in it
    idf : gives the weights that terms have in any text
    more : numbers of terms that shall be among the m, though no text may have them

    Attributes
    ----------
    terms : (m,) their numbers, in order
    """

    def __init__(
        self,
        ids: Sequence[NDArray[np.integer[Any]]],
        tf: Sequence[NDArray[np.floating[Any]]],
        idf: Callable[[IntArray], FloatArray],
        more: IntArray,
    ) -> None:
        self._lengths = np.array(
            [max(1, len(one)) for one in ids], np.int64
        )  # an empty text has one term, of no weight
        self._ends = np.cumsum(self._lengths)
        self._starts = self._ends - self._lengths
        numbers = np.concatenate([one if len(one) else np.zeros(1, np.int32) for one in ids])
        place = np.bincount(numbers, minlength=HASHED)
        place[more] = 1
        self.terms: IntArray = place.nonzero()[0]
        place[self.terms] = np.arange(len(self.terms))
        self._places = place.take(numbers)  # of each term of a text among all that are there
        self._weights = np.concatenate([one if len(one) else np.zeros(1, np.float32) for one in tf])
        self._weights *= idf(self.terms).take(self._places)
        norms = np.sqrt(np.add.reduceat(self._weights * self._weights, self._starts))
        self._norms = np.where(norms > 0, norms, 1.0)  # by which weights are divided when they are added up

    def cosines(self, query: FloatArray) -> FloatArray:
        """(n,) products with a query (m,)."""
        products = query.take(self._places)
        products *= self._weights
        return np.asarray(np.add.reduceat(products, self._starts) / self._norms)

    def sum_of(self, texts: IntArray, shares: FloatArray | float = 1.0) -> FloatArray:
        """(m,) the sum of some of the vectors, each times its share."""
        if not len(texts):
            return np.zeros(len(self.terms))
        spans = [slice(start, end) for start, end in zip(self._starts[texts], self._ends[texts], strict=True)]
        places, weights = (np.concatenate([array[span] for span in spans]) for array in (self._places, self._weights))
        weights *= np.repeat(shares / self._norms[texts], self._lengths[texts])
        return np.asarray(np.bincount(places, weights, minlength=len(self.terms)), np.float64)
