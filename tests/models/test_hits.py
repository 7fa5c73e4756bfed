"""Hubs and authorities on graphs small enough for a pencil."""

import numpy as np
import pytest

from focused.crawl.arrays import FloatArray
from focused.papers.strategies.focused import hits

GOLDEN = (1 + 5**0.5) / 2

# Hub 0 links to the authorities 2 and 3, hub 1 to 3 alone.
SOURCES, TARGETS = np.array([0, 0, 1]), np.array([2, 3, 3])


def run(forward: list[float], backward: list[float], rounds: int = 30) -> tuple[FloatArray, FloatArray]:
    return hits(SOURCES, TARGETS, np.array(forward), np.array(backward), 4, rounds)


def test_one_round_by_hand() -> None:
    # authorities: 1/4 and 2/4, so 1/3 and 2/3; hubs: 1/3 + 2/3 and 2/3, so 3/5 and 2/5
    hubs, authorities = run([1, 1, 1], [1, 1, 1], rounds=1)
    assert authorities == pytest.approx([0, 0, 1 / 3, 2 / 3])
    assert hubs == pytest.approx([3 / 5, 2 / 5, 0, 0])


def test_without_weights_it_is_kleinberg_s() -> None:
    # A'A = [[1, 1], [1, 2]] has the eigenvector (1, golden ratio), AA' = [[2, 1], [1, 1]] (golden ratio, 1)
    hubs, authorities = run([1, 1, 1], [1, 1, 1])
    assert authorities[3] / authorities[2] == pytest.approx(GOLDEN)
    assert hubs[0] / hubs[1] == pytest.approx(GOLDEN)


def test_forward_weights_go_to_authorities_and_backward_weights_to_hubs() -> None:
    # forward .5 to node 2 and 1 to node 3: 1/8 and 2/4, so 1/5 and 4/5; backward .5 from hub 1: 1 and .4, so 5/7 and 2/7
    hubs, authorities = run([0.5, 1, 1], [1, 1, 0.5], rounds=1)
    assert authorities == pytest.approx([0, 0, 1 / 5, 4 / 5])
    assert hubs == pytest.approx([5 / 7, 2 / 7, 0, 0])


def test_edges_without_weight_and_no_edges_give_zeros() -> None:
    assert run([0, 0, 0], [1, 1, 1])[0].tolist() == [0, 0, 0, 0]
    none = np.empty(0, np.int64)
    assert hits(none, none, np.empty(0), np.empty(0), 0)[0].tolist() == []
