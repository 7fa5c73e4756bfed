"""A trial: a ranker of links that learned from decisions of other crawls, added to the score of adaptive (lab/notes/adaptive.md).

A decision is a pick and fourteen links that waited beside it. `Ranked` records these where `recorded` is a list, and adds
``blend`` times what a trained `Trees` says of a link, from page 30 on.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
from pydantic import Field

from focused.crawl.arrays import FloatArray, IntArray
from focused.crawl.strategy import Changes, Ready, Rescoring, StrategyOptions, Visit, Waiting
from focused.crawl.world import World
from focused.scorers.pipeline import AT_ONCE, added
from focused.scorers.topic_model import WARM_UP
from focused.strategies.adaptive import Adaptive

BESIDE, TOP = 14, 100  #: links recorded beside a pick, half of them from so many of the best


class Trees:
    """Boosted regression trees of one depth, as arrays: (t, 2**d - 1) features and thresholds, (t, 2**d) leaves, and a base."""

    def __init__(self, file: Path) -> None:
        with np.load(file) as arrays:
            self.feature, self.threshold, self.leaves = arrays["feature"], arrays["threshold"], arrays["leaves"]
            self.offset = np.arange(len(self.feature)) * self.feature.shape[1]
            self.base = float(arrays["base"])
        self.depth = self.leaves.shape[1].bit_length() - 1
        self._feature, self._threshold = self.feature.ravel(), self.threshold.ravel()
        self._places = np.arange(len(self.leaves)) * self.leaves.shape[1]
        self._leaves = self.leaves.ravel()

    def say(self, rows: FloatArray) -> FloatArray:
        """(n,) what they say of (n, f) rows."""
        flat, start = rows.ravel(), (np.arange(len(rows)) * rows.shape[1])[:, np.newaxis]
        node = np.zeros((len(rows), len(self.feature)), np.int64)
        for _ in range(self.depth):
            place = node + self.offset
            node = 2 * node + 1 + (flat.take(start + self._feature.take(place)) > self._threshold.take(place))
        inner = self.feature.shape[1]
        return self.base + np.asarray(self._leaves.take(node - inner + self._places).sum(axis=1))


@lru_cache(4)
def trees(file: str) -> Trees:
    return Trees(Path(file))


class Ranked(Adaptive):
    name = "ranked"

    class Options(Adaptive.Options):
        ranker: str = Field("", description="file of trees; empty: none")
        blend: float = Field(0.1, description="what its word counts in the score")
        alone: float = Field(1.0, description="what today's score counts")
        relative: bool = Field(False, description="its word counts in deviations of today's score")

    def __init__(self, options: StrategyOptions, world: World) -> None:
        super().__init__(options, world)
        self.trees = trees(self.options.ranker) if self.options.ranker else None
        self._since = world.column("since", np.int32)
        self._seen = 0
        self.queue_mean, self.queue_std = np.zeros(len(self.names) + 1), np.ones(len(self.names) + 1)
        self.waits = 0
        self.recorded: list[tuple[Any, ...]] | None = None
        self.fetched: list[tuple[int, int]] = []
        self.keys: dict[int, int] = {}

    def features(self, ids: IntArray, columns: FloatArray, score: FloatArray) -> FloatArray:
        """(n, 2c + 9)"""
        both = np.concatenate((columns, score[np.newaxis])).T
        relative = np.clip((both - self.queue_mean) / self.queue_std, -5, 5)
        pages = max(1, self.models.pages)
        hosts = self.world.urls.host.take(ids)
        more = np.stack(
            (
                np.full(len(ids), np.log1p(pages)),
                np.full(len(ids), np.log1p(self.waits)),
                np.full(len(ids), sum(self._last) / max(1, len(self._last))),
                self.world.hosts.picked.take(hosts) / pages,
                np.log1p(self.world.hosts.picked.take(hosts)),
                np.log1p(self.history.sources.take(ids)),
                (pages - self._since.take(ids)) / pages,
                np.minimum(20, self.world.urls.depth.take(ids)),
            ),
            axis=1,
        )
        return np.concatenate((both, relative, more), axis=1)

    def visited(self, visit: Visit) -> Changes:
        if self.recorded is not None:
            self.fetched.append((visit.picked, visit.id))
            self.keys.update(zip(visit.targets.tolist(), (link.key for link in visit.links), strict=True))
        return super().visited(visit)

    def _scored(self, ids: IntArray) -> Changes:
        self._since[ids] = np.where(self._since[ids] == 0, self.models.pages, self._since[ids])
        if self.trees is None or self.models.pages < WARM_UP or not self.waits:
            return super()._scored(ids)
        base, weights = self.weights
        columns = self.columns(ids)
        weighted = columns * weights[:, np.newaxis]
        parts = np.array([np.full(len(ids), base), *(added(weighted[places]) for places in self._places)])
        score = added(parts)
        word = self.trees.say(self.features(ids, columns, score)) * self.options.blend
        if self.options.relative:
            word *= self.queue_std[-1]
        parts *= self.options.alone
        parts[0] += word
        is_seed = self._is_seed[ids]
        parts[0, is_seed] += np.maximum(0.0, 1.0 - added(parts[:, is_seed]))
        return Changes(ids, added(parts), parts.T, replace=True)

    def rescore(self, waiting: Waiting) -> Callable[[], Rescoring] | None:
        ids = waiting.ids[self.history.knows(waiting.ids)]
        if len(ids):
            base, weights = self.weights
            some = ids if len(ids) <= 4000 else ids[:: len(ids) // 2000]
            columns = self.columns(some)
            both = np.concatenate((columns, (base + weights @ columns)[np.newaxis]))
            self.queue_mean, self.queue_std = both.mean(axis=1), both.std(axis=1) + 0.01
            self.waits = len(ids)
        return super().rescore(waiting)

    def choose(self, ready: Ready) -> int | None:
        chosen = super().choose(ready)
        if self.recorded is not None and chosen is not None and chosen >= 0 and self.waits and self.models.pages >= 10:
            waits = ready.ready()
            known = self.history.knows(waits.ids)
            ids, scores = waits.ids[known], waits.scores[known]
            if self.history.knows(np.array([chosen]))[0] and len(ids) > BESIDE:
                rng = Random(len(self.recorded))
                top = ids[np.argsort(-scores)[:TOP]].tolist()
                beside = [chosen, *rng.sample(top, min(len(top), BESIDE // 2)), *rng.sample(ids.tolist(), BESIDE // 2)]
                some = np.array(list(dict.fromkeys(beside)))
                base, weights = self.weights
                columns = self.columns(some)
                rows = self.features(some, columns, base + weights @ columns).astype(np.float32)
                self.recorded.append((len(self.fetched), some, rows))
        return chosen
