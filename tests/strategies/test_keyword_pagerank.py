"""Keyword count, then PageRank: the order of what waits, by what stands on the pages that link to it."""

import pytest

from focused.crawl.strategy import Changes
from focused.papers.strategies.keyword_pagerank import KeywordPageRank
from focused.testing.toy_world import Visits, crawled, make_page, rescored, toy_world, waiting

A, B, X, Y, Z = (f"http://{name}/" for name in "abxyz")


def changes_of(*pages: tuple[str, str, list[str]]) -> Changes:
    """What X, Y and Z get, where the keywords are solar and panel."""
    visits, world = Visits(), toy_world({"solar": 1, "panel": 1})
    made = (make_page(url, (text, links)) for url, text, links in pages)
    strategy = crawled(KeywordPageRank(KeywordPageRank.Options(), world), visits, *made)
    return rescored(strategy, waiting(strategy, visits, [X, Y, Z])).changes


def test_keywords_of_all_parents_count_once_each() -> None:
    changes = changes_of((A, "solar solar tax", [X, Y]), (B, "solar panel", [Y]))
    assert changes.parts[:, 0].tolist() == [1, 2, 0]


def test_more_keywords_come_before_any_rank_and_rank_decides_among_equals() -> None:
    # Both link to X, so that its rank is best; Y and Z have a keyword more, and Z also the only link of a page.
    changes = changes_of((A, "tax", [X]), (B, "tax", [X]), ("http://c/", "solar", [Y, Z]), ("http://d/", "hat", [Z]))
    (x, y, z), ranks = changes.scores, changes.parts[:, 1]
    assert ranks[0] > ranks[2] > ranks[1]
    assert z > y > x
    assert changes.scores == pytest.approx(changes.parts[:, 0] + ranks / (1 + ranks))


def test_without_keywords_it_is_pagerank_alone() -> None:
    visits = Visits()
    strategy = crawled(KeywordPageRank(KeywordPageRank.Options(), toy_world({})), visits, make_page(A, ("solar", [X])))
    changes = rescored(strategy, waiting(strategy, visits, [X])).changes
    assert changes.parts[:, 0].tolist() == [0]
    assert 0 < changes.scores[0] < 1
