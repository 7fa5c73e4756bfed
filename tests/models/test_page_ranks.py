"""PageRank: steps counted by hand, and the ranks they lead to as the solution of a system of equations."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from focused.crawl.arrays import FloatArray
from focused.papers.strategies.pagerank import pagerank

#: 0 links to 1 and 2, 1 links to 2, 2 has no links.
SOURCES, TARGETS = np.array([0, 0, 1]), np.array([1, 2, 2])

edges = st.sets(st.tuples(st.integers(0, 7), st.integers(0, 7)))


def solution(sources: list[int], targets: list[int], nodes: int, damping: float) -> FloatArray:
    """Ranks by definition: the rank of a node without links flows to all, d of each rank flows, 1 - d comes anew."""
    flow = np.zeros((nodes, nodes))
    flow[targets, sources] = 1
    flow[:, flow.sum(axis=0) == 0] = 1
    flow /= flow.sum(axis=0)
    return np.linalg.solve(np.eye(nodes) - damping * flow, np.full(nodes, 1 - damping))


def test_one_step_by_hand() -> None:
    # Each is worth 1 before; the third part of node 2 comes to each: 1/3.
    # node 0: 0.2 + 0.8 * 1/3;  node 1: 0.2 + 0.8 (1/2 + 1/3);  node 2: 0.2 + 0.8 (1/2 + 1 + 1/3)
    assert pagerank(SOURCES, TARGETS, 3, iterations=1) == pytest.approx([0.4666667, 0.8666667, 1.6666667])


@given(edges, st.sampled_from([0.0, 0.5, 0.8, 0.9]))
def test_many_steps_lead_to_the_solution(pairs: set[tuple[int, int]], damping: float) -> None:
    sources, targets = [source for source, _ in pairs], [target for _, target in pairs]
    ranks = pagerank(np.array(sources, int), np.array(targets, int), 8, damping=damping, iterations=1000)
    assert ranks == pytest.approx(solution(sources, targets, 8, damping), abs=1e-6)
    assert ranks.mean() == pytest.approx(1)


def test_ten_steps_are_near_the_solution() -> None:
    exact = solution(SOURCES.tolist(), TARGETS.tolist(), 3, 0.8)
    assert pagerank(SOURCES, TARGETS, 3) == pytest.approx(exact, abs=0.01)


def test_there_are_ten_steps_where_nothing_else_is_said() -> None:
    found = pagerank(SOURCES, TARGETS, 3)
    assert found.tolist() == pagerank(SOURCES, TARGETS, 3, iterations=10).tolist()
    assert found.tolist() != pagerank(SOURCES, TARGETS, 3, iterations=11).tolist()
