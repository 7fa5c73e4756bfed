"""Learns from a person's verdicts what pages are on topic, and judges pages by it where that is better than the page model.

Once there are `FEWEST` verdicts with `FEWEST_OF_KIND` of each kind, and again whenever a tenth more (`EVERY` at least) were
given, a regression is fitted to the newest `MOST` judged pages. It is kept only if it ranks them better than the page model does,
each page ranked by a fit that has not seen it (`FOLDS` folds, `ROUNDS` times), in `SURE` of the samples drawn from them. Else the
page model alone judges pages, as before.

The regression: logistic regression over the terms of few judged pages, beside what the page model says of them.

    x = (1, RELEVANCE · (r - m) / s, u),   u = the unit vector of (1 + ln n_t) · idf_t,   idf_t = ln((N + 1) / (N_t + 1/2))
    P(on topic | page) = 1 / (1 + exp(-w · x)),   w minimises  sum of log losses + |w|² / (2 COST)

n_t times in the page, in N_t of N judged pages, among which is always one that says nothing and is not on topic; r the page's
relevance by the page model, with mean m and deviation s among the judged ones. Fitted in the space of pages (dual), of which there
are fewer than terms.

Source: kernel logistic regression by iteratively reweighted least squares; Hastie, Tibshirani & Friedman 2009, "The Elements of
Statistical Learning", sections 4.4.1 and 12.3.3.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray

from focused.crawl.arrays import FloatArray
from focused.crawl.teaching import Lesson, Teacher
from focused.page.page import Page
from focused.scorers.vectors import hashed, single_thread, unit

COST = 10.0  #: of an error against the size of the weights
RELEVANCE = 1.0  #: how easily the page model's relevance may count, against a page's terms
ALWAYS = 3.0  #: the same of the constant
STEPS = 25  #: at most, of which a few do
LEAST_CHANGE = 1e-6
LEAST_WEIGHT = 1e-6  #: of a page in a step: one that is certain


@dataclass(frozen=True, slots=True)
class TaughtPage:
    """What is kept of a page.

    ids : (t,) numbers of its terms, each once, ascending
    weights : (t,) 1 + ln n_t
    relevance : by the page model
    """

    ids: NDArray[np.int32]
    weights: NDArray[np.float32]
    relevance: float


#: A page without words, which nobody has to judge: without it, pages unlike any judged one are as likely on topic as those are.
NOTHING = TaughtPage(np.empty(0, np.int32), np.empty(0, np.float32), 0.0)


def kept_of(page: Page, relevance: float) -> TaughtPage:
    ids, counts = np.unique(hashed(page.terms), return_counts=True)
    return TaughtPage(ids.astype(np.int32), (1 + np.log(counts)).astype(np.float32), relevance)


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
    def fit(cls, pages: Sequence[TaughtPage], on_topic: NDArray[np.bool_]) -> TaughtRegression:
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

    def probability(self, page: TaughtPage) -> float:
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


VERSION = 2  #: raised by hand when it judges otherwise, or keeps another state
FEWEST, FEWEST_OF_KIND = 20, 5
EVERY, GROWTH = 10, 0.1
MOST = 300
FOLDS, ROUNDS = 5, 2
SAMPLES, SURE = 200, 0.6


class VerdictTeacher(Teacher):
    """The teacher of one crawl (see `focused.crawl.teaching`).

    threshold : of relevance, the topic's
    """

    def __init__(self, threshold: float) -> None:
        self._threshold = threshold
        self._pages: dict[int, tuple[TaughtPage, bool]] = {}  # by id of URL, the newest verdict last
        self._new = 0  # verdicts since it learned last
        self._learned_from = 0  # pages
        self._regression: TaughtRegression | None = None

    def judged(self, url: int, page: Page, relevance: float, said: bool | None) -> Lesson | None:
        before = self._pages.pop(url, None)
        if said is not None:
            self._pages[url] = kept_of(page, relevance), said
        if (before and before[1]) is not said:
            self._new += 1
        return self._learn() if self._is_time() else None

    def probability(self, page: Page, relevance: float) -> float | None:
        return self._regression.probability(kept_of(page, relevance)) if self._regression else None

    def probability_of(self, ids: NDArray[np.int32], weights: NDArray[np.float32], relevance: float) -> float:
        assert self._regression is not None  # or nobody may ask
        return self._regression.probability(TaughtPage(ids, weights, relevance))

    def relevance(self, probability: float) -> float:
        if probability < 0.5:
            return 2 * probability * self._threshold
        return self._threshold + (2 * probability - 1) * (1 - self._threshold)

    def _is_time(self) -> bool:
        count, yes = len(self._pages), sum(said for _, said in self._pages.values())
        enough = count >= FEWEST and min(yes, count - yes) >= FEWEST_OF_KIND
        return enough and (not self._learned_from or self._new >= max(EVERY, GROWTH * self._learned_from))

    def _learn(self) -> Lesson:
        chosen = list(self._pages.values())[-MOST:]
        pages, on_topic = [page for page, _ in chosen], np.array([said for _, said in chosen])
        self._new, self._learned_from = 0, len(self._pages)
        old = np.array([page.relevance for page in pages])
        both = bool(on_topic.any() and not on_topic.all())
        new = ranked_unseen(pages, on_topic) if both else old
        before, after = (average_precision(scores, on_topic) if both else 0.0 for scores in (old, new))
        kept = both and is_better(new, old, on_topic)
        self._regression = TaughtRegression.fit(pages, on_topic) if kept else None
        return Lesson(len(pages), int(on_topic.sum()), before, after, kept)

    def snapshot(self) -> dict[str, Any]:
        pages = [page for page, _ in self._pages.values()]
        empty = np.empty(0, np.int32), np.empty(0, np.float32)
        return {
            "urls": np.array(list(self._pages), np.int64),
            "said": np.array([said for _, said in self._pages.values()], np.bool_),
            "relevance": np.array([page.relevance for page in pages], np.float64),
            "ends": np.cumsum([len(page.ids) for page in pages]).astype(np.int64),
            "ids": np.concatenate([empty[0], *(page.ids for page in pages)]),
            "weights": np.concatenate([empty[1], *(page.weights for page in pages)]),
            "numbers": [self._new, self._learned_from],
            "regression": self._regression.state() if self._regression else {},
        }

    def restore(self, state: Mapping[str, Any]) -> None:
        bounds = [0, *state["ends"].tolist()]
        pages = [
            TaughtPage(state["ids"][start:end], state["weights"][start:end], relevance)
            for relevance, start, end in zip(state["relevance"].tolist(), bounds, bounds[1:], strict=False)
        ]
        said = state["said"].tolist()
        self._pages = dict(zip(state["urls"].tolist(), zip(pages, said, strict=True), strict=True))
        self._new, self._learned_from = state["numbers"]
        self._regression = TaughtRegression.restored(state["regression"]) if state["regression"] else None


def ranked_unseen(pages: list[TaughtPage], on_topic: NDArray[np.bool_]) -> FloatArray:
    """(n,) mean probability of each page by regressions that were fitted without it."""
    total = np.zeros(len(pages))
    for turn in range(ROUNDS):
        fold = np.empty(len(pages), np.int64)
        for kind in (True, False):
            places = np.flatnonzero(on_topic == kind).tolist()
            Random(turn).shuffle(places)
            fold[places] = np.arange(len(places)) % FOLDS
        for left_out in range(FOLDS):
            seen, unseen = np.flatnonzero(fold != left_out), np.flatnonzero(fold == left_out)
            regression = TaughtRegression.fit([pages[i] for i in seen], on_topic[seen])
            total[unseen] += [regression.probability(pages[i]) for i in unseen]
    return total / ROUNDS


def is_better(new: FloatArray, old: FloatArray, on_topic: NDArray[np.bool_]) -> bool:
    """Whether new scores rank pages better than old ones, in nearly all samples drawn from them with replacement."""
    chance = np.random.default_rng(len(on_topic))
    kinds = np.flatnonzero(on_topic), np.flatnonzero(~on_topic)
    better = 0
    for _ in range(SAMPLES):
        drawn = np.concatenate([chance.choice(kind, len(kind)) for kind in kinds])
        better += average_precision(new[drawn], on_topic[drawn]) > average_precision(old[drawn], on_topic[drawn])
    return better >= SURE * SAMPLES
