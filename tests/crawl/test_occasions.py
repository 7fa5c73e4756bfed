"""When a crawl asks a search: by its totals alone."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from focused.crawl.budget import Totals
from focused.seeds.searching.occasions import BEGINNING, LITTLE, NOTHING_LEFT, Occasions
from focused.topic.topic import QuestionOptions

OPTIONS = QuestionOptions(most=5, harvest_floor=0.1, harvest_window=20)


def crawl(*flags: int, stuck: bool = False, spent: bool = False) -> Any:
    totals = Totals()
    for flag in flags:
        totals.count(1, relevant=bool(flag), verdict="")
    return SimpleNamespace(totals=totals, is_stuck=stuck, budget_is_taken=spent)


def due(stands: Any, options: QuestionOptions = OPTIONS, asked: int = 1, pages: int = 0) -> str:
    return Occasions(options, asked, pages).due(stands)


def test_who_wants_a_question_at_the_start_gets_one() -> None:
    occasions = Occasions(OPTIONS.model_copy(update={"at_start": True}))
    assert occasions.due(crawl()) == BEGINNING
    occasions.asked += 1
    occasions.passes(Totals())
    assert occasions.due(crawl()) == ""
    assert Occasions(OPTIONS).due(crawl()) == ""


def test_without_a_budget_nobody_is_asked() -> None:
    assert due(crawl(stuck=True), QuestionOptions(most=0), asked=0) == ""
    assert due(crawl(stuck=True), asked=5) == ""
    assert due(crawl(stuck=True, spent=True)) == ""


def test_where_nothing_is_left_no_pause_is_kept() -> None:
    assert due(crawl(1, stuck=True), pages=1) == NOTHING_LEFT
    assert due(crawl(stuck=True), asked=0) == NOTHING_LEFT


@pytest.mark.parametrize(
    ("flags", "why"),
    [
        ([], ""),
        ([0] * 19, ""),  # it has hardly begun
        ([0] * 20, LITTLE),
        ([0] * 19 + [1], LITTLE),
        ([0] * 18 + [1] * 2, ""),
        ([1] * 80 + [0] * 18, ""),
        ([1] * 80 + [0] * 19, LITTLE),
    ],
)
def test_a_crawl_fails_when_hardly_any_of_its_last_pages_is_relevant(flags: list[int], why: str) -> None:
    assert due(crawl(*flags), asked=0) == why


def test_an_answer_has_as_many_pages_to_show_what_it_is_worth() -> None:
    occasions = Occasions(OPTIONS)
    assert occasions.due(crawl(*[0] * 20)) == LITTLE
    occasions.passes(crawl(*[0] * 20).totals)
    assert occasions.due(crawl(*[0] * 39)) == ""
    assert occasions.due(crawl(*[0] * 40)) == LITTLE
    assert due(crawl(*[0] * 39), pages=20) == ""  # the same, of a crawl that goes on


def test_who_wants_no_questions_for_a_poor_harvest_gets_them_when_nothing_is_left_only() -> None:
    options = OPTIONS.model_copy(update={"harvest_floor": 0.0})
    assert due(crawl(*[0] * 50), options) == ""
    assert due(crawl(*[0] * 50, stuck=True), options) == NOTHING_LEFT
