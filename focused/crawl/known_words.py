"""The words that pages of a crawl are made of, and on how many pages each has stood: none, one, or more."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

SLOTS = 1 << 23  #: words that can be told apart: 8 MB
TWICE = 2


class KnownWords:
    """One byte a word.

    What somebody makes up for a page stands there and nowhere else; the words of a language and of a subject come back. So a
    word counts as new on the *second* page that it stands on.
    """

    def __init__(self) -> None:
        self._pages = np.zeros(SLOTS, np.uint8)  # by word: that it has stood on, up to TWICE
        self._filled = 0

    def add(self, words: NDArray[np.uint64]) -> float:
        """Remember the words of a page, each once; return how many of them come back for the first time, about."""
        slots = np.unique((words >> np.uint64(41)).astype(np.int64))
        known = self._pages[slots]
        self._pages[slots[known < TWICE]] += 1
        self._filled += int(np.count_nonzero(known == 0))
        return float(np.count_nonzero(known == 1)) * max(0.0, 1.0 - self._filled / SLOTS)

    def snapshot(self) -> dict[str, Any]:
        slots = np.flatnonzero(self._pages)
        return {"slots": slots.astype(np.int32), "pages": self._pages[slots]}

    def restore(self, state: Mapping[str, Any]) -> None:
        self._pages[state["slots"]] = state["pages"]
        self._filled = len(state["slots"])
