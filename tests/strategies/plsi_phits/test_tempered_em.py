"""PLSI + PHITS: one EM step by hand, a likelihood that never falls, clusters told apart, documents folded in."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_array

from focused.papers.strategies.plsi_phits import (
    Factors,
    Observations,
    distributions,
    em_step,
    factor_cosines,
    fit,
    fold_in,
    inverse_temperatures,
    random_factors,
)

# Four documents, two about solar cells (terms 0, 1), cited by page 0, two about tax law (terms 2, 3), cited by page 1.
TERMS = csr_array(np.array([[3.0, 1, 0, 0], [1, 2, 0, 0], [0, 0, 2, 2], [0, 0, 1, 3]]))
CITATIONS = csr_array(np.array([[1.0, 0], [1, 0], [0, 1], [0, 1]]))


def observed(a: float = 0.5, *, normalise: bool = False) -> Observations:
    return Observations.weighted(TERMS, CITATIONS, a, normalise=normalise)


def seen(terms: list[int], citations: list[int]) -> Observations:
    return Observations.weighted(csr_array(np.array([terms])), csr_array(np.array([citations])), 0.5, normalise=False)


def likelihood(observed: Observations, factors: Factors) -> float:
    """Equation 16 with dense matrices; entries without counts add nothing."""
    total = 0.0
    for counts, features in ((observed.terms, factors.terms), (observed.citations, factors.citations)):
        probabilities = factors.documents @ features.T
        dense = counts.toarray()
        total += float((dense[dense > 0] * np.log(probabilities[dense > 0])).sum())
    return total


def test_counts_are_weighed_by_a_and_1_minus_a() -> None:
    weighed = observed(a=0.75)
    assert weighed.terms.toarray().tolist()[0] == [2.25, 0.75, 0, 0]
    assert weighed.citations.toarray().tolist()[0] == [0.25, 0]


def test_normalised_counts_of_a_document_sum_to_a_and_1_minus_a_and_none_stay_none() -> None:
    empty = csr_array((4, 2))
    weighed = Observations.weighted(TERMS, empty, 0.75, normalise=True)
    assert weighed.terms.sum(axis=1) == pytest.approx([0.75] * 4)
    assert weighed.terms.toarray()[0] == pytest.approx([0.75 * 3 / 4, 0.75 / 4, 0, 0])
    assert weighed.citations.sum() == 0


def test_inverse_temperatures_fall_from_1_by_eta_as_long_as_they_are_not_below_b() -> None:
    assert inverse_temperatures(0.8, 0.9) == pytest.approx([1, 0.9, 0.81])
    assert inverse_temperatures(0.81, 0.9) == pytest.approx([1, 0.9, 0.81])
    assert inverse_temperatures(1.0, 0.9) == [1]


def test_one_step_is_that_by_hand() -> None:
    # One document with term 0 four times, term 1 twice and citation 0 six times, a = 1/2: weights 2, 1, 3. Two factors.
    # P(t0|z) = 3/4, 1/4; P(t1|z) = 1/4, 3/4; P(c0|z) = 1, 1; P(z|d) = 1/2, 1/2.
    # E: P(z1|t0) = 3/4, P(z1|t1) = 1/4, P(z1|c0) = 1/2.
    # M: P(z1|d) = (2 · 3/4 + 1/4 + 3/2) / 6 = 13/24; P(t0|z1) = (3/2) / (3/2 + 1/4) = 6/7; P(t0|z2) = (1/2) / (1/2 + 3/4) = 2/5
    # L = 2 log 1/2 + 1 log 1/2 + 3 log 1
    factors = Factors(np.array([[0.75, 0.25], [0.25, 0.75]]), np.array([[1.0, 1.0]]), np.array([[0.5, 0.5]]))
    new, objective = em_step(seen([4, 2], [6]), factors, 1.0)
    assert objective == pytest.approx(3 * np.log(0.5))
    assert new.documents[0] == pytest.approx([13 / 24, 11 / 24])
    assert new.terms == pytest.approx(np.array([[6 / 7, 2 / 5], [1 / 7, 3 / 5]]))
    assert new.citations.tolist() == [[1, 1]]


def test_a_tempered_step_is_that_by_hand() -> None:
    # b = 1/2, P(t0|z) = 16/25, 9/25: P(z1|t0) = 4/7 instead of 16/25, whatever the even P(z|d) is
    factors = Factors(np.array([[0.64, 0.36], [0.36, 0.64]]), np.array([[1.0, 1.0]]), np.array([[0.5, 0.5]]))
    new, _ = em_step(seen([2, 0], [0]), factors, 0.5)
    assert new.documents[0] == pytest.approx([4 / 7, 3 / 7])


@given(st.integers(0, 1000), st.floats(0, 1), st.sampled_from([1.0, 0.9, 0.5]), st.booleans())
def test_no_step_lowers_what_is_maximised(seed: int, a: float, b: float, normalise: bool) -> None:
    documents = observed(a, normalise=normalise)
    factors, values = random_factors(documents, 3, seed), []
    for _ in range(15):
        if b == 1.0:
            expected = likelihood(documents, factors)
        factors, objective = em_step(documents, factors, b)
        values.append(objective)
        if b == 1.0:
            assert objective == pytest.approx(expected, abs=1e-9)
    assert all(later >= earlier - 1e-9 for earlier, later in pairwise(values))


@given(st.integers(0, 1000))
def test_probabilities_stay_distributions(seed: int) -> None:
    factors = fit(observed(), 3, inverse_temperatures(0.8, 0.9), 5, seed)
    for columns in (factors.terms, factors.citations):
        assert columns.sum(axis=0) == pytest.approx([1] * 3)
    assert factors.documents.sum(axis=1) == pytest.approx([1] * 4)


@pytest.mark.parametrize("seed", range(2))
def test_two_clear_clusters_are_told_apart(seed: int) -> None:
    documents = fit(observed(), 2, inverse_temperatures(0.8, 0.9), 50, seed).documents
    solar = int(documents[0].argmax())
    assert documents[:2, solar] == pytest.approx(1, abs=1e-3)
    assert documents[2:, solar] == pytest.approx(0, abs=1e-3)


def test_citations_alone_tell_clusters_apart_where_a_is_0() -> None:
    documents = fit(observed(a=0), 2, [1.0], 50, seed=1).documents
    assert documents[0] == pytest.approx(documents[1], abs=1e-6)
    assert abs(documents[0] - documents[2]).max() > 0.99


def test_a_document_is_folded_in_by_its_citations_or_its_terms_and_the_factors_stay() -> None:
    factors = fit(observed(), 2, inverse_temperatures(0.8, 0.9), 50, seed=0)
    before = factors.terms.copy(), factors.citations.copy()
    query = fold_in(factors, seen([1, 0, 0, 0], [0, 0]), 1.0, 50)
    near, far = (fold_in(factors, seen([0] * 4, cited), 1.0, 50) for cited in ([1, 0], [0, 1]))
    assert factor_cosines(query, np.vstack([near, far])) == pytest.approx([1, 0], abs=1e-2)
    assert (factors.terms.tolist(), factors.citations.tolist()) == (before[0].tolist(), before[1].tolist())


def test_a_document_of_which_nothing_is_known_is_made_of_what_all_are_made_of() -> None:
    # a term and a citation that no factor has explain nothing either
    factors = Factors(np.array([[1.0, 1], [0, 0]]), np.array([[0.0, 0]]), np.array([[0.9, 0.1], [0.5, 0.5]]))
    for terms, citations in (([0, 0], [0]), ([0, 4], [1])):
        assert fold_in(factors, seen(terms, citations), 0.8, 5)[0] == pytest.approx([0.7, 0.3])


def test_nothing_observed_is_no_mistake() -> None:
    nothing = Observations(csr_array((2, 3)), csr_array((2, 1)))
    factors = fit(nothing, 4, [1.0, 0.9], 5, seed=0)
    assert factors.documents.tolist() == [[0.25] * 4] * 2
    assert fold_in(factors, Observations(csr_array((0, 3)), csr_array((0, 1))), 0.9, 5).shape == (0, 4)


def test_weights_become_distributions_and_zeros_a_uniform_one() -> None:
    assert distributions(np.array([[1.0, 3.0], [0.0, 0.0]])).tolist() == [[0.25, 0.75], [0.5, 0.5]]
