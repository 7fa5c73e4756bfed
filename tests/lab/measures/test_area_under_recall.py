"""Area under the recall curve, against numbers computed by hand."""

from __future__ import annotations

import pytest

from focused.exceptions import FocusedError
from lab.measures.area_under_recall import area_under_recall
from tests.lab.measures.crawls import crawl, judged


def test_it_is_the_mean_recall_over_the_budget() -> None:
    # 0, 1/2, 1/2, 1
    assert area_under_recall(crawl("x t y u"), judged("t u"), 4) == 0.5


def test_a_crawl_that_ended_early_keeps_its_recall() -> None:
    # 0, 1/2 and eight times 1/2
    assert area_under_recall(crawl("x t"), judged("t u"), 10) == pytest.approx(0.45)


def test_pages_beyond_the_budget_do_not_count() -> None:
    assert area_under_recall(crawl("t x u v"), judged("t u v w"), 2) == 0.25


def test_all_targets_at_once_give_one_and_none_zero() -> None:
    assert area_under_recall(crawl("t"), judged("t"), 5) == 1.0
    assert area_under_recall(crawl("x"), judged("t"), 5) == 0.0
    assert area_under_recall(crawl(""), judged("t"), 5) == 0.0


def test_only_reachable_targets_count() -> None:
    assert area_under_recall(crawl("t x"), judged("t u", reachable="t"), 2) == 1.0


def test_a_budget_of_no_pages_is_refused() -> None:
    with pytest.raises(FocusedError, match=r"^the budget of an area .* must be 1 page or more, not 0$"):
        area_under_recall(crawl("t"), judged("t"), 0)
