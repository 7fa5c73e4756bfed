"""Whether a crawl is in a hurry: what its pages so far say of its time."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from focused.crawl.budget import SHORT, Totals, hurry
from focused.topic.topic import Budget

HOUR = 3600.0
BOTH = Budget(pages=1000, hours=1)
seconds_of_crawling = st.floats(0, 2 * HOUR)


@given(st.integers(0, 10**9), st.floats(0, 1e9))
def test_without_a_limit_of_time_nothing_is_in_a_hurry(pages: int, seconds: float) -> None:
    assert hurry(Budget(pages=1000), Totals(pages), seconds) == 0


@given(st.integers(0, 10**9), st.floats(1e-9, 1e9))
def test_with_time_alone_no_pace_is_fast_enough(pages: int, seconds: float) -> None:
    assert hurry(Budget(pages=0, hours=1), Totals(pages), seconds) == 1


@pytest.mark.parametrize(
    ("pages", "seconds", "expected"),
    [
        (0, 0.0, 0.0),  # it has not begun
        (500, HOUR / 2, 0.0),  # half of both
        (900, HOUR / 2, 0.0),
        (0, 1.0, 1.0),
        (500 * (1 - SHORT / 2), HOUR / 2, 0.5),
        (500 * (1 - SHORT), HOUR / 2, 1.0),
        (100, HOUR / 2, 1.0),
    ],
)
def test_it_is_in_a_hurry_when_pages_are_behind_time(pages: int, seconds: float, expected: float) -> None:
    assert hurry(BOTH, Totals(pages), seconds) == pytest.approx(expected)


def test_the_limit_that_is_nearest_says_how_much_of_the_budget_is_used() -> None:
    totals = Totals(pages=10, relevant=5, bytes=6_000_000)
    one_of_ten = Budget(pages=100, hours=1)
    assert hurry(one_of_ten, totals, HOUR / 2) == 1
    assert hurry(one_of_ten.model_copy(update={"relevant_pages": 10}), totals, HOUR / 2) == 0
    assert hurry(one_of_ten.model_copy(update={"megabytes": 10}), totals, HOUR / 2) == 0


@given(st.integers(0, 1000), seconds_of_crawling, seconds_of_crawling)
def test_time_that_passes_makes_no_crawl_less_hurried_and_pages_none_more(pages: int, one: float, other: float) -> None:
    earlier, later = sorted((one, other))
    before, after = hurry(BOTH, Totals(pages), earlier), hurry(BOTH, Totals(pages), later)
    assert 0 <= hurry(BOTH, Totals(pages + 1), later) <= after <= 1
    assert before <= after


@given(st.floats(0, 1e6, exclude_min=True), st.integers(0, 10**9), st.floats(0, allow_infinity=True))
def test_whatever_the_limits_it_is_a_share(hours: float, pages: int, seconds: float) -> None:
    assert 0 <= hurry(Budget(pages=1, hours=hours), Totals(pages), seconds) <= 1
