"""Distances to the nearest target are the same whether they are kept up to date or computed from scratch."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from lab.crawlers.web_links import NO_PAGE, WebLinks
from lab.crawlers.yardsticks.oracle import FAR, TargetDistances

Edges = Sequence[tuple[int, int]]
nodes = st.integers(0, 11)


def graph(size: int, edges: Edges) -> WebLinks:
    keys = np.arange(size, dtype=np.int64)
    links = [np.array([head for tail, head in edges if tail == node], np.int32) for node in range(size)]
    return WebLinks.joined(keys, keys.astype(np.int32), links)


def array(values: Any) -> np.ndarray:
    return np.array(sorted(values), np.int32)


def distances_by_hand(size: int, edges: Edges, targets: set[int], taken: set[int]) -> list[int]:
    """The longest way round: shorten distances along links until nothing changes."""
    found = [0 if node in targets - taken else FAR for node in range(size)]
    for _ in range(size):
        for tail, head in edges:
            if tail not in taken and head not in taken:
                found[tail] = min(found[tail], found[head] + 1)
    return found


@given(st.lists(st.tuples(nodes, nodes), max_size=40), st.sets(nodes, max_size=6), st.permutations(range(12)))
def test_taking_pages_away_one_by_one_is_as_good_as_starting_anew(edges, targets, order):
    links = graph(12, edges)
    distances = TargetDistances(links, array(targets))
    for number, page in enumerate(order):
        before = distances.distance.copy(), distances.near.copy()
        changed = distances.take(page)
        taken = set(order[: number + 1])
        assert distances.distance.tolist() == distances_by_hand(12, edges, targets, taken)
        alive = targets - taken
        assert distances.near.tolist() == [
            len({h for t, h in edges if t == node and h != t} & alive) for node in range(12)
        ]
        differs = (before[0] != distances.distance) | (before[1] != distances.near)
        differs[page] = False  # whoever took it knows
        assert set(np.flatnonzero(differs).tolist()) <= set(changed.tolist())


@given(st.lists(st.tuples(nodes, nodes), max_size=40), st.sets(nodes, max_size=6), st.sets(nodes), nodes)
def test_one_that_begins_with_pages_taken_goes_on_as_one_that_took_them(edges, targets, taken, page):
    links = graph(12, edges)
    one, other = TargetDistances(links, array(targets)), TargetDistances(links, array(targets), array(taken))
    for node in taken:
        one.take(node)
    for distances in (one, other):
        distances.take(page)
    assert one.taken.tolist() == other.taken.tolist() == sorted(taken | {page})
    assert one.distance.tolist() == other.distance.tolist()
    assert one.near.tolist() == other.near.tolist()


def test_a_page_is_cut_off_when_the_last_way_to_a_target_is_gone():
    distances = TargetDistances(graph(4, [(0, 1), (1, 2), (0, 3), (3, 2)]), array({2}))
    assert distances.distance.tolist() == [2, 1, 0, 1]
    assert distances.take(1).tolist() == []  # page 0 has another way of the same length
    assert distances.take(3).tolist() == [0]
    assert distances.distance[0] == FAR


def test_the_same_page_is_taken_once():
    distances = TargetDistances(graph(2, [(0, 1)]), array({1}))
    assert distances.take(1).tolist() == [0]
    assert distances.take(1).tolist() == []
    assert distances.near.tolist() == [0, 0]


def test_targets_that_are_no_page_are_passed_over():
    distances = TargetDistances(graph(2, [(0, 1)]), np.array([NO_PAGE, 1], np.int32))
    assert distances.distance.tolist() == [1, 0]
