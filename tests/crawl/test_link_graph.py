"""The link graph holds each edge once, in order of arrival."""

from __future__ import annotations

import numpy as np

from focused.collection.snapshot import decode, encode
from focused.crawl.link_graph import LinkGraph


def graph(**targets: list[int]) -> LinkGraph:
    made = LinkGraph()
    for page, linked in targets.items():
        made.add(int(page[1:]), np.array(linked, np.int64))
    return made


def test_repeated_links_count_once_and_links_to_oneself_not_at_all() -> None:
    made = graph(p5=[7, 5, 7, 3], p3=[5])
    sources, targets = made.edges()
    assert list(zip(sources.tolist(), targets.tolist(), strict=True)) == [(5, 7), (5, 3), (3, 5)]
    assert len(made) == 3


def test_a_page_has_its_targets_and_what_was_not_fetched_has_none() -> None:
    made = graph(p5=[7, 3], p9=[], p3=[5])
    assert [made.targets(page).tolist() for page in (5, 9, 3, 7)] == [[7, 3], [], [5], []]
    assert made.pages.tolist() == [5, 9, 3]
    assert 9 in made
    assert 7 not in made


def test_an_empty_graph_has_no_edges() -> None:
    assert [array.tolist() for array in LinkGraph().edges()] == [[], []]


def test_a_restored_graph_goes_on() -> None:
    made, restored = graph(p5=[7, 3]), LinkGraph()
    restored.restore(decode(encode(made.snapshot())))
    for some in (made, restored):
        some.add(3, np.array([5]))
    np.testing.assert_array_equal(np.array(restored.edges()), np.array(made.edges()))
    assert restored.targets(5).tolist() == [7, 3]


def test_a_page_that_has_changed_gets_more_links_and_stays_one_page() -> None:
    made = graph(p5=[7, 3], p3=[5])
    made.add(5, np.array([9]))
    restored = LinkGraph()
    restored.restore(decode(encode(made.snapshot())))
    for some in (made, restored):
        assert some.pages.tolist() == [5, 3]
        assert some.targets(5).tolist() == [7, 3, 9]
        assert list(zip(*(ends.tolist() for ends in some.edges()), strict=True)) == [(5, 7), (5, 3), (3, 5), (5, 9)]
