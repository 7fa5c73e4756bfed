"""Terms as numbers of a fixed range, by hashing: weights of terms lie in flat arrays, and nothing has to remember words."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from focused.crawl.strategy import IntArray
from focused.scoring.hashed_terms import HASHED, number

DIMENSIONS = HASHED  #: of the arrays; a crawl of 100,000 different terms puts few of the frequent ones together
MOST_KNOWN = 50_000  #: terms whose number is remembered, about 6 MB; then forgotten all at once


class TermIds(dict[str, int]):
    """Term to number, the same in every process."""

    def __missing__(self, term: str) -> int:
        if len(self) >= MOST_KNOWN:
            self.clear()
        self[term] = found = number(term)
        return found

    def of(self, terms: Sequence[str]) -> IntArray:
        """(n,) numbers of n terms, in order."""
        return np.fromiter(map(self.__getitem__, terms), np.int64, len(terms))
