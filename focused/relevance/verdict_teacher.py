"""Learns from a person's verdicts what pages are on topic, and judges pages by it where that is better than the page model.

Once there are `FEWEST` verdicts with `FEWEST_OF_KIND` of each kind, and again whenever a tenth more (`EVERY` at least) were
given, a regression is fitted to the newest `MOST` judged pages. It is kept only if it ranks them better than the page model does,
each page ranked by a fit that has not seen it (`FOLDS` folds, `ROUNDS` times), in `SURE` of the samples drawn from them. Else the
page model alone judges pages, as before.
"""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray

from focused.crawl.arrays import FloatArray
from focused.crawl.teaching import Lesson
from focused.page.page import Page
from focused.relevance.taught_regression import Judged, TaughtRegression, average_precision, kept_of

VERSION = 2  #: raised by hand when it judges otherwise, or keeps another state
FEWEST, FEWEST_OF_KIND = 20, 5
EVERY, GROWTH = 10, 0.1
MOST = 300
FOLDS, ROUNDS = 5, 2
SAMPLES, SURE = 200, 0.6


class VerdictTeacher:
    """The teacher of one crawl (see `focused.crawl.teaching`).

    threshold : of relevance, the topic's
    """

    def __init__(self, threshold: float) -> None:
        self._threshold = threshold
        self._pages: dict[int, tuple[Judged, bool]] = {}  # by id of URL, the newest verdict last
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
        return self._regression.probability(Judged(ids, weights, relevance))

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
            Judged(state["ids"][start:end], state["weights"][start:end], relevance)
            for relevance, start, end in zip(state["relevance"].tolist(), bounds, bounds[1:], strict=False)
        ]
        said = state["said"].tolist()
        self._pages = dict(zip(state["urls"].tolist(), zip(pages, said, strict=True), strict=True))
        self._new, self._learned_from = state["numbers"]
        self._regression = TaughtRegression.restored(state["regression"]) if state["regression"] else None


def ranked_unseen(pages: list[Judged], on_topic: NDArray[np.bool_]) -> FloatArray:
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
