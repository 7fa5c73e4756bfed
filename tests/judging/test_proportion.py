"""Shares and their intervals, against numbers computed by hand and against scipy."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from focused.desk.judging.audit import Counts, stratified, weighted_share
from focused.explain.harvest_watch import Share, wilson


@given(st.integers(1, 300).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_the_interval_is_that_of_scipy(counts: tuple[int, int]) -> None:
    from scipy.stats import binomtest  # takes a second, in each process that collects tests

    yes, judged = counts
    theirs = binomtest(yes, judged).proportion_ci(method="wilson")
    ours = wilson(yes / judged, judged)
    assert (ours.low, ours.high) == (pytest.approx(theirs.low, abs=1e-9), pytest.approx(theirs.high, abs=1e-9))


def test_half_of_few_pages_count_as_twice_as_many() -> None:
    assert wilson(0.4, 10, pages=19) == wilson(0.4, 20)  # 10 * 18 / 9


def test_of_pages_that_were_all_judged_the_share_is_known() -> None:
    assert wilson(0.4, 10, pages=10) == Share(0.4, 0.4, 0.4)


def test_strata_count_by_their_pages() -> None:
    # 0.75 * 0.4 + 0.25 * 0.5; the second stratum is known, the first counts as 14.5 pages: 0.195767 to 0.646121
    found = stratified([Counts(30, 10, 4), Counts(10, 10, 5)])
    assert found.value == pytest.approx(0.425)
    assert found.low == pytest.approx(0.425 - 0.75 * (0.4 - 0.195767), abs=1e-5)
    assert found.high == pytest.approx(0.425 + 0.75 * (0.646121 - 0.4), abs=1e-5)


@pytest.mark.parametrize("shares", [(0.0, 0.0, 0.05, 0.5, 0.95), (0.4,) * 5, (0.0, 0.0, 0.0, 0.02, 0.2)])
def test_the_interval_holds_the_truth_about_95_times_in_100(shares: tuple[float, ...]) -> None:
    rng, pages, judged, times = np.random.default_rng(1), 200, 20, 1000
    relevant = [round(share * pages) for share in shares]
    holds = 0
    for _ in range(times):
        found = [Counts(pages, judged, int(rng.hypergeometric(n, pages - n, judged))) for n in relevant]
        share = stratified(found)
        holds += share.low <= sum(relevant) / (5 * pages) <= share.high
    assert 0.92 < holds / times <= 1.0


def test_a_page_that_stands_for_more_counts_more() -> None:
    found = weighted_share([True, False], [3.0, 1.0])
    assert found == wilson(0.75, 16 / 10)  # (3 + 1)² / (9 + 1) equal pages


def test_nothing_is_said_of_no_pages() -> None:
    assert weighted_share([], []) is None


def test_a_share_of_more_pages_is_scaled_with_its_interval() -> None:
    assert Share(0.5, 0.25, 1.0).times(0.5) == Share(0.25, 0.125, 0.5)
