"""Context graphs: each page stands in the layer of its shortest way to a target."""

from random import Random

import numpy as np
import pytest

from focused.papers.models.layers import context_graph, distances, merged

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


@pytest.mark.parametrize(
    ("targets", "depth", "expected"),
    [
        ((0,), 3, [0, 1, 4, 2, 1, 3, 4, 4]),
        ((0,), 2, [0, 1, 3, 2, 1, 3, 3, 3]),
        ((0, 3), 3, [0, 1, 4, 0, 1, 1, 4, 4]),
        ((6,), 1, [2, 2, 2, 2, 2, 2, 0, 1]),
    ],
)
def test_distances_count_the_links_to_the_nearest_target(
    targets: tuple[int, ...], depth: int, expected: list[int]
) -> None:
    sources, ends = (np.array(column, np.int64) for column in zip(*LINKS, strict=True))
    assert distances(targets, sources, ends, pages=8, depth=depth).tolist() == expected


def test_a_layer_of_just_as_many_pages_as_may_be_is_whole() -> None:
    assert graph(0, most=3)[1] == graph(0)[1]
    assert sorted(graph(0, most=2)[1]) == [1, 4]
