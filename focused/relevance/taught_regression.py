"""Logistic regression over the terms of few judged pages, beside what the page model says of them.

    x = (1, RELEVANCE · (r - m) / s, u),   u = the unit vector of (1 + ln n_t) · idf_t,   idf_t = ln((N + 1) / (N_t + 1/2))
    P(on topic | page) = 1 / (1 + exp(-w · x)),   w minimises  sum of log losses + |w|² / (2 COST)

n_t times in the page, in N_t of N judged pages, among which is always one that says nothing and is not on topic; r the page's
relevance by the page model, with mean m and deviation s among the judged ones. Fitted in the space of pages (dual), of which there
are fewer than terms.

Source: kernel logistic regression by iteratively reweighted least squares; Hastie, Tibshirani & Friedman 2009, "The Elements of
Statistical Learning", sections 4.4.1 and 12.3.3.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from focused.crawl.arrays import FloatArray
from focused.page.page import Page
from focused.relevance.hashed_terms import hashed
from focused.relevance.single_thread import single_thread
from focused.relevance.unit_vector import unit

COST = 10.0  #: of an error against the size of the weights
RELEVANCE = 1.0  #: how easily the page model's relevance may count, against a page's terms
ALWAYS = 3.0  #: the same of the constant
STEPS = 25  #: at most, of which a few do
LEAST_CHANGE = 1e-6
LEAST_WEIGHT = 1e-6  #: of a page in a step: one that is certain


@dataclass(frozen=True, slots=True)
class Judged:
    """What is kept of a page.

    ids : (t,) numbers of its terms, each once, ascending
    weights : (t,) 1 + ln n_t
    relevance : by the page model
    """

    ids: NDArray[np.int32]
    weights: NDArray[np.float32]
    relevance: float


#: A page without words, which nobody has to judge: without it, pages unlike any judged one are as likely on topic as those are.
NOTHING = Judged(np.empty(0, np.int32), np.empty(0, np.float32), 0.0)


def kept_of(page: Page, relevance: float) -> Judged:
    ids, counts = np.unique(hashed(page.terms), return_counts=True)
    return Judged(ids.astype(np.int32), (1 + np.log(counts)).astype(np.float32), relevance)


@dataclass(frozen=True, slots=True)
class TaughtRegression:
    """A fitted one.

    ids, weights : (k,) terms that count, ascending, with idf times weight
    idf : (k,) of these
    unseen : idf of all other terms, which only make a page longer
    """

    ids: NDArray[np.int32]
    weights: FloatArray
    idf: FloatArray
    unseen: float
    constant: float
    slope: float
    mean: float
    deviation: float

    @classmethod
    def fit(cls, pages: Sequence[Judged], on_topic: NDArray[np.bool_]) -> TaughtRegression:
        """Learn from judged pages, of which one at least is on topic; a page that says nothing is not."""
        pages, on_topic = [*pages, NOTHING], np.append(on_topic, False)
        ids, places = np.unique(np.concatenate([page.ids for page in pages]), return_inverse=True)
        idf = np.log((len(pages) + 1) / (np.bincount(places, minlength=len(ids)) + 0.5))
        ends = np.cumsum([0, *(len(page.ids) for page in pages)])
        rows = np.zeros((len(pages), len(ids)), np.float64)
        for row, page in enumerate(pages):
            here = places[ends[row] : ends[row + 1]]
            rows[row, here] = unit(page.weights.astype(np.float64) * idf[here])
        relevance = np.array([page.relevance for page in pages])
        mean, deviation = float(relevance.mean()), max(1e-6, float(relevance.std()))
        own = np.column_stack([np.full(len(pages), ALWAYS), RELEVANCE * (relevance - mean) / deviation])
        with single_thread():
            dual = _fit(rows @ rows.T + own @ own.T, on_topic.astype(np.float64))
            weights, (constant, slope) = dual @ rows, dual @ own
        return cls(
            ids.astype(np.int32), weights, idf, float(np.log((len(pages) + 1) / 0.5)),
            float(constant) * ALWAYS, float(slope) * RELEVANCE, mean, deviation,
        )  # fmt: skip

    def probability(self, page: Judged) -> float:
        """P(on topic | page)."""
        places = np.searchsorted(self.ids, page.ids)
        places[places == len(self.ids)] = 0
        known = self.ids[places] == page.ids
        idf = np.where(known, self.idf[places], self.unseen)
        vector = unit(page.weights.astype(np.float64) * idf)
        logit = self.constant + self.slope * (page.relevance - self.mean) / self.deviation
        logit += float((vector * np.where(known, self.weights[places], 0.0)).sum())
        return float(1 / (1 + np.exp(-np.clip(logit, -50, 50))))

    def state(self) -> dict[str, Any]:
        numbers = [self.unseen, self.constant, self.slope, self.mean, self.deviation]
        return {"ids": self.ids, "weights": self.weights, "idf": self.idf, "numbers": numbers}

    @classmethod
    def restored(cls, state: dict[str, Any]) -> TaughtRegression:
        return cls(state["ids"], state["weights"], state["idf"], *state["numbers"])


def _fit(kernel: FloatArray, target: FloatArray) -> FloatArray:
    """(n,) dual coefficients, given the (n, n) products of the pages' features and what each of them is, 0 or 1."""
    dual: FloatArray = np.zeros(len(target))
    for _ in range(STEPS):
        logits = np.clip(kernel @ dual, -30, 30)
        chance = 1 / (1 + np.exp(-logits))
        weights = np.maximum(chance * (1 - chance), LEAST_WEIGHT)
        working = logits + (target - chance) / weights
        new = np.asarray(np.linalg.solve(kernel + np.diag(1 / (COST * weights)), working), np.float64)
        if np.abs(new - dual).max() < LEAST_CHANGE:
            break
        dual = new
    return dual


def average_precision(scores: FloatArray, on_topic: NDArray[np.bool_]) -> float:
    """The mean, over pages on topic, of the share on topic among all ranked as high; equal scores share their ranks."""
    order = np.argsort(-scores, kind="stable")
    ranked, hits = scores[order], np.cumsum(on_topic[order])
    last = np.searchsorted(-ranked, -ranked, side="right")  # of those with the same score
    precision = hits[last - 1] / last
    return float(precision[on_topic[order]].mean())
