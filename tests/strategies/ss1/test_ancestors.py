"""Inherited relevance: generations counted by hand, and agreement with powers of the link matrix."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from focused.papers.strategies.ss1 import inherited_relevance

#: 0 and 1 link to 2; 0 and 2 link to 3, which nobody has fetched.
SOURCES, TARGETS = np.array([0, 1, 0, 2]), np.array([2, 2, 3, 3])
RELEVANCE = np.array([1.0, 0.5, 0.2, 0.0])

edges = st.sets(st.tuples(st.integers(0, 5), st.integers(0, 5)))


def test_parents_give_a_part_and_grandparents_a_part_of_it() -> None:
    parents, older = inherited_relevance(RELEVANCE, SOURCES, TARGETS, decay=0.5)
    assert parents == pytest.approx([0, 0, 0.75, 0.6])  # 0.5 (1 + 0.5) and 0.5 (1 + 0.2)
    assert older == pytest.approx([0, 0, 0, 0.375])  # 0.25 (1 + 0.5), by way of 2


def test_with_max_only_the_most_counts() -> None:
    parents, older = inherited_relevance(RELEVANCE, SOURCES, TARGETS, decay=0.5, combination="max")
    assert parents == pytest.approx([0, 0, 0.5, 0.5])
    assert older == pytest.approx([0, 0, 0, 0.25])


@pytest.mark.parametrize("combination", ["sum", "max"])
def test_without_links_nothing_is_inherited(combination: str) -> None:
    none = np.empty(0, np.int64)
    for found in inherited_relevance(np.ones(3), none, none, decay=0.5, combination=combination):
        assert found.tolist() == [0, 0, 0]


@given(edges, st.lists(st.floats(0, 1), min_size=6, max_size=6), st.sampled_from([1, 2, 5, 0]), st.booleans())
def test_a_generation_is_all_from_which_a_path_of_so_many_links_leads_each_once(
    pairs: set[tuple[int, int]], relevance: list[float], generations: int, most: bool
) -> None:
    links = np.zeros((6, 6), bool)
    for source, target in pairs:
        links[target, source] = True
    given, here = [], np.eye(6, dtype=bool)
    for k in range(1, (generations or 60) + 1):
        here = links @ here
        handed = 0.7**k * here * np.array(relevance)
        given.append(handed.max(axis=1) if most else handed.sum(axis=1))
    sources, targets = (np.array([pair[end] for pair in pairs], int) for end in (0, 1))
    parents, older = inherited_relevance(
        np.array(relevance), sources, targets, decay=0.7, generations=generations, combination="max" if most else "sum"
    )
    assert parents == pytest.approx(given[0])
    combined = np.max if most else np.sum
    assert older == pytest.approx(combined([np.zeros(6), *given[1:]], axis=0), abs=1e-4)


def test_ancestors_are_added_up_however_many_are_looked_at_together(monkeypatch: pytest.MonkeyPatch) -> None:
    count = 200  # all link to the last, and each to the next
    sources = np.concatenate([np.arange(count - 1), np.arange(count - 2)])
    targets = np.concatenate([np.full(count - 1, count - 1), np.arange(1, count - 1)])
    at_once = inherited_relevance(np.ones(count), sources, targets, decay=0.5)
    monkeypatch.setattr("focused.papers.strategies.ss1.TOGETHER", 64)
    in_parts = inherited_relevance(np.ones(count), sources, targets, decay=0.5)
    assert np.array(in_parts) == pytest.approx(np.array(at_once))
    assert at_once[0][-1] == pytest.approx(0.5 * (count - 1))
