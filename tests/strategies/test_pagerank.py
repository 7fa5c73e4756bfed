"""PageRank as a strategy: which nodes the graph has, and that what waits is ordered by their ranks."""

from __future__ import annotations

import numpy as np
import pytest

from focused.crawl.strategy import Waiting
from focused.strategies.pagerank import PageRank, dense_numbers
from tests.contract.world import Visits, arrive, make_page, toy_world


def rescored(links: dict[str, list[str]], waiting: list[str], **options: float) -> list[float]:
    """The scores of what waits when pages with these links have been fetched."""
    strategy, visits = PageRank(PageRank.Options(**options), toy_world()), Visits()
    for url, targets in links.items():
        arrive(strategy, visits.of(make_page(url, ("tax", targets))), visits)
    ids = np.array([visits.id(url) for url in waiting])
    changes = strategy.rescore(Waiting(ids, np.zeros(len(ids)), np.zeros((len(ids), 1))))().changes
    assert changes.ids.tolist() == ids.tolist()
    assert changes.parts.tolist() == [[score] for score in changes.scores]
    return changes.scores.tolist()


def test_what_waits_has_its_rank_after_one_step_by_hand() -> None:
    # a links to b and c, b (fetched) to c; c and the seed d, which nothing links to, wait: c and d share 2 among 4 nodes.
    scores = rescored(
        {"http://a/": ["http://b/", "http://c/"], "http://b/": ["http://c/"]}, ["http://c/", "http://d/"], iterations=1
    )
    assert scores == pytest.approx([0.2 + 0.8 * (0.5 + 1 + 0.5), 0.2 + 0.8 * 0.5])


def test_damping_says_how_much_flows_along_links() -> None:
    links, waiting = {"http://a/": ["http://b/", "http://c/"], "http://b/": ["http://c/"]}, ["http://c/"]
    assert rescored(links, waiting, damping=0.0) == [1]
    # d = 1: a stays with a third of c, b has that and half of a: the ranks 6 : 9 : 18 of 33 (c gives 6 to each)
    assert rescored(links, waiting, damping=1.0, iterations=1000) == pytest.approx([18 / 11])


def test_a_link_of_an_important_page_comes_before_one_of_another() -> None:
    links = {
        "http://a/": ["http://b/", "http://c/"],
        "http://b/": ["http://c/", "http://by-b/"],
        "http://c/": ["http://a/", "http://by-c/"],
    }
    by_b, by_c = rescored(links, ["http://by-b/", "http://by-c/"])
    assert by_c > by_b


def test_numbers_are_given_to_ids_that_stand_in_any_group_in_their_order() -> None:
    number, count = dense_numbers(np.array([7, 2]), np.array([2, 4]), np.array([], np.int64))
    assert count == 3
    assert number[[2, 4, 7]].tolist() == [0, 1, 2]
