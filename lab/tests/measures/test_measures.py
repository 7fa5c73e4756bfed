"""Each measure against numbers counted by hand."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from focused.exceptions import FocusedError
from focused.simulation.judged_run import Run
from focused.simulation.labels import Judgements
from focused.simulation.measures import area_under_recall, harvest_rate, target_recall
from lab.measures import (
    MEASURES,
    average_precision_at,
    average_relevance,
    cpu_per_page,
    distinct_relevant_hosts,
    f1_at_recall,
    normalised_area,
    precision_at_recall,
    robustness,
    search_length,
)


def page(name: str) -> str:
    """URL of a page; a name such as ``b/3`` lies on host b, one without a slash on host a."""
    host, _, path = name.rpartition("/")
    return f"http://{host or 'a'}.example/{path}"


def pages(names: str) -> frozenset[str]:
    return frozenset(map(page, names.split()))


def crawl(names: str, *, duplicates: dict[str, str] | None = None, strategy: str = "dom", topic: str = "solar") -> Run:
    """A run that fetched the pages of these names, in order."""
    same = {page(name): page(first) for name, first in (duplicates or {}).items()}
    return Run(strategy, topic, 0, [page(name) for name in names.split()], same)


def judged(targets: str, *, also: str = "", neutral: str = "", reachable: str | None = None) -> Judgements:
    return Judgements(
        "solar", pages(targets), pages(also), pages(neutral), None if reachable is None else pages(reachable)
    )


def test_it_is_the_share_of_targets_fetched() -> None:
    assert target_recall(crawl("x t y u"), judged("t u v w")).tolist() == [0.0, 0.25, 0.25, 0.5]


def test_targets_that_cannot_be_reached_count_only_if_asked_for() -> None:
    known = judged("t u v w", reachable="t u")
    assert target_recall(crawl("t x u"), known).tolist() == [0.5, 0.5, 1.0]
    assert target_recall(crawl("t x u"), known, of_all=True).tolist() == [0.25, 0.25, 0.5]


def test_a_target_counts_though_its_bytes_came_before() -> None:
    assert target_recall(crawl("t u", duplicates={"u": "t"}), judged("t u")).tolist() == [0.5, 1.0]


def test_there_is_no_recall_where_no_target_can_be_reached() -> None:
    known = judged("t u", reachable="")
    with pytest.raises(FocusedError) as refusal:
        target_recall(crawl("x"), known)
    assert str(refusal.value) == (
        "judgements of topic solar: none of the 2 targets can be reached from the seeds, so there is no recall; "
        "choose other seeds"
    )
    assert target_recall(crawl("x"), known, of_all=True).tolist() == [0.0]


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


@pytest.mark.parametrize("share", [0.0, -0.1, 1.1, math.nan])
def test_an_impossible_share_is_refused(share: float) -> None:
    with pytest.raises(FocusedError, match=rf"^a share of the targets is more than 0 and at most 1, not {share}$"):
        search_length(crawl("t"), judged("t"), share)


def test_it_is_the_share_of_relevant_pages() -> None:
    assert harvest_rate(crawl("t x o y"), judged("t", also="o")).tolist() == [1.0, 0.5, pytest.approx(2 / 3), 0.5]


def test_neutral_pages_count_neither_for_nor_against() -> None:
    assert harvest_rate(crawl("n t m x"), judged("t", neutral="n m")).tolist() == [0.0, 1.0, 1.0, 0.5]


def test_a_duplicate_counts_as_a_page_and_not_as_relevant_again() -> None:
    assert harvest_rate(crawl("t u", duplicates={"u": "t"}), judged("t u")).tolist() == [1.0, 0.5]


def test_a_crawl_without_pages_has_an_empty_curve() -> None:
    assert harvest_rate(crawl(""), judged("t")).tolist() == []
    assert harvest_rate(crawl(""), judged("t"), window=5).tolist() == []


@given(st.lists(st.sampled_from("txn"), max_size=12), st.integers(1, 15))
def test_the_sliding_rate_is_that_of_a_crawl_of_the_windows_pages(kinds: list[str], window: int) -> None:
    names = [f"{kind}{number}" for number, kind in enumerate(kinds)]
    targets = [name for name in names if name.startswith("t")]
    known = judged(" ".join(["t", *targets]), neutral=" ".join(name for name in names if name.startswith("n")))
    sliding = harvest_rate(crawl(" ".join(names)), known, window)
    for end in range(1, len(names) + 1):
        assert sliding[end - 1] == harvest_rate(crawl(" ".join(names[max(0, end - window) : end])), known)[-1]


CRAWL = crawl("x t y u v")  # recall of 4 targets: 0, 1/4, 1/4, 2/4, 3/4; precision: 0, 1/2, 1/3, 2/4, 3/5
KNOWN = judged("t u v w")


@pytest.mark.parametrize(("recall", "precision"), [(0.1, 1 / 2), (0.25, 1 / 2), (0.5, 2 / 4), (0.75, 3 / 5), (1.0, 0)])
def test_precision_is_the_harvest_rate_when_the_recall_is_first_reached(recall: float, precision: float) -> None:
    assert precision_at_recall(CRAWL, KNOWN, recall) == pytest.approx(precision)


# 2 P R / (P + R) with the recall that was reached: (1/2, 1/4), (1/2, 1/2), (3/5, 3/4)
@pytest.mark.parametrize(("recall", "f1"), [(0.1, 1 / 3), (0.5, 1 / 2), (0.6, 2 / 3), (1.0, 0)])
def test_f1_is_the_harmonic_mean_of_precision_and_recall(recall: float, f1: float) -> None:
    assert f1_at_recall(CRAWL, KNOWN, recall) == pytest.approx(f1)


def test_the_f1_of_table_3_follows_from_its_precision() -> None:
    # Almpanidis et al. 2007, breadth-first at R = 0.5: P = .32 gives F1 = .39
    targets = [f"t{number}" for number in range(16)]
    names = [*targets[:7], *(f"x{number}" for number in range(17)), targets[7]]  # 8 of 25 pages
    run, known = crawl(" ".join(names)), judged(" ".join(targets))
    assert precision_at_recall(run, known, 0.5) == 0.32
    assert round(f1_at_recall(run, known, 0.5), 2) == 0.39


def test_recall_is_that_of_reachable_targets() -> None:
    known = judged("t u v w", reachable="t u v")
    assert precision_at_recall(CRAWL, known, 1.0) == pytest.approx(3 / 5)
    assert f1_at_recall(CRAWL, known, 1.0) == pytest.approx(3 / 4)


@pytest.mark.parametrize("measure", ["precision_at_recall", "f1_at_recall"])
@pytest.mark.parametrize("recall", [0.0, 1.5])
def test_an_impossible_recall_is_refused(measure: str, recall: float) -> None:
    with pytest.raises(FocusedError, match="more than 0 and at most 1, not"):
        MEASURES[measure](CRAWL, KNOWN, recall)


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


def test_it_is_the_area_divided_by_that_of_targets_alone() -> None:
    # recall 0, 1/2, 1/2, 1; at best 1/2, 1, 1, 1
    assert normalised_area(crawl("x t y u"), judged("t u"), 4) == pytest.approx(2 / 3.5)


def test_the_normalised_area_is_of_reachable_targets() -> None:
    assert normalised_area(crawl("t x"), judged("t u v", reachable="t"), 2) == pytest.approx(1.0)
    assert normalised_area(crawl("x y"), judged("t u v", reachable="t"), 2) == 0.0


IMPORTANCE = {page("a"): 4.0, page("b"): 2.0, page("c"): 0.0, page("d"): 1.0}


@pytest.mark.parametrize(
    ("window", "expected"),
    [
        (None, [4.0, 3.0, 2.0, 7 / 4]),
        (2, [4.0, 3.0, 1.0, 0.5]),  # the mean of a and b, of b and c, of c and d
        (1, [4.0, 2.0, 0.0, 1.0]),
        (200, [4.0, 3.0, 2.0, 7 / 4]),
    ],
)
def test_it_is_the_mean_of_the_pages_so_far_or_of_the_last_in_a_window(
    window: int | None, expected: list[float]
) -> None:
    assert average_relevance(crawl("a b c d"), IMPORTANCE, window).tolist() == pytest.approx(expected)


SIMILARITIES = {page("a"): 0.5, page("b"): 0.1, page("c"): 0.3, page("never"): 0.9}


def test_it_is_the_mean_similarity_of_the_pages_so_far() -> None:
    curve = average_precision_at(crawl("a b c"), SIMILARITIES)
    assert curve.tolist() == [pytest.approx(value) for value in (0.5, 0.3, 0.3)]


def test_a_page_that_is_in_no_collection_is_refused() -> None:
    with pytest.raises(FocusedError) as refusal:
        average_precision_at(crawl("a x y"), SIMILARITIES)
    assert str(refusal.value) == (
        "run of dom on topic solar, seed 0: 2 of its pages have no relevance, 'http://a.example/x' for one; "
        "compute it for the pages of all runs that are compared"
    )


def test_a_host_counts_once_and_only_for_a_relevant_page() -> None:
    run, known = crawl("a/x a/t b/y b/t a/u c/o"), judged("a/t a/u b/t", also="c/o")
    assert distinct_relevant_hosts(run, known).tolist() == [0, 1, 1, 2, 2, 3]


@pytest.mark.parametrize("other", [{"strategy": "best_first"}, {"topic": "wind"}])
def test_only_crawls_of_one_strategy_on_one_topic_are_compared(other: dict[str, str]) -> None:
    with pytest.raises(FocusedError, match=r"^robustness compares one strategy on one topic with itself, not run of"):
        robustness(crawl("a"), crawl("a", **other))


ORDERS = st.lists(st.sampled_from("abcdef"), unique=True, max_size=6)


@given(ORDERS, ORDERS)
def test_it_is_the_overlap_of_the_sets_fetched_so_far_whichever_comes_first(one: list[str], other: list[str]) -> None:
    expected = [
        2 * len({*one[:pages]} & {*other[:pages]}) / (len(one[:pages]) + len(other[:pages]))
        for pages in range(1, max(len(one), len(other)) + 1)
    ]
    assert robustness(crawl(" ".join(one)), crawl(" ".join(other))).tolist() == pytest.approx(expected)
    assert robustness(crawl(" ".join(other)), crawl(" ".join(one))).tolist() == pytest.approx(expected)


URLS = [page(name) for name in "abcd"]


def test_it_is_in_milliseconds() -> None:
    assert cpu_per_page(Run("dom", "solar", 0, URLS, cpu_seconds=0.01)) == pytest.approx(2.5)
