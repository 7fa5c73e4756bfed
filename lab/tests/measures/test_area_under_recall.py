"""Area under the recall curve, against numbers computed by hand."""

from __future__ import annotations

import pytest

from focused.exceptions import FocusedError
from lab.measures import area_under_recall
from lab.tests.measures.crawls import crawl, judged


@pytest.mark.parametrize(
    ("fetched", "targets", "budget", "area"),
    [
        ("x t y u", "t u", 4, 0.5),  # 0, 1/2, 1/2, 1
        ("x t", "t u", 10, 0.45),  # ended early: 0 and nine times 1/2
        ("t x u v", "t u v w", 2, 0.25),  # pages beyond the budget do not count
        ("t x", "t u", 1, 0.5),  # the smallest budget
        ("t", "t", 5, 1.0),
        ("x", "t", 5, 0.0),
        ("", "t", 5, 0.0),
    ],
)
def test_it_is_the_mean_recall_over_the_budget(fetched: str, targets: str, budget: int, area: float) -> None:
    assert area_under_recall(crawl(fetched), judged(targets), budget) == pytest.approx(area)


def test_only_reachable_targets_count() -> None:
    assert area_under_recall(crawl("t x"), judged("t u", reachable="t"), 2) == 1.0


def test_a_budget_of_no_pages_is_refused() -> None:
    with pytest.raises(FocusedError, match=r"^the budget of an area .* must be 1 page or more, not 0$"):
        area_under_recall(crawl("t"), judged("t"), 0)
