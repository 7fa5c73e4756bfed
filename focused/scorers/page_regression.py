"""Logistic regression over the terms of a page: how probably the page is on topic, learned from labelled pages.

    x_t = (1 + ln n_t) · idf_t,   idf_t = 1 + ln((1 + N) / (1 + N_t)),   n_t times in the page, in N_t of N pages
    P(on topic | page) = 1 / (1 + exp(-(b + w · x / |x|)))

A term among the first ones of a page, where its title stands, is a feature of its own, beside the same term of the text.

Source: the weights are those of Manning, Raghavan & Schütze 2008, "Introduction to Information Retrieval", section 6.4.1, with
the smoothed idf of scikit-learn; features for the title are ours.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from focused.crawl.arrays import FloatArray, IntArray
from focused.relevance.plain_state import PlainState, array_in, number_in, whole_in
from focused.relevance.vectors import HASHED, hashed

FEATURES = 2 * HASHED  #: terms of the page, by their numbers, and then terms of its head
MOST_ITERATIONS = 1000  #: of the solver; 100, its default, may not be enough


@dataclass(slots=True, frozen=True)
class PageRegression:
    """A trained regression.

    Attributes
    ----------
    idf : (FEATURES,) inverse document frequency; 0 where a term is not known, which then says nothing
    weights : (FEATURES,) w
    intercept : b
    head : number of first terms of a page that are its head
    """

    idf: NDArray[np.float32]
    weights: NDArray[np.float32]
    intercept: float
    head: int

    @classmethod
    def fit(
        cls, texts: Sequence[Sequence[str]], on_topic: Sequence[bool], *, cost: float, head: int, least: int
    ) -> PageRegression:
        """Learn from n texts (lists of terms), and whether each is on topic; both kinds must be there.

        cost : what an error on the pages costs against the size of the weights: C of scikit-learn
        least : texts that a feature must occur in
        """
        from scipy.sparse import csr_array  # only who trains waits for these two
        from sklearn.linear_model import LogisticRegression

        found = [_features(terms, head) for terms in texts]
        places = np.concatenate([one for one, _ in found])
        texts_with = np.bincount(places, minlength=FEATURES)
        known = texts_with >= least
        idf = np.where(known, 1 + np.log((1 + len(texts)) / (1 + texts_with)), 0).astype(np.float32)
        columns = np.flatnonzero(known)
        weights = np.zeros(FEATURES, np.float32)
        if not len(columns):  # the texts have no term in common: all that is known is how many are on topic
            return cls(idf, weights, float(np.log(sum(on_topic) / (len(texts) - sum(on_topic)))), head)
        values = np.concatenate([_unit(counts * idf[one]) for one, counts in found])
        starts = np.cumsum([0, *(len(one) for one, _ in found)])
        matrix = csr_array((values, places, starts), shape=(len(texts), FEATURES))[:, columns]
        # No class weights: they would make both sides count the same, and what comes out would be no probability.
        learner = LogisticRegression(C=cost, max_iter=MOST_ITERATIONS).fit(matrix, np.asarray(on_topic, bool))
        weights[columns] = learner.coef_[0]
        return cls(idf, weights, float(learner.intercept_[0]), head)

    def state(self) -> dict[str, Any]:
        return {"idf": self.idf, "weights": self.weights, "intercept": self.intercept, "head": self.head}

    @classmethod
    def restored(cls, state: PlainState) -> PageRegression:
        """The regression of a `state`; ValueError where it is none."""
        idf, weights = (array_in(state, name, np.float32, FEATURES) for name in ("idf", "weights"))
        return cls(idf, weights, number_in(state, "intercept"), whole_in(state, "head"))

    def relevance(self, terms: Sequence[str]) -> float:
        """P(on topic | page) in [0, 1], from the terms of a page in their order."""
        places, counts = _features(terms, self.head)
        logit = self.intercept + float(self.weights[places] @ _unit(counts * self.idf[places]))
        return float(1 / (1 + np.exp(-logit)))


def _features(terms: Sequence[str], head: int) -> tuple[IntArray, FloatArray]:
    """Features that a text has, each once and in ascending order, with 1 + ln n_t."""
    numbers = hashed(terms).astype(np.int64)
    places, counts = np.unique(np.concatenate((numbers, numbers[:head] + HASHED)), return_counts=True)
    return places, 1 + np.log(counts)


def _unit(vector: FloatArray) -> FloatArray:
    """A vector of length 1 in the same direction; one of length 0 stays as it is."""
    length = np.linalg.norm(vector)
    return vector / length if length else vector
