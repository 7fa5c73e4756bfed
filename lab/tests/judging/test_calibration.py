"""A crawler's estimates against labels, with numbers computed by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest

from focused.exceptions import EvaluationError
from focused.simulation.labels import Judgements
from lab.judging.calibration import Bin, calibrate, calibration, calibration_table, page_calibration
from lab.judging.run import Run

ESTIMATES = np.array([0.05, 0.15, 0.15, 0.95, 1.0])
RELEVANT = np.array([0.0, 1.0, 0.0, 1.0, 1.0])


def url(name: str) -> str:
    return f"http://{name}.example/"


def run(names: str, duplicates: str = "") -> Run:
    return Run("dom", "test", 1, [url(name) for name in names], {url(name): url(names[0]) for name in duplicates})


def judgements(**sets: str) -> Judgements:
    return Judgements("test", **{name: frozenset(map(url, names)) for name, names in sets.items()})


def test_reliability_is_told_bin_by_bin() -> None:
    found = calibration(ESTIMATES, RELEVANT).bins
    assert [(b.pages, b.relevant) for b in found] == [(1, 0.0), (2, 0.5), (2, 1.0)]
    assert [b.estimate for b in found] == pytest.approx([0.05, 0.15, 0.975])
    assert [(b.low, b.high) for b in found] == [pytest.approx(ends) for ends in ((0, 0.1), (0.1, 0.2), (0.9, 1.0))]


def test_the_expected_error_is_the_mean_distance_of_estimates_and_truth() -> None:
    # distances 0.05 (one page), 0.35 and 0.025 (two pages each)
    assert calibration(ESTIMATES, RELEVANT).expected_error == pytest.approx(0.16)


def test_the_area_under_roc_counts_pairs_in_the_right_order() -> None:
    # of six pairs of a relevant page and another, five are in order and one is tied
    assert calibration(ESTIMATES, RELEVANT).auc == pytest.approx(5.5 / 6)


def test_of_pages_that_are_all_alike_there_is_no_area() -> None:
    found = calibration(ESTIMATES, np.ones(5), bins=1)
    assert math.isnan(found.auc)
    assert found.bins == [Bin(0.0, 1.0, 5, pytest.approx(0.46), 1.0)]


@pytest.mark.parametrize(
    ("estimates", "relevant", "bins", "message"),
    [
        ([], [], 10, "0 estimates and 0 labels"),
        ([0.5], [1, 0], 10, "1 estimates and 2 labels"),
        ([1.5], [1], 10, "outside 0 to 1"),
        ([math.nan], [1], 10, "outside 0 to 1"),
        ([0.5], [1], 0, "1 bin or more"),
    ],
)
def test_what_cannot_be_compared_is_refused(
    estimates: list[float], relevant: list[int], bins: int, message: str
) -> None:
    with pytest.raises(EvaluationError, match=message):
        calibration(np.array(estimates), np.array(relevant), bins)


def test_a_crawl_is_compared_with_labels_on_the_pages_that_count() -> None:
    crawl, labels = run("abcdne", duplicates="e"), judgements(targets="ace", also="d", neutral="n")
    called = [True, True, False, False, True, False]
    found = calibrate(crawl, [0.8, 0.6, 0.2, 0.1, 0.9, 0.8], called, labels)
    assert (found.topic, found.pages, found.harvest, found.own_harvest) == ("test", 4, 0.75, 0.5)
    assert (found.precision, found.missed) == (0.5, 1.0)
    assert found.relevance.auc == pytest.approx(1 / 3)  # a, c and d against b: only a is above
    assert "75.0% by labels, 50.0% by the crawl's own page model" in "\n".join(calibration_table(found))


def test_a_crawl_that_calls_all_its_pages_relevant_misses_none_that_is_known() -> None:
    assert math.isnan(calibrate(run("a"), [0.8], [True], judgements(targets="a")).missed)


def test_a_crawl_without_pages_that_count_is_refused() -> None:
    with pytest.raises(
        EvaluationError, match="run of dom on topic test, seed 1: no page was fetched that could be compared"
    ):
        page_calibration(run("n"), [0.5], judgements(targets="a", neutral="n"))
