"""Page models to compare with that of `adaptive`: keywords alone, a centroid of seeds, and logistic regression without negatives.

Each sees what TopicModel sees, page by page: keywords, examples, which pages are seeds, and the text of all pages so far. Vectors
are (1 + ln tf) · ln((N + 1) / (df + 0.5)) of unit length as there, df counted over the pages so far.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, Protocol

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_predict

from focused.crawl.arrays import FloatArray, IntArray
from focused.reading.page import Page
from focused.scoring.bm25 import bm25, collection_frequency_weights
from focused.scoring.hashed_terms import HASHED, hashed
from focused.strategies.adaptive.topic_model import BM25_WEIGHT, K1, LOW, TOP, WARM_UP, B, TopicModel
from focused.strategies.adaptive.word_vectors import WordVectors

EVERY = 50  #: pages between two fits; TopicModel is fitted more often at first
MOST_POSITIVE = 30  #: pages that count as relevant by the keywords, an eighth of all at most: as in TopicModel
SHARE_POSITIVE = 8
FEWEST_POSITIVE = 3  #: without so many there is nothing to learn, and no fold to hold out
FOLDS = 3  #: in which positives are held out, for the constant of Elkan and Noto
INVERSE_REGULARISATION = 10.0  #: scikit-learn's C; its default of 1 hardly moves on vectors of unit length


class PageModel(Protocol):
    """Says how relevant a page is, in [0, 1], when it has arrived, and learns from it: nothing that comes later is known."""

    def learn(self, page: Page, *, is_seed: bool) -> float: ...


#: Makes a model from keywords and examples.
MakesPageModel = Callable[[Mapping[str, int], Sequence[Sequence[str]]], PageModel]


@dataclass(frozen=True, slots=True)
class Document:
    """A page: its distinct terms as numbers, ascending, how often each is in it, and whether it is a seed."""

    ids: IntArray
    counts: IntArray
    is_seed: bool


class Texts:
    """The pages so far as vectors."""

    def __init__(self, keywords: Mapping[str, int]) -> None:
        self.keywords = np.unique(hashed(list(keywords))).astype(np.int64)
        self.documents: list[Document] = []
        self.terms = 0  #: of all pages
        self.df = np.zeros(HASHED, np.int64)

    def document(self, terms: Sequence[str], *, is_seed: bool = False) -> Document:
        ids, counts = np.unique(hashed(terms), return_counts=True)
        return Document(ids.astype(np.int64), counts.astype(np.int64), is_seed)

    def add(self, page: Page, *, is_seed: bool) -> Document:
        found = self.document(page.terms, is_seed=is_seed)
        self.documents.append(found)
        self.terms += len(page.terms)
        self.df[found.ids] += 1
        return found

    def idf(self, ids: IntArray) -> FloatArray:
        return np.log((len(self.documents) + 1) / (self.df[ids] + 0.5))

    def vector(self, document: Document) -> FloatArray:
        """(distinct terms,) of unit length; zeros for an empty page."""
        return unit((1 + np.log(document.counts)) * self.idf(document.ids))

    def sum_of(self, documents: Sequence[Document]) -> FloatArray:
        """(HASHED,) the sum of their vectors."""
        total = np.zeros(HASHED)
        for document in documents:
            total[document.ids] += self.vector(document)
        return total

    def query(self) -> FloatArray:
        """(HASHED,) the keywords, each weighed by its idf, of unit length."""
        query = np.zeros(HASHED)
        query[self.keywords] = unit(self.idf(self.keywords))
        return query

    def cosine(self, query: FloatArray, document: Document) -> float:
        return float(self.vector(document) @ query[document.ids])

    def bm25(self, document: Document) -> float:
        """BM25 of the keywords."""
        places = np.minimum(np.searchsorted(document.ids, self.keywords), max(0, len(document.ids) - 1))
        counts = np.zeros(len(self.keywords), np.int64)
        if len(document.ids):
            counts = np.where(document.ids[places] == self.keywords, document.counts[places], 0)
        length = np.array([document.counts.sum()])
        weights = collection_frequency_weights(self.df[self.keywords], len(self.documents))
        return float(bm25(counts[None], length, weights, self.terms / len(self.documents), k1=K1, b=B)[0])


class Scale:
    """Puts scores of any range into [0, 1] as TopicModel does: (raw - low) / (top - low), its quantiles over all so far."""

    def __init__(self) -> None:
        self._raw: list[float] = []

    def of(self, raw: float) -> float:
        self._raw.append(raw)
        low, top = np.quantile(self._raw, (LOW, TOP))
        return float(min(1.0, max(0.0, (raw - low) / max(1e-6, top - low))))


class Cosine:
    """Cosine of page and keywords."""

    def __init__(self, keywords: Mapping[str, int], examples: Sequence[Sequence[str]]) -> None:
        self._texts, self._scale = Texts(keywords), Scale()

    def learn(self, page: Page, *, is_seed: bool) -> float:
        document = self._texts.add(page, is_seed=is_seed)
        return self._scale.of(self._texts.cosine(self._texts.query(), document))


class BM25:
    """BM25 of the keywords (Robertson & Zaragoza 2009)."""

    def __init__(self, keywords: Mapping[str, int], examples: Sequence[Sequence[str]]) -> None:
        self._texts, self._scale = Texts(keywords), Scale()

    def learn(self, page: Page, *, is_seed: bool) -> float:
        return self._scale.of(self._texts.bm25(self._texts.add(page, is_seed=is_seed)))


class Centroid:
    """Cosine of page and centroid: keywords, the seeds fetched so far and the examples, each of unit length (Rocchio 1971)."""

    def __init__(self, keywords: Mapping[str, int], examples: Sequence[Sequence[str]]) -> None:
        self._texts, self._scale = Texts(keywords), Scale()
        self._centroid = np.zeros(HASHED)
        self._known = [self._texts.document(terms) for terms in examples]

    def learn(self, page: Page, *, is_seed: bool) -> float:
        texts = self._texts
        document = texts.add(page, is_seed=is_seed)
        if is_seed:
            self._known.append(document)
        if is_seed or len(texts.documents) == 1 or len(texts.documents) % EVERY == 0:
            self._centroid = unit(texts.query() + texts.sum_of(self._known))
        return self._scale.of(texts.cosine(self._centroid, document))


class PositiveUnlabelled:
    """Logistic regression from positive and unlabelled pages, calibrated: P(relevant | page) = P(labelled | page) / c.

    Positives are the seeds, the examples, and the pages nearest to the keywords (cosine plus half a BM25); all others so far are
    unlabelled. c is the mean of P(labelled | page) over held-out positives. Before the first fit it answers as `Cosine`.

    Source: Elkan & Noto 2008, "Learning classifiers from only positive and unlabeled data", section 2, estimator e1. It assumes
    that positives are labelled at random, which those nearest to the keywords are not.
    """

    def __init__(self, keywords: Mapping[str, int], examples: Sequence[Sequence[str]]) -> None:
        self._texts, self._scale = Texts(keywords), Scale()
        self._examples = [self._texts.document(terms) for terms in examples]
        self._weights: FloatArray | None = None  # none before the first fit
        self._bias, self._labelled_share = 0.0, 1.0

    def learn(self, page: Page, *, is_seed: bool) -> float:
        texts = self._texts
        document = texts.add(page, is_seed=is_seed)
        if len(texts.documents) >= WARM_UP and (len(texts.documents) % EVERY == 0 or self._weights is None):
            self._fit()
        scaled = self._scale.of(texts.cosine(texts.query(), document))
        if self._weights is None:
            return scaled
        logit = float(texts.vector(document) @ self._weights[document.ids]) + self._bias
        return float(min(1.0, 1 / (1 + np.exp(-logit)) / self._labelled_share))

    def _fit(self) -> None:
        documents = [*self._examples, *self._texts.documents]
        positive = self._positive()
        if positive.sum() < FEWEST_POSITIVE or positive.all():
            return
        at, columns = np.unique(np.concatenate([document.ids for document in documents]), return_inverse=True)
        ends = np.cumsum([0, *(len(document.ids) for document in documents)])
        vectors = np.concatenate([self._texts.vector(document) for document in documents])
        matrix = csr_array((vectors, columns.astype(np.int32), ends.astype(np.int32)), shape=(len(documents), len(at)))
        regression = LogisticRegression(C=INVERSE_REGULARISATION, solver="liblinear", dual=True, random_state=0)
        held_out = cross_val_predict(regression, matrix, positive, cv=FOLDS, method="predict_proba")[positive, 1]
        regression.fit(matrix, positive)
        self._weights = np.zeros(HASHED)
        self._weights[at] = regression.coef_[0]
        self._bias = float(regression.intercept_[0])
        self._labelled_share = float(held_out.mean())

    def _positive(self) -> NDArray[np.bool_]:
        """(examples + pages,) whether each counts as labelled."""
        texts, query = self._texts, self._texts.query()
        cosines = np.array([texts.cosine(query, document) for document in texts.documents])
        scores = np.array([texts.bm25(document) for document in texts.documents])
        raw = cosines + BM25_WEIGHT * scores / max(1e-6, float(np.quantile(scores, TOP)))
        nearest = np.argsort(-raw, kind="stable")[: min(MOST_POSITIVE, len(raw) // SHARE_POSITIVE)]
        positive = np.array([document.is_seed for document in texts.documents])
        positive[nearest[raw[nearest] > 0]] = True
        return np.concatenate([np.ones(len(self._examples), bool), positive])


class Ours:
    """The page model of `adaptive`, as it is."""

    meanings: ClassVar[bool] = True

    def __init__(self, keywords: Mapping[str, int], examples: Sequence[Sequence[str]]) -> None:
        self._model = TopicModel(keywords, examples, vectors=WordVectors() if self.meanings else None)

    def learn(self, page: Page, *, is_seed: bool) -> float:
        return self._model.learn(self._model.read(page.terms), is_seed=is_seed)


class WithoutMeanings(Ours):
    """The page model of `adaptive` by terms alone."""

    meanings = False


def unit(vector: FloatArray) -> FloatArray:
    length = float(np.sqrt((vector * vector).sum()))
    return vector / length if length else vector


#: Those that look at examples; the others answer the same with them.
TAKES_EXAMPLES = ("centroid", "pu_logistic", "terms_alone", "ours")
#: By the name that tables call them.
MODELS: Mapping[str, MakesPageModel] = {
    "cosine": Cosine,
    "bm25": BM25,
    "centroid": Centroid,
    "pu_logistic": PositiveUnlabelled,
    "terms_alone": WithoutMeanings,
    "ours": Ours,
}
