"""Precision and F1 at recall, against numbers computed by hand."""

from __future__ import annotations

import pytest

from focused.exceptions import FocusedError
from lab.measures import MEASURES, f1_at_recall, precision_at_recall
from lab.tests.measures.crawls import crawl, judged

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


def test_a_recall_of_a_half_is_meant_where_nothing_else_is_said() -> None:
    run = crawl("t x u v")  # 3/4 and more come with another precision
    assert precision_at_recall(run, KNOWN) == pytest.approx(2 / 3)
    assert f1_at_recall(run, KNOWN) == pytest.approx(2 * (2 / 3) * (1 / 2) / (2 / 3 + 1 / 2))
