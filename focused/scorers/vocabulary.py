"""The words that a crawl meets: a number for each, of a fixed range, and what they mean. Neither depends on what was met before."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from itertools import count, islice

import numpy as np
from numpy.typing import NDArray

from focused.crawl.arrays import FloatArray, IntArray
from focused.crawl.columns import Column, Columns
from focused.relevance.vectors import hashed
from focused.scorers.word_vectors import SIZE, Vectors, WordVectors

MOST_KNOWN = 30_000  #: words remembered from page to page, about 14 MB with their meanings; then forgotten all at once
AT_ONCE = 4096  #: words whose vectors are made together, to take little memory
STEPS = 127  #: steps from 0 to the largest in which a component of a vector is kept


class Vocabulary:
    """A table of words. Its rows hold until words are asked for again.

    Parameters
    ----------
    vectors : what words mean; without them, words mean nothing
    keywords : words that others may be near to

    Attributes
    ----------
    numbers : (rows or more,) checksums of words, from 0 to `hashed_terms.HASHED` - 1
    """

    def __init__(self, vectors: WordVectors | None = None, keywords: Sequence[str] = ()) -> None:
        self._vectors = vectors
        self._query: FloatArray | None = None
        of_keywords = vectors.of(keywords) if vectors else np.zeros((0, 0), np.float32)
        self._keywords = of_keywords / np.maximum(1e-9, np.linalg.norm(of_keywords, axis=1, keepdims=True))
        self._forget()

    def rows(self, words: Sequence[str]) -> IntArray:
        """(n,) the rows of n words, in order."""
        if len(self._row_of) > MOST_KNOWN:
            self._forget()
        rows = np.fromiter(map(self._row_of.__getitem__, words), np.int64, len(words))
        if new := len(self._row_of) - len(self._words):
            self._add([*islice(reversed(self._row_of), new)][::-1])
        return rows

    def sum(self, rows: IntArray, weights: FloatArray) -> FloatArray:
        """(d,) the sum of the vectors of words, each times its weight."""
        self._learn(rows)
        shares = weights.astype(np.float32) * self._scale.take(rows)
        return np.asarray(np.einsum("nd,n->d", self._steps_of(rows), shares), np.float64)

    def cosines(self, rows: IntArray, query: FloatArray) -> NDArray[np.float32]:
        """(n,) of words with a query (d,) of unit length; those of the last query are remembered, by its identity."""
        if query is not self._query:
            self._query = query
            self._cosines[:] = np.nan
        return self._known(self._cosines, rows, lambda steps: np.einsum("nd,d->n", steps, query.astype(np.float32)))

    def nearest(self, rows: IntArray) -> NDArray[np.float32]:
        """(n,) the cosine of each word with the nearest keyword; zeros where words mean nothing."""
        if not len(self._keywords):
            return np.zeros(len(rows), np.float32)
        return self._known(self._nearest, rows, lambda steps: np.einsum("nd,kd->nk", steps, self._keywords).max(axis=1))

    def _known(self, column: Column, rows: IntArray, products: Callable[[Vectors], Vectors]) -> NDArray[np.float32]:
        """(n,) cosines of words, from where they are remembered; ``products`` gives those of the others with their vectors."""
        unknown = np.unique(rows[np.isnan(column.take(rows))])  # a page may repeat one word without end
        if len(unknown):
            self._learn(unknown)
            column[unknown] = products(self._steps_of(unknown)) * self._scale.take(unknown)
        return column.take(rows)

    def _steps_of(self, rows: IntArray) -> Vectors:
        return self._steps.take(rows).astype(np.float32)

    def _forget(self) -> None:
        self._row_of = defaultdict[str, int](count().__next__)  # a word that is looked up has a row from then on
        self._words: list[str] = []
        self._columns = Columns()  # by word
        self.numbers = self._columns.add("numbers", np.int64)
        self._steps = self._columns.add("steps", np.int8, shape=(SIZE if self._vectors else 0,))  # of its vector
        self._scale = self._columns.add("scale", np.float32, np.nan)  # that gives it unit length; NaN: never asked for
        self._cosines = self._columns.add("cosines", np.float32, np.nan)  # with the query; NaN: not asked for
        self._nearest = self._columns.add("nearest", np.float32, np.nan)  # cosine with the nearest keyword; the same

    def _add(self, words: Sequence[str]) -> None:
        some = slice(len(self._words), len(self._words) + len(words))
        self._words += words
        self._columns.reach(some.stop)
        self.numbers[some] = hashed(words)

    def _learn(self, rows: IntArray) -> None:
        """Make the vectors of those words that have none as yet: few words of a long page are asked for."""
        unknown = np.unique(rows[np.isnan(self._scale.take(rows))])
        for start in range(0, len(unknown), AT_ONCE):
            some = unknown[start : start + AT_ONCE]
            if self._vectors is None:
                self._scale[some] = 1.0
                continue
            vectors = self._vectors.of([self._words[row] for row in some.tolist()])
            largest = np.maximum(np.abs(vectors).max(axis=1, keepdims=True), 1e-9)
            self._steps[some] = steps = np.rint(vectors * (STEPS / largest))
            self._scale[some] = 1 / np.maximum(1.0, np.sqrt((steps * steps).sum(axis=1)))
