"""What counts as relevant in a run, and how a curve is read."""

from __future__ import annotations

import numpy as np
import pytest

from focused.exceptions import FocusedError
from lab.judging.run import relevant_flags, value_at
from lab.tests.measures.crawls import crawl, judged


def test_the_first_relevant_copy_of_an_irrelevant_page_is_relevant() -> None:
    flags = relevant_flags(crawl("x t u", duplicates={"t": "x", "u": "x"}), judged("t u"))
    assert flags.tolist() == [False, True, False]


def test_a_run_is_not_measured_by_another_topics_judgements() -> None:
    with pytest.raises(
        FocusedError, match=r"^run of dom on topic wind, seed 0 cannot be .* judgements of topic solar$"
    ):
        relevant_flags(crawl("x", topic="wind"), judged("t"))


@pytest.mark.parametrize(("pages", "value"), [(1, 0.1), (2, 0.4), (3, 0.4), (10_000, 0.4)])
def test_a_curve_keeps_its_last_value(pages: int, value: float) -> None:
    assert value_at(np.array([0.1, 0.4]), pages) == value


def test_a_crawl_that_fetched_nothing_has_reached_nothing() -> None:
    assert value_at(np.empty(0), 5) == 0.0


@pytest.mark.parametrize("pages", [0, -1])
def test_a_curve_begins_at_one_page(pages: int) -> None:
    with pytest.raises(FocusedError, match=rf"^a curve is read at 1 page or more, not at {pages}$"):
        value_at(np.array([0.1]), pages)
