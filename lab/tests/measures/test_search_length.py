"""Search length, against numbers counted by hand."""

from __future__ import annotations

import math

import pytest

from focused.exceptions import FocusedError
from lab.measures import search_length
from lab.tests.measures.crawls import crawl, judged


@pytest.mark.parametrize(("share", "pages"), [(0.01, 2), (0.25, 2), (0.26, 4), (0.5, 4), (0.75, 5), (1.0, 7)])
def test_it_counts_pages_until_the_share_of_targets_is_in(share: float, pages: int) -> None:
    assert search_length(crawl("x t y u v z w"), judged("t u v w"), share) == pages


def test_a_share_of_the_reachable_targets_that_is_never_reached_takes_for_ever() -> None:
    assert search_length(crawl("t x"), judged("t u v"), 0.5) == math.inf
    assert search_length(crawl("t x"), judged("t u v", reachable="t"), 0.5) == 1
    assert search_length(crawl(""), judged("t"), 0.5) == math.inf


@pytest.mark.parametrize("tenths", range(1, 11))
def test_a_share_is_reached_whatever_rounding_does(tenths: int) -> None:
    for targets in range(1, 40):
        names = " ".join(f"t{number}" for number in range(targets))
        assert search_length(crawl(names), judged(names), tenths / 10) == -(-targets * tenths // 10)


def test_a_share_that_rounding_made_larger_is_reached_all_the_same() -> None:
    assert 0.1 * 3 > 3 / 10
    assert search_length(crawl("0 1 2 3 4 5 6 7 8 9"), judged("0 1 2 3 4 5 6 7 8 9"), 0.1 * 3) == 3


@pytest.mark.parametrize("share", [0.0, -0.1, 1.1, math.nan])
def test_an_impossible_share_is_refused(share: float) -> None:
    with pytest.raises(FocusedError, match=rf"^a share of the targets is more than 0 and at most 1, not {share}$"):
        search_length(crawl("t"), judged("t"), share)


def test_half_of_the_targets_is_meant_where_nothing_else_is_said() -> None:
    assert search_length(crawl("x t y u v z w"), judged("t u v w")) == 4
