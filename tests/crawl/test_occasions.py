"""When a crawl asks a search: by its totals alone."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from focused.crawl.occasions import BEGINNING, ENOUGH, FALLEN, NOTHING_LEFT, Occasions
from focused.crawl.totals import Totals
from focused.topic.topic import QuestionOptions

OPTIONS = QuestionOptions(most=5, every=100, fall=0.5, window=20, pause=10)


def crawl(*flags: int, stuck: bool = False, spent: bool = False) -> Any:
    totals = Totals()
    for flag in flags:
        totals.count(1, relevant=bool(flag), verdict="")
    return SimpleNamespace(totals=totals, is_stuck=stuck, budget_is_taken=spent)


def due(stands: Any, options: QuestionOptions = OPTIONS, asked: int = 1, pages: int = 0, relevant: int = 0) -> str:
    return Occasions(options, asked, pages, relevant).due(stands)


def test_the_first_question_comes_at_the_beginning_and_once() -> None:
    occasions = Occasions(OPTIONS)
    assert occasions.due(crawl()) == BEGINNING
    occasions.asked += 1
    occasions.passes(Totals())
    assert occasions.due(crawl()) == ""


def test_without_a_budget_nobody_is_asked() -> None:
    assert due(crawl(stuck=True), QuestionOptions(), asked=0) == ""
    assert due(crawl(stuck=True), asked=5) == ""
    assert due(crawl(stuck=True, spent=True)) == ""


def test_where_nothing_is_left_no_pause_is_kept() -> None:
    assert due(crawl(1, stuck=True), pages=1) == NOTHING_LEFT


@pytest.mark.parametrize(
    ("flags", "why"),
    [
        ([1] * 40, ""),
        ([0] * 9, ""),  # the pause
        ([0] * 10, FALLEN),
        ([1] * 20 + [0] * 9 + [1] * 11, ""),
        ([1] * 20 + [0] * 10 + [1] * 10, FALLEN),  # half of the best
        ([0] * 20 + [1] * 20, ""),
    ],
)
def test_a_fall_is_measured_by_the_best_of_as_many_pages_in_a_row(flags: list[int], why: str) -> None:
    assert due(crawl(*flags)) == why


def test_so_many_relevant_pages_are_an_occasion_too() -> None:
    assert due(crawl(*[1] * 100)) == ENOUGH
    assert due(crawl(*[1] * 100), relevant=1) == ""
    assert due(crawl(*[1] * 100), OPTIONS.model_copy(update={"every": 0})) == ""


def test_who_wants_no_questions_for_a_fall_gets_none() -> None:
    assert due(crawl(*[0] * 50), OPTIONS.model_copy(update={"fall": 0.0})) == ""
