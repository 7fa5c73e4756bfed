"""A linear function of the presence of features, learned step by step: the Q function of a crawler that learns by reward."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

Features = NDArray[np.int32]  #: (f,) numbers of the features that a link has, each once

RATE = 0.1  #: of a step towards what was observed
BEFORE_LEARNING = 0.05  #: value of everything that nothing is known of


class LinearQ:
    """Value of a link: sum of the weights of its features / √f, plus a bias.

    weights : (n + 1,) of n features, and the bias; BEFORE_LEARNING is the value of every link if there are none
    """

    def __init__(self, weights: NDArray[np.float64] | None = None) -> None:
        self.weights = weights

    def values(self, links: Sequence[Features]) -> NDArray[np.float64]:
        """(k,) values of links."""
        if self.weights is None:
            return np.full(len(links), BEFORE_LEARNING)
        return np.fromiter(map(self._value, links), float, len(links))

    def learn(self, links: Iterable[Features], observed: Iterable[float], size: int) -> None:
        """Go one step of stochastic gradient descent on the squared error for each link; ``size``: n."""
        weights = self.weights = np.zeros(size + 1) if self.weights is None else self.weights
        for features, value in zip(links, observed, strict=True):
            step = RATE * (value - self._value(features))
            weights[-1] += step
            if len(features):
                weights[features] += step / math.sqrt(len(features))

    def copy(self) -> LinearQ:
        return LinearQ(None if self.weights is None else self.weights.copy())

    def _value(self, features: Features) -> float:
        assert self.weights is not None
        total = float(self.weights[features].sum()) / math.sqrt(len(features)) if len(features) else 0.0
        return total + float(self.weights[-1])
