"""A page model that learns while the crawl goes on: keywords, then seeds that look like the topic, then the best pages so far.

It answers how relevant a page is, and lends its weights of terms to the scoring of links. No label is needed; examples help.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from focused.crawl.strategy import FloatArray, IntArray
from focused.scoring.term_ids import DIMENSIONS, TermIds
from focused.scoring.unit_vectors import UnitVectors

WARM_UP = 30  #: pages after which ranks among them mean something
BEST, SAMPLE = 120, 360  #: pages remembered: the most relevant, and a uniform sample of all
TERMS = 200  #: terms taken over from relevant pages
NEGATIVE = 0.5  #: weight of the average page, which is taken away (Rocchio 1971)
MOST_SEEDS = 100  #: that are remembered as such, the first ones
TRUSTED = 0.7  #: a seed is trusted if it ranks above so large a share of the pages by the keywords alone
LOW, TOP = 0.25, 0.98  #: quantiles of the raw scores that count as not relevant at all, and as fully relevant
BM25_WEIGHT = 0.5  #: beside the cosine; the less, the more examples there are
EXAMPLES_FOR_HALF = 2  #: examples that halve it
SAID_WEIGHT = 2.0  #: of what a trained model says, beside the cosine
K1, B = 1.2, 0.75  #: of BM25 (Robertson & Zaragoza 2009)


@dataclass(slots=True)
class Document:
    """A page as the model keeps it: distinct terms as numbers, with 1 + ln tf."""

    number: int  #: so many pages came before it
    ids: IntArray
    weights: FloatArray
    bm25: float  #: of the keywords, when it was fetched
    said: float  #: by a trained model; 0 without one
    is_seed: bool
    draw: int  #: decides, as if drawn at random, whether it stays in the sample


class TopicModel:
    """Relevance of pages to a topic, in [0, 1].

        raw = cos(q', page) + b · BM25 / its 98 % quantile + 2 · what a trained model says,  b = 0.5 / (1 + examples / 2)
        relevance = (raw - low) / (top - low) in [0, 1], low and top its 25 % and 98 % quantiles over all pages
        q' = keywords + trusted seeds and examples + feedback

    Vectors are (1 + ln tf) · ln((N + 1) / (df + 0.5)) of unit length, df counted over the pages fetched. A seed is trusted as
    far as it ranks above 70 % of all pages by the keywords; trusted seeds together weigh as much as the keywords, and so does
    each single example. Feedback is Rocchio's: the mean of the most relevant pages
    minus half the mean of the sample, its 200 heaviest terms. It is refitted every `every` pages.

    Parameters
    ----------
    keywords : stems with counts
    examples : term lists of pages known to be relevant
    top : pages that count as relevant for the feedback, an eighth of all at most
    every : pages between two fits
    """

    def __init__(
        self, keywords: Mapping[str, int], examples: Sequence[Sequence[str]] = (), *, top: int = 30, every: int = 50
    ) -> None:
        self.top, self.every = top, every
        self.term_ids = TermIds()
        self.keywords = np.unique(self.term_ids.of(list(keywords)))
        self.is_keyword = np.zeros(DIMENSIONS, bool)
        self.is_keyword[self.keywords] = True
        self.weights: FloatArray = np.zeros(DIMENSIONS)  #: q', of unit length
        self.pages = 0
        self._df = np.zeros(DIMENSIONS, np.float32)
        self._length = 0  # terms of all pages
        self._kept: list[Document] = []
        self._examples = [self._document(list(terms), 0, is_seed=False) for terms in examples]
        self._bm25_weight = BM25_WEIGHT / (1 + len(examples) / EXAMPLES_FOR_HALF)
        self._bm25_top = self._raw_top = 1e-6
        self._raw_low = 0.0

    def idf(self, ids: IntArray) -> FloatArray:
        """(n,) inverse document frequencies, from the pages fetched so far."""
        return np.log((self.pages + 1) / (self._df[ids].astype(np.float64) + 0.5))

    def learn(self, terms: Sequence[str], *, is_seed: bool, said: float = 0.0) -> tuple[IntArray, float]:
        """Take in a page, and what a trained model says of it; return its terms as numbers, in order, and its relevance."""
        tokens = self.term_ids.of(terms)
        self.pages += 1
        self._length += len(tokens)
        is_seed = is_seed and sum(document.is_seed for document in self._kept) < MOST_SEEDS
        document = self._document(tokens, self.pages, is_seed=is_seed)
        self._df[document.ids] += 1
        document.bm25, document.said = self._bm25(tokens), said
        self._kept.append(document)
        if self.pages <= 5 or self.pages % self.every == 0:
            self.fit()
        raw = float(self._raw([document], self._cosine(document))[0])
        low = self._raw_low * min(1.0, self.pages / WARM_UP)  # of few pages, hardly any is known to be irrelevant
        return tokens, min(1.0, max(0.0, (raw - low) / max(1e-6, self._raw_top - low)))

    def fit(self) -> None:
        """Make q' anew from what is remembered, and forget what no longer counts."""
        documents, some = self._kept, [*self._kept, *self._examples]
        vectors = UnitVectors([one.ids for one in some], [one.weights for one in some], self.idf, self.keywords)
        self._bm25_top = max(1e-6, float(np.quantile([document.bm25 for document in documents], TOP)))
        sample = np.argsort([document.draw for document in documents], kind="stable")[:SAMPLE]  # uniform, of all so far

        def raw_by(query: FloatArray) -> FloatArray:
            return self._raw(documents, vectors.cosines(query)[: len(documents)])

        query = np.zeros(len(vectors.terms))
        query[np.searchsorted(vectors.terms, self.keywords)] = self.idf(self.keywords)
        query = unit(query)
        query += self._trusted(vectors, raw_by(query), sample)
        if self.pages >= WARM_UP:
            query += self._feedback(vectors, raw_by(unit(query)), sample)
        query = unit(query)
        raw = raw_by(query)
        self.weights[:] = 0.0
        self.weights[vectors.terms] = query
        self._raw_top = max(1e-6, float(np.quantile(raw[sample], TOP)))
        self._raw_low = float(np.quantile(raw[sample], LOW))
        kept = {*ranked(raw)[:BEST].tolist(), *sample.tolist()}
        self._kept = [document for row, document in enumerate(documents) if row in kept or document.is_seed]

    def state(self) -> dict[str, Any]:
        """All that decides later answers; arrays and plain values."""
        ends = np.cumsum([len(document.ids) for document in self._kept])
        used = np.flatnonzero(self._df)
        return {
            "df_ids": used,
            "df": self._df[used],
            "weights_ids": np.flatnonzero(self.weights),
            "weights": self.weights[self.weights != 0],
            "numbers": [self.pages, self._length],
            "quantiles": [self._bm25_top, self._raw_low, self._raw_top],
            "ends": ends.astype(np.int64),
            "ids": np.concatenate([document.ids for document in self._kept]) if self._kept else np.empty(0, np.int64),
            "tf": np.concatenate([document.weights for document in self._kept]) if self._kept else np.empty(0),
            "kept": np.array([(d.number, d.is_seed, d.draw) for d in self._kept], np.int64).reshape(-1, 3),
            "bm25": np.array([(document.bm25, document.said) for document in self._kept]).reshape(-1, 2),
        }

    def restore(self, state: Mapping[str, Any]) -> None:
        """Take up what `state` gave."""
        self._df[state["df_ids"]] = state["df"]
        self.weights[state["weights_ids"]] = state["weights"]
        self.pages, self._length = state["numbers"]
        self._bm25_top, self._raw_low, self._raw_top = state["quantiles"]
        bounds = [0, *state["ends"].tolist()]
        self._kept = [
            Document(number, state["ids"][start:end], state["tf"][start:end], bm25, said, bool(is_seed), draw)
            for (number, is_seed, draw), (bm25, said), start, end in zip(
                state["kept"].tolist(), state["bm25"].tolist(), bounds, bounds[1:], strict=False
            )
        ]

    def _document(self, terms: Sequence[str] | IntArray, number: int, *, is_seed: bool) -> Document:
        tokens = terms if isinstance(terms, np.ndarray) else self.term_ids.of(terms)
        ids, counts = np.unique(tokens, return_counts=True)
        draw = (number * 2654435761 + 97) % (
            1 << 32
        )  # Knuth's multiplicative hash: spread evenly, and the same each time
        return Document(number, ids, 1.0 + np.log(counts), 0.0, 0.0, is_seed, draw)

    def _bm25(self, tokens: IntArray) -> float:
        tf = np.bincount(np.searchsorted(self.keywords, tokens[self.is_keyword[tokens]]), minlength=len(self.keywords))
        relative_length = len(tokens) * self.pages / max(1, self._length)
        saturated = tf * (K1 + 1) / (tf + K1 * (1 - B + B * relative_length))
        return float((np.maximum(0.0, self.idf(self.keywords)) * saturated).sum())

    def _cosine(self, document: Document) -> FloatArray:
        """(1,) of a page and q'."""
        weights = document.weights * self.idf(document.ids)
        return np.array([(unit(weights) * self.weights[document.ids]).sum()])

    def _raw(self, documents: Sequence[Document], cosines: FloatArray) -> FloatArray:
        """(n,) raw relevance of documents, given their cosines with a query."""
        bm25 = np.array([document.bm25 for document in documents]) / self._bm25_top
        said = np.array([document.said for document in documents])
        return cosines + self._bm25_weight * bm25 + SAID_WEIGHT * said

    def _feedback(self, vectors: UnitVectors, raw: FloatArray, sample: IntArray) -> FloatArray:
        """The direction from the average page to the most relevant ones."""
        best = ranked(raw)[: min(self.top, max(3, self.pages // 8))]
        rest = sample[~np.isin(sample, best)]
        difference = unit(vectors.sum_of(best)) - NEGATIVE * unit(vectors.sum_of(rest))
        of_all = np.zeros(DIMENSIONS)  # terms that no page has outweigh those of the average page
        of_all[vectors.terms] = difference
        is_heavy = np.zeros(DIMENSIONS, bool)
        is_heavy[np.argpartition(-of_all, TERMS)[:TERMS]] = True
        return unit(np.where(is_heavy[vectors.terms], difference, 0.0))

    def _trusted(self, vectors: UnitVectors, raw: FloatArray, sample: IntArray) -> FloatArray:
        """The direction of seeds and examples, as long as they are trusted; ``raw`` by the keywords alone."""
        ranks = np.searchsorted(np.sort(raw[sample]), raw) / len(sample)
        trust = (
            np.clip((ranks - TRUSTED) / (1 - TRUSTED), 0.0, 1.0) if self.pages >= WARM_UP else 0.5 * np.clip(raw, 0, 1)
        )
        direction = vectors.sum_of(len(self._kept) + np.arange(len(self._examples)))
        rows = np.flatnonzero([document.is_seed for document in self._kept])
        shares = trust[rows]
        if total := sum(shares.tolist()):
            direction += unit(vectors.sum_of(rows, shares)) * min(1.0, 2 * total / len(rows))
        return direction


def ranked(raw: FloatArray) -> IntArray:
    """Rows, the best first; of equal ones the first."""
    return np.argsort(-raw, kind="stable")


def unit(vector: FloatArray) -> FloatArray:
    """The vector with length 1; one of length 0 stays."""
    length = float(np.sqrt((vector * vector).sum()))  # not by BLAS: its threads take longer than the sum
    return vector / length if length else vector
