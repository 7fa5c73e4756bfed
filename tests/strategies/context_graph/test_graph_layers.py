"""Context graphs: each page stands in the layer of its shortest way to a target."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from focused.strategies.context_graph.graph_layers import context_graph, merged

#: 5 -> 3 -> 1 -> 0, 4 -> 1, 4 -> 0, 0 -> 5, 2 -> 2, 7 -> 6
LINKS = [(5, 3), (3, 1), (1, 0), (4, 1), (4, 0), (0, 5), (2, 2), (7, 6)]


def graph(*targets: int, depth: int = 3, most: int = 300, seed: int = 0) -> list[list[int]]:
    sources, ends = (np.array(column, np.int64) for column in zip(*LINKS, strict=True))
    return context_graph(targets, sources, ends, depth=depth, most=most, chance=Random(seed))


@pytest.mark.parametrize(
    ("targets", "layers"),
    [
        ((0,), [[0], [1, 4], [3], [5]]),
        ((0, 3), [[0, 3], [1, 4, 5], [], []]),
        ((6,), [[6], [7], [], []]),
        ((9,), [[9], [], [], []]),
    ],
)
def test_links_are_followed_backwards(targets: tuple[int, ...], layers: list[list[int]]) -> None:
    assert graph(*targets) == layers


def test_a_large_layer_is_drawn_from_and_only_what_was_drawn_is_followed() -> None:
    drawn = {tuple(map(tuple, graph(0, most=1, seed=seed))) for seed in range(20)}
    assert drawn == {((0,), (1,), (3,), (5,)), ((0,), (4,), (), ())}


def test_no_links_are_no_mistake() -> None:
    none = np.empty(0, np.int64)
    assert context_graph([3], none, none, depth=2, most=1, chance=Random(0)) == [[3], [], []]


def test_the_layers_of_several_graphs_are_put_together() -> None:
    assert merged([graph(0), graph(6)]) == [[0, 6], [1, 4, 7], [3], [5]]
