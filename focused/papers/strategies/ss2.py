"""SS2: as SS1, but pages are judged by BM25, over documents that match the keywords best.

BM25: term frequencies that saturate, weighed by how rare a term is and how long a text is.

Source: Almpanidis, Kotropoulos & Pitas 2007, "Combining text and link analysis for focused crawling", section 2.1.1, after
Robertson & Sparck Jones 1994, "Simple, Proven Approaches to Text Retrieval". Equation 3 as printed closes a parenthesis too
late: k1 would multiply TF too, and saturate nothing.
"""

from __future__ import annotations

from collections import Counter
from typing import ClassVar

import numpy as np
from pydantic import Field

from focused.crawl.arrays import FloatArray, IntArray
from focused.crawl.strategy import StrategyOptions, Visit
from focused.crawl.world import World
from focused.papers.strategies.ss1 import Ss1, TermSpace


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


class Ss2(Ss1):
    """Order all that waits by the decayed relevance of all fetched pages that lead to it.

        score = parents + ancestors, as in ss1

    The relevance of a page is the BM25 of the keywords. How rare a keyword is and how long a document is on average is
    taken from a trained model (kind ``space``), or else from those pages fetched so far that are most similar to the keywords.

    Parts
        parents: what it inherits from the pages that link to it
        ancestors: what it inherits from grandparents and older ones

    Source: Almpanidis, Kotropoulos & Pitas 2007, "Combining text and link analysis for focused crawling", sections 2.1.1
    and 5.1.
    """

    name = "ss2"
    parts: ClassVar[tuple[str, ...]] = Ss1.parts

    class Options(Ss1.Options):
        k1: float = Field(2.0, ge=0, le=100, description="how late the count of a keyword saturates; 0: at once")
        b: float = Field(0.75, ge=0, le=1, description="how much the length of a page counts")
        documents: int = Field(
            100,
            ge=1,
            le=100_000,
            description="without a model: learn from this many pages that match the keywords best",
        )

    def __init__(self, options: StrategyOptions, world: World) -> None:
        super().__init__(options, world)
        self._counts = world.column("counts", np.int32, shape=(len(world.keywords),))  # of each keyword in a page
        self._lengths = world.column("length", np.int32)  # of a page, in terms

    def score(self, visit: Visit) -> tuple[FloatArray, FloatArray]:
        keywords, terms = self.world.keywords, visit.page.terms
        counts = Counter(filter(keywords.__contains__, terms))
        self._counts[visit.id] = [counts[keyword] for keyword in keywords]
        self._lengths[visit.id] = len(terms)
        return super().score(visit)

    def relevance(self, pages: IntArray) -> FloatArray:
        keywords, counts, lengths = self.world.keywords, self._counts[pages], self._lengths[pages]
        space = self.world.model or self._space_of_best_matches(super().relevance(pages), counts, lengths)
        frequencies = np.array([space.frequencies.get(keyword, 0) for keyword in keywords], np.int64)
        weights = collection_frequency_weights(frequencies, space.documents)
        return bm25(counts, lengths, weights, space.mean_length, k1=self.options.k1, b=self.options.b)

    def _space_of_best_matches(self, similarities: FloatArray, counts: IntArray, lengths: IntArray) -> TermSpace:
        """How keywords are spread over the pages most similar to them, of equal ones the first; none without a keyword."""
        best = np.argsort(-similarities, kind="stable")[: self.options.documents]
        best = best[similarities[best] > 0]
        frequencies = (counts[best] > 0).sum(axis=0).tolist()
        mean_length = float(lengths[best].mean()) if len(best) else 0.0
        return TermSpace(len(best), mean_length, dict(zip(self.world.keywords, frequencies, strict=True)))
