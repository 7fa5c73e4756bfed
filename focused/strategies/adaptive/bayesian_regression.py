"""Linear regression that starts from weights somebody believes in and moves away from them as examples come in."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from focused.crawl.arrays import FloatArray


class BayesianRegression:
    """The mean of the posterior of a linear model with a normal prior (Bishop 2006, section 3.3, equations 3.50 and 3.51).

        w = (λ I + Σ f fᵀ)⁻¹ (λ w0 + Σ f x)

    Parameters
    ----------
    prior : (f,) w0
    strength : λ, the number of examples of unit length that the prior counts as
    """

    def __init__(self, prior: FloatArray, strength: float) -> None:
        self.weights = prior.copy()
        self._precision = np.eye(len(prior)) * strength
        self._target = prior * strength

    def learn(self, features: FloatArray, value: float) -> None:
        """Take in an example; `solve` makes the weights from all of them."""
        self._precision += np.outer(features, features)
        self._target += features * value

    def solve(self) -> None:
        self.weights = np.linalg.solve(self._precision, self._target).astype(np.float64)

    def state(self) -> dict[str, Any]:
        return {"weights": self.weights, "precision": self._precision, "target": self._target}

    def restore(self, state: Mapping[str, Any]) -> None:
        self.weights, self._precision, self._target = state["weights"], state["precision"], state["target"]
