"""Backlink count: a link is worth as many fetched pages as link to it."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Mapping
from typing import Any, ClassVar

import numpy as np

from focused.crawl.reordering import Reordering
from focused.crawl.strategy import Changes, FloatArray, Rescoring, StrategyOptions, Visit, Waiting
from focused.crawl.world import World


class BacklinkCount(Reordering):
    """Order all that waits by the number of pages fetched so far that link to it, every N pages.

        score = backlinks;  -1 for a link found since the last reordering

    Parts
        backlinks: fetched pages that link to it, each counted once; 0 until the first reordering that finds it waiting

    Source: Almpanidis, Kotropoulos & Pitas 2007, "Combining text and link analysis for focused crawling", section 5.1,
    after Cho, Garcia-Molina & Page 1998, "Efficient Crawling Through URL Ordering".
    """

    name = "backlink_count"
    parts: ClassVar[tuple[str, ...]] = ("backlinks",)

    def __init__(self, options: StrategyOptions, world: World) -> None:
        super().__init__(options, world)
        self._backlinks = array("i")  # by id of URL

    def score(self, visit: Visit) -> tuple[FloatArray, FloatArray]:
        missing = int(visit.targets.max(initial=-1)) + 1 - len(self._backlinks)
        self._backlinks.frombytes(bytes(self._backlinks.itemsize * max(0, missing)))
        np.frombuffer(self._backlinks, np.int32)[np.unique(visit.targets)] += 1
        return super().score(visit)

    def rescore(self, waiting: Waiting) -> Callable[[], Rescoring]:
        counts = np.zeros(max(len(self._backlinks), int(waiting.ids.max(initial=-1)) + 1))
        counts[: len(self._backlinks)] = self._backlinks
        scores = counts[waiting.ids]
        return lambda: Rescoring(Changes(waiting.ids, scores, scores[:, np.newaxis]))

    def state(self) -> dict[str, Any]:
        return {"backlinks": np.array(self._backlinks, np.int32)}

    def restore(self, state: Mapping[str, Any]) -> None:
        self._backlinks = array("i", state["backlinks"].tolist())
