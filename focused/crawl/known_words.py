"""The words that pages of a crawl are made of, and on how many pages each has stood: none, one, or more."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from focused.crawl.sparse_array import SparseArray

SLOTS = 1 << 23  #: words that can be told apart: 8 MB when all have come
TWICE = 2


class KnownWords:
    """One byte a word.

    What somebody makes up for a page stands there and nowhere else; the words of a language and of a subject come back. So a
    word counts as new on the *second* page that it stands on.
    """

    def __init__(self) -> None:
        self._pages = SparseArray(SLOTS, np.uint8)  # by word: that it has stood on, up to TWICE
        self._filled = 0

    def add(self, words: NDArray[np.uint64]) -> float:
        """Remember the words of a page, each once; return how many of them come back for the first time, about."""
        slots = np.unique((words >> np.uint64(41)).astype(np.int64))
        known = self._pages.take(slots)
        seldom = known < TWICE
        self._pages.put(slots[seldom], known[seldom] + 1)
        self._filled += int(np.count_nonzero(known == 0))
        return float(np.count_nonzero(known == 1)) * max(0.0, 1.0 - self._filled / SLOTS)

    def snapshot(self) -> dict[str, Any]:
        slots = self._pages.nonzero()
        return {"slots": slots.astype(np.int32), "pages": self._pages.take(slots)}

    def restore(self, state: Mapping[str, Any]) -> None:
        self._pages.put(state["slots"], state["pages"])
        self._filled = len(state["slots"])
