"""Breadth-first: the order of discovery, and nothing else."""

from focused.strategies.breadth_first import BreadthFirst
from focused.testing.toy_world import make_page, toy_world, visit_of


def test_all_links_are_equal_so_that_the_frontier_hands_them_out_as_they_came() -> None:
    strategy = BreadthFirst(BreadthFirst.Options(), toy_world())
    page = make_page("http://a.example/", ("solar", ["http://b.example/"]), ("tax", ["http://c.example/"]))
    scores, parts = strategy.score(visit_of(page))
    assert scores.tolist() == [0, 0]
    assert parts.shape == (2, 0)


def test_a_full_frontier_takes_no_more_links_instead_of_evicting_some() -> None:
    assert not BreadthFirst.evicts
