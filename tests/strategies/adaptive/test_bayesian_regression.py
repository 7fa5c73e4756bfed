"""Linear regression from a prior: what is believed in first, and moved away from as examples come in."""

from __future__ import annotations

import numpy as np
import pytest

from focused.storage.snapshot import decode, encode
from focused.strategies.adaptive.bayesian_regression import BayesianRegression

RANDOM = np.random.default_rng(3)
FEATURES, VALUES, PRIOR = RANDOM.random((20, 4)), RANDOM.random(20), np.array([0.5, -0.2, 0.0, 0.1])


def learned(strength: float, examples: int = 20) -> BayesianRegression:
    regression = BayesianRegression(PRIOR, strength)
    for features, value in zip(FEATURES[:examples], VALUES[:examples], strict=True):
        regression.learn(features, value)
    regression.solve()
    return regression


def test_without_examples_the_weights_are_the_prior() -> None:
    assert learned(2.0, examples=0).weights == pytest.approx(PRIOR)


def test_in_one_dimension_it_is_a_mean_of_the_prior_and_the_examples() -> None:
    regression = BayesianRegression(np.array([0.2]), 2.0)
    regression.learn(np.array([1.0]), 0.8)
    regression.learn(np.array([1.0]), 0.4)
    regression.solve()
    assert regression.weights == pytest.approx([0.4])  # (2 * 0.2 + 0.8 + 0.4) / (2 + 2)


def test_in_two_dimensions_an_example_moves_the_weights_of_the_features_it_has() -> None:
    regression = BayesianRegression(np.array([0.0, 0.5]), 1.0)
    regression.learn(np.array([2.0, 0.0]), 1.0)
    regression.solve()
    assert regression.weights == pytest.approx([0.4, 0.5])  # (0 + 2 * 1) / (1 + 4), and as it was


def test_features_that_come_together_share_the_change() -> None:
    regression = BayesianRegression(np.zeros(2), 1.0)
    regression.learn(np.array([1.0, 1.0]), 0.9)
    regression.solve()
    assert regression.weights == pytest.approx([0.3, 0.3])  # [[2, 1], [1, 2]] w = [0.9, 0.9]


@pytest.mark.parametrize("strength", [0.01, 2.0, 1e6])
def test_it_is_ridge_regression_around_the_prior(strength: float) -> None:
    # Least squares on what the prior leaves unexplained, with sqrt(strength) I as further examples of value 0.
    rows = np.vstack((FEATURES, np.sqrt(strength) * np.eye(4)))
    values = np.concatenate((VALUES - FEATURES @ PRIOR, np.zeros(4)))
    ridge = PRIOR + np.linalg.lstsq(rows, values, rcond=None)[0]
    assert learned(strength).weights == pytest.approx(ridge)


def test_examples_count_from_the_next_solution_on() -> None:
    regression = learned(2.0)
    before = regression.weights.copy()
    regression.learn(np.ones(4), 1.0)
    assert regression.weights.tolist() == before.tolist()
    regression.solve()
    assert regression.weights.tolist() != before.tolist()


def test_the_prior_that_was_given_is_left_as_it_was() -> None:
    prior = np.array([0.2])
    regression = BayesianRegression(prior, 2.0)
    regression.learn(np.array([1.0]), 0.8)
    regression.solve()
    assert prior.tolist() == [0.2]


def test_what_was_learned_survives_a_restart() -> None:
    undisturbed, restored = learned(2.0), BayesianRegression(np.zeros(4), 9.0)
    restored.restore(decode(encode(undisturbed.state())))
    assert restored.weights.tolist() == undisturbed.weights.tolist()
    for regression in (undisturbed, restored):
        regression.learn(np.ones(4), 1.0)
        regression.solve()
    assert restored.weights.tolist() == undisturbed.weights.tolist()
