"""Ridge regression over sparse rows finds what the normal equations say."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from focused.scorers.word_weights import ridge_weights


@given(st.integers(1, 40), st.integers(1, 8), st.floats(0.1, 50), st.integers(0, 10_000))
def test_weights_solve_the_normal_equations(count: int, size: int, ridge: float, seed: int) -> None:
    chance = np.random.default_rng(seed)
    there = chance.random((count, size)) < 0.4
    shares, aim = chance.uniform(0.5, 1, count), chance.normal(size=count)
    matrix = there * shares[:, np.newaxis]
    exact = np.linalg.solve(matrix.T @ matrix + ridge * np.eye(size), matrix.T @ aim)
    rows, columns = np.nonzero(there)
    assert ridge_weights(rows, columns, shares, aim, ridge, size) == pytest.approx(exact, abs=1e-4)


def test_nothing_to_explain_weighs_nothing() -> None:
    rows, columns = np.array([0, 1]), np.array([0, 1])
    assert ridge_weights(rows, columns, np.ones(2), np.zeros(2), 1.0, 2).tolist() == [0.0, 0.0]
