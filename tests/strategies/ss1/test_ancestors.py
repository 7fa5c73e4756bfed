"""Inherited relevance: generations counted by hand, and agreement with the sum over all paths."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from focused.strategies.ss1.ancestors import inherited_relevance

#: 0 and 1 link to 2; 0 and 2 link to 3, which nobody has fetched.
SOURCES, TARGETS = np.array([0, 1, 0, 2]), np.array([2, 2, 3, 3])
RELEVANCE = np.array([1.0, 0.5, 0.2, 0.0])

edges = st.sets(st.tuples(st.integers(0, 5), st.integers(0, 5)))


def test_parents_give_a_part_and_grandparents_a_part_of_it() -> None:
    parents, older = inherited_relevance(RELEVANCE, SOURCES, TARGETS, decay=0.5, generations=5)
    assert parents == pytest.approx([0, 0, 0.75, 0.6])  # 0.5 (1 + 0.5) and 0.5 (1 + 0.2)
    assert older == pytest.approx([0, 0, 0, 0.375])  # 0.25 (1 + 0.5), by way of 2


def test_with_max_only_the_most_counts() -> None:
    parents, older = inherited_relevance(RELEVANCE, SOURCES, TARGETS, decay=0.5, generations=5, combination="max")
    assert parents == pytest.approx([0, 0, 0.5, 0.5])
    assert older == pytest.approx([0, 0, 0, 0.25])


@pytest.mark.parametrize("combination", ["sum", "max"])
def test_without_links_nothing_is_inherited(combination: str) -> None:
    none = np.empty(0, np.int64)
    for found in inherited_relevance(np.ones(3), none, none, decay=0.5, generations=3, combination=combination):
        assert found.tolist() == [0, 0, 0]


@given(edges, st.lists(st.floats(0, 1), min_size=6, max_size=6), st.integers(1, 5))
def test_generations_are_powers_of_the_link_matrix(
    pairs: set[tuple[int, int]], relevance: list[float], generations: int
) -> None:
    links = np.zeros((6, 6))
    for source, target in pairs:
        links[target, source] = 1
    expected = [0.7**k * np.linalg.matrix_power(links, k) @ relevance for k in range(1, generations + 1)]
    parents, older = inherited_relevance(
        np.array(relevance),
        np.array([source for source, _ in pairs], int),
        np.array([target for _, target in pairs], int),
        decay=0.7,
        generations=generations,
    )
    assert parents == pytest.approx(expected[0])
    assert older == pytest.approx(np.sum(expected[1:], axis=0) if generations > 1 else np.zeros(6))


@given(edges, st.lists(st.floats(0, 1), min_size=6, max_size=6), st.integers(1, 5))
def test_with_max_older_ancestors_give_the_most_of_what_any_generation_gives(
    pairs: set[tuple[int, int]], relevance: list[float], generations: int
) -> None:
    given_by = [relevance]
    for _ in range(generations):
        given_by.append([0.7 * max((given_by[-1][s] for s, t in pairs if t == node), default=0.0) for node in range(6)])
    sources, targets = (np.array([pair[end] for pair in pairs], int) for end in (0, 1))
    parents, older = inherited_relevance(
        np.array(relevance), sources, targets, decay=0.7, generations=generations, combination="max"
    )
    assert parents == pytest.approx(given_by[1])
    assert older == pytest.approx(np.max([np.zeros(6), *given_by[2:]], axis=0))
