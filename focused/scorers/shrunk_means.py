"""Means of groups that are pulled towards what is expected where little is known (empirical Bayes)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from focused.crawl.arrays import FloatArray
from focused.crawl.sparse_array import SparseArray


class ShrunkMeans:
    """Means of a value by group, groups being numbers of a fixed range (hashes).

        mean of a group = (sum of its values + prior · strength) / (their count + strength)

    Parameters
    ----------
    groups : range of the numbers
    strength : values that the prior counts as
    """

    def __init__(self, groups: int, strength: float) -> None:
        self.groups, self.strength = groups, strength
        self._known = SparseArray(2 * groups, np.float32)  # by group: the sum of its values, then their count

    def add(self, group: int, value: float) -> None:
        (place,) = self._known.held(np.array([2 * group]))
        self._known.values[place] += value
        self._known.values[place + 1] += 1

    def forget(self) -> None:
        """Forget all values."""
        self._known = SparseArray(2 * self.groups, np.float32)

    def of(self, groups: NDArray[np.integer[Any]], prior: float | FloatArray) -> FloatArray:
        """Means of groups, in an array of any form, given what is expected where nothing is known: one number, or one each."""
        sums, counts = self._of(groups)
        return np.asarray((sums + prior * self.strength) / (counts.astype(np.float64) + self.strength))

    def state(self) -> dict[str, Any]:
        used = self._known.nonzero()
        groups = used[used % 2 == 1] // 2  # those that have a count
        sums, counts = self._of(groups)
        return {"groups": groups, "sums": sums, "counts": counts}

    def restore(self, state: Mapping[str, Any]) -> None:
        places = self._known.held(2 * state["groups"])
        self._known.values[places] = state["sums"]
        self._known.values[places + 1] = state["counts"]

    def _of(self, groups: NDArray[np.integer[Any]]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Sums and counts of groups, in the form of these."""
        places = self._known.places(2 * groups.astype(np.int64))
        return self._known.values.take(places), self._known.values.take(places + 1)
