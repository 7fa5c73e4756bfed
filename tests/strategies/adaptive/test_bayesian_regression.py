"""Linear regression from a prior: what is believed in first, and moved away from as examples come in."""

import numpy as np
import pytest

from focused.strategies.adaptive import BayesianRegression

RANDOM = np.random.default_rng(3)
FEATURES, VALUES, PRIOR = RANDOM.random((20, 4)), RANDOM.random(20), np.array([0.5, -0.2, 0.0, 0.1])


def learned(strength: float, examples: int = 20) -> BayesianRegression:
    regression = BayesianRegression(PRIOR, strength)
    for features, value in zip(FEATURES[:examples], VALUES[:examples], strict=True):
        regression.learn(features, value)
    regression.solve()
    return regression


@pytest.mark.parametrize(("strength", "examples"), [(0.01, 20), (2.0, 20), (1e6, 20), (2.0, 1), (2.0, 0)])
def test_it_is_ridge_regression_around_the_prior(strength: float, examples: int) -> None:
    # Least squares on what the prior leaves unexplained, with sqrt(strength) I as further examples of value 0.
    features, found = FEATURES[:examples], VALUES[:examples]
    rows = np.vstack((features, np.sqrt(strength) * np.eye(4)))
    values = np.concatenate((found - features @ PRIOR, np.zeros(4)))
    ridge = PRIOR + np.linalg.lstsq(rows, values, rcond=None)[0]
    assert learned(strength, examples).weights == pytest.approx(ridge)


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
