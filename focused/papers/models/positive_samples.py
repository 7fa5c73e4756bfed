"""A page model that teaches itself: it compares pages with the topic and with the best of what was fetched so far.

    R(d) = cos(d, q + mean of the samples);  all of them unit vectors of weights tf · log(1 + N / df)

A *sample* is a page taken for relevant: examples to begin with, then what is distilled from each batch of pages.

Source: Ye, Li, Huang & Xu 2006, "Improved Focused Web Crawling Based on Incremental Q-Learning", section 3.1 (a TF·IDF model of
relevance, samples distilled from crawled pages); the combination of query and samples is that of Rocchio 1971.
"""

from __future__ import annotations

import math
from array import array
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.sparse import csr_array

from focused.crawl.arrays import FloatArray, IntArray
from focused.scorers.similarity import Query
from focused.scorers.vectors import HASHED, hashed

EXAMPLE = -1  #: instead of the id of a URL
TINY = 1e-9  #: a length that is 0 but for rounding
MOST_COUNT = 2**16 - 1  #: of one term in one document


class PositiveSamples:
    """The documents of a crawl, each reduced to its most frequent terms, and which of them are samples.

    Parameters
    ----------
    query : weight of each keyword
    examples : term lists of documents that are samples from the beginning
    most : terms kept of a document, the most frequent ones: 6 bytes each
    """

    def __init__(self, query: Query, examples: Sequence[Sequence[str]], most: int) -> None:
        self._query, self._most = query, most
        self._urls = array("i")  # by document
        self._ends = array("q", [0])  # by document: number of terms up to its end; the first is 0
        self._terms = array("i")
        self._counts = array("H")
        self.samples: list[int] = []  #: numbers of documents
        for example in examples:
            self.add(EXAMPLE, example, positive=True)
        self._judged = len(examples)

    def add(self, url: int, terms: Sequence[str], *, positive: bool = False) -> None:
        """Add the page of a URL."""
        frequent = Counter(terms).most_common(self._most)
        self._terms.extend(hashed([term for term, _ in frequent]).tolist())
        self._counts.extend(min(count, MOST_COUNT) for _, count in frequent)
        if positive:
            self.samples.append(len(self._urls))
        self._urls.append(url)
        self._ends.append(len(self._terms))

    def batch(self, share: float) -> Batch:
        """What has arrived since the batch before, as copies that another thread may judge; ``share``: see `Batch`."""
        logs = (self._urls, self._ends, self._terms, self._counts)
        urls, ends, terms, counts = (np.array(log, np.int64) for log in logs)
        first, self._judged = self._judged, len(self._urls)
        return Batch(urls, ends, terms, counts, tuple(self.samples), dict(self._query), first, share)

    def adopt(self, samples: Sequence[int]) -> None:
        """Take up the samples that a batch has led to, beside those that have come meanwhile."""
        self.samples = list(dict.fromkeys([*samples, *self.samples]))

    def snapshot(self) -> dict[str, Any]:
        return {
            "urls": np.array(self._urls, np.int32),
            "ends": np.array(self._ends, np.int64),
            "terms": np.array(self._terms, np.int32),
            "counts": np.array(self._counts, np.uint16),
            "samples": list(self.samples),
            "judged": self._judged,
        }

    def restore(self, state: Mapping[str, Any]) -> None:
        self._urls, self._terms = (array("i", state[name].tobytes()) for name in ("urls", "terms"))
        self._ends, self._counts = array("q", state["ends"].tobytes()), array("H", state["counts"].tobytes())
        self.samples, self._judged = list(state["samples"]), state["judged"]


@dataclass(slots=True, frozen=True)
class Batch:
    """All n documents at one moment, the latest of which are to be judged.

    Attributes
    ----------
    urls : (n,) ids, EXAMPLE for an example
    ends, terms, counts : document i has terms[ends[i]:ends[i + 1]], hashed, and how often each occurs
    samples : numbers of the documents that are samples
    query : weight of each keyword
    first : the batch begins with this document
    share : at most this share of the batch becomes samples
    """

    urls: IntArray
    ends: IntArray
    terms: IntArray
    counts: IntArray
    samples: tuple[int, ...]
    query: Query
    first: int
    share: float

    def judge(self) -> tuple[FloatArray, list[int]]:
        """Relevance (n,) in [0, 1] of all documents, and the samples with those distilled from the batch.

        A page is distilled if it is more relevant than the samples are on average (than 0 while there are none), and among
        the best of its batch. Each sample is compared with the others: a page that is compared with itself has no rival.
        """
        vectors, keywords = self._vectors()
        samples = vectors[list(self.samples)]
        mean = samples.sum(axis=0) / max(1, len(self.samples))
        relevance = cosines(vectors, keywords + mean)
        bar = self._relevance_of_samples(samples, keywords).mean() if self.samples else 0.0
        new = np.setdiff1d(np.arange(self.first, len(relevance)), self.samples)
        most = math.ceil(self.share * (len(relevance) - self.first))
        best = new[np.argsort(-relevance[new], kind="stable")[:most]]
        distilled = np.sort(best[relevance[best] > bar])
        return relevance, [*self.samples, *distilled.tolist()]

    def _vectors(self) -> tuple[csr_array, FloatArray]:
        """The documents (n, HASHED) and the keywords (HASHED,) as vectors of length 1, or 0 where they are empty."""
        count = len(self.urls)
        rarity = np.log(1.0 + count / np.maximum(np.bincount(self.terms, minlength=HASHED), 1))
        weights = np.asarray(self.counts * rarity[self.terms], np.float64)
        of = np.repeat(np.arange(count), np.diff(self.ends))
        weights /= np.sqrt(np.bincount(of, weights**2, count))[of]
        keywords = np.zeros(HASHED)
        np.add.at(keywords, hashed(list(self.query)), list(self.query.values()))
        keywords *= rarity
        keywords /= length(keywords) or 1.0
        return csr_array((weights, self.terms, self.ends), shape=(count, HASHED)), keywords

    def _relevance_of_samples(self, samples: csr_array, keywords: FloatArray) -> FloatArray:
        """(m,) relevance of each of m samples, at least one, as if it was none.

        With w = keywords + mean of the others + s / (m - 1), which is the same for all samples s, it is the cosine of s and
        w - s / (m - 1), so that no vector has to be made for each.
        """
        share = 1.0 / (len(self.samples) - 1) if len(self.samples) > 1 else 0.0
        wanted = keywords + share * samples.sum(axis=0)
        dots, squares = samples @ wanted, samples.power(2).sum(axis=1)
        lengths = np.sqrt(np.maximum(length(wanted) ** 2 - 2 * share * dots + share**2 * squares, 0.0))
        found = np.divide(dots - share * squares, lengths, out=np.zeros(len(dots)), where=lengths > TINY)
        return np.asarray(np.clip(found, 0.0, 1.0), np.float64)


def cosines(vectors: csr_array, wanted: FloatArray) -> FloatArray:
    """(n,) cosines of n vectors of length 1 (or 0) with another one, in [0, 1]."""
    # Rounding may lead slightly beyond 1.
    return np.asarray(np.minimum(vectors @ wanted / (length(wanted) or 1.0), 1.0), np.float64)


def length(vector: FloatArray) -> float:
    """Euclidean length; by no routine whose rounding depends on how many threads it may use."""
    return math.sqrt(float(np.square(vector).sum()))
