"""The words that a crawl meets: a number for each, of a fixed range, and what they mean. Neither depends on what was met before."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import repeat

import numpy as np

from focused.crawl.strategy import FloatArray, IntArray
from focused.scoring.growing import grown
from focused.scoring.hashed_terms import HASHED, hashed
from focused.scoring.word_vectors import SIZE, Vectors, WordVectors

DIMENSIONS = HASHED  #: of arrays by number; a crawl of 100,000 different words puts few of the frequent ones together
MOST_KNOWN = 30_000  #: words remembered, about 14 MB with their meanings; then forgotten all at once
STEPS = 127  #: a component of a vector is kept as so many steps from 0 to the largest


class Vocabulary:
    """A table of words. Its rows hold until words are asked for again.

    Parameters
    ----------
    vectors : what words mean; without them, words mean nothing

    Attributes
    ----------
    numbers : (rows,) checksums, from 0 to `DIMENSIONS` - 1
    """

    def __init__(self, vectors: WordVectors | None = None) -> None:
        self.numbers: IntArray = np.zeros(0, np.int64)
        self._row_of: dict[str, int] = {}
        self._vectors = vectors
        size = SIZE if vectors else 0
        self._steps = np.zeros((0, size), np.int8)  # of the vector of each word
        self._scale = np.zeros(0, np.float32)  # that gives it unit length
        self._query: FloatArray = np.zeros(size)
        self._cosines = np.zeros(0, np.float32)  # with the query, NaN where it was not asked for

    def rows(self, words: Sequence[str]) -> IntArray:
        """(n,) the rows of n words, in order."""
        if len(self._row_of) > MOST_KNOWN:
            self._row_of.clear()
        rows = np.fromiter(map(self._row_of.get, words, repeat(-1)), np.int64, len(words))
        missing = np.flatnonzero(rows < 0)
        if len(missing):
            new = [words[place] for place in missing.tolist()]
            self._learn(list(dict.fromkeys(new)))
            rows[missing] = [self._row_of[word] for word in new]
        return rows

    def sum(self, rows: IntArray, weights: FloatArray) -> FloatArray:
        """(d,) the sum of the vectors of words, each times its weight."""
        shares = weights.astype(np.float32) * self._scale.take(rows)
        return np.asarray(np.einsum("nd,n->d", self._rows(rows), shares), np.float64)

    def cosines(self, rows: IntArray, query: FloatArray) -> Vectors:
        """(n,) of words with a query (d,) of unit length; those of the last query are remembered, by its identity."""
        if query is not self._query:
            self._query = query
            self._cosines[:] = np.nan
        unknown = rows[np.isnan(self._cosines.take(rows))]
        if len(unknown):
            dots = np.einsum("nd,d->n", self._rows(unknown), query.astype(np.float32))
            self._cosines[unknown] = dots * self._scale.take(unknown)
        return self._cosines.take(rows)

    def _rows(self, rows: IntArray) -> Vectors:
        return self._steps.take(rows, axis=0).astype(np.float32)

    def _learn(self, words: Sequence[str]) -> None:
        start = len(self._row_of)
        some = slice(start, start + len(words))
        self._row_of.update(zip(words, range(start, some.stop), strict=True))
        self.numbers, self._steps, self._scale, self._cosines = (
            grown(array, some.stop) for array in (self.numbers, self._steps, self._scale, self._cosines)
        )
        self.numbers[some] = hashed(words)
        self._cosines[some] = np.nan
        if self._vectors:
            vectors = self._vectors.of(words)
            largest = np.maximum(np.abs(vectors).max(axis=1, keepdims=True), 1e-9)
            self._steps[some] = steps = np.rint(vectors * (STEPS / largest))
            self._scale[some] = 1 / np.maximum(1.0, np.sqrt((steps * steps).sum(axis=1)))
