"""PageRank as a strategy: which nodes the graph has, and that what waits is ordered by their ranks."""

import numpy as np
import pytest

from focused.papers.strategies.pagerank import PageRank, dense_numbers
from focused.testing.toy_world import Visits, crawled, make_page, toy_world, waiting
from focused.testing.toy_world import rescored as rescored_by


def rescored(links: dict[str, list[str]], urls: list[str], **options: float) -> list[float]:
    """The scores of what waits when pages with these links have been fetched."""
    visits, pages = Visits(), [make_page(url, ("tax", targets)) for url, targets in links.items()]
    strategy = crawled(PageRank(PageRank.Options(**options), toy_world()), visits, *pages)
    changes = rescored_by(strategy, waiting(strategy, visits, urls)).changes
    assert changes.ids.tolist() == [visits.id(url) for url in urls]
    assert changes.parts.tolist() == [[score] for score in changes.scores]
    return changes.scores.tolist()


def test_what_waits_has_its_rank_after_one_step_by_hand() -> None:
    # a links to b and c, b (fetched) to c; c and the seed d, which nothing links to, wait: c and d share 2 among 4 nodes.
    scores = rescored(
        {"http://a/": ["http://b/", "http://c/"], "http://b/": ["http://c/"]}, ["http://c/", "http://d/"], iterations=1
    )
    assert scores == pytest.approx([0.2 + 0.8 * (0.5 + 1 + 0.5), 0.2 + 0.8 * 0.5])


def test_damping_says_how_much_flows_along_links() -> None:
    links, urls = {"http://a/": ["http://b/", "http://c/"], "http://b/": ["http://c/"]}, ["http://c/"]
    assert rescored(links, urls, damping=0.0) == [1]
    # d = 1: a stays with a third of c, b has that and half of a: the ranks 6 : 9 : 18 of 33 (c gives 6 to each)
    assert rescored(links, urls, damping=1.0, iterations=1000) == pytest.approx([18 / 11])


def test_numbers_are_given_to_ids_that_stand_in_any_group_in_their_order() -> None:
    number, count = dense_numbers(np.array([7, 2]), np.array([2, 4]), np.array([], np.int64))
    assert count == 3
    assert number[[2, 4, 7]].tolist() == [0, 1, 2]


def test_no_ids_have_no_numbers() -> None:
    assert dense_numbers(np.array([], np.int64))[1] == 0


def test_what_is_linked_to_and_neither_was_fetched_nor_waits_is_a_node_as_well() -> None:
    # a links to b and to x, which failed: b, x share 2 among 3 nodes.
    scores = rescored({"http://a/": ["http://x/", "http://b/"]}, ["http://b/"], iterations=1)
    assert scores == pytest.approx([0.2 + 0.8 * (1 / 2 + 2 / 3)])
