"""Means of groups that are pulled towards what is expected where little is known (empirical Bayes)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from focused.crawl.arrays import FloatArray


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
        self._sums = np.zeros(groups, np.float32)
        self._counts = np.zeros(groups, np.float32)

    def add(self, group: int, value: float) -> None:
        self._sums[group] += value
        self._counts[group] += 1

    def of(self, groups: NDArray[np.integer[Any]], prior: float | FloatArray) -> FloatArray:
        """Means of groups, in an array of any form, given what is expected where nothing is known: one number, or one each."""
        groups = groups.astype(np.int64)
        counts = self._counts.take(groups).astype(np.float64)
        return np.asarray((self._sums.take(groups) + prior * self.strength) / (counts + self.strength))

    def state(self) -> dict[str, Any]:
        used = np.flatnonzero(self._counts)
        return {"groups": used, "sums": self._sums[used], "counts": self._counts[used]}

    def restore(self, state: Mapping[str, Any]) -> None:
        self._sums[state["groups"]] = state["sums"]
        self._counts[state["groups"]] = state["counts"]
