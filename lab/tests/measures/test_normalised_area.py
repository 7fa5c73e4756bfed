"""The area of a crawl as a share of that of a perfect one, against numbers computed by hand."""

from __future__ import annotations

import pytest

from lab.measures import normalised_area
from lab.tests.measures.crawls import crawl, judged


def test_it_is_the_area_divided_by_that_of_targets_alone() -> None:
    # recall 0, 1/2, 1/2, 1; at best 1/2, 1, 1, 1
    assert normalised_area(crawl("x t y u"), judged("t u"), 4) == pytest.approx(2 / 3.5)


def test_targets_alone_give_one_even_if_there_are_more_than_pages() -> None:
    assert normalised_area(crawl("t u v"), judged("t u v"), 9) == pytest.approx(1.0)
    assert normalised_area(crawl("t u v"), judged("t u v w"), 2) == pytest.approx(1.0)


def test_only_reachable_targets_count() -> None:
    assert normalised_area(crawl("t x"), judged("t u v", reachable="t"), 2) == pytest.approx(1.0)
    assert normalised_area(crawl("x y"), judged("t u v", reachable="t"), 2) == 0.0
