"""SS1: what waits inherits from all fetched pages that lead to it."""

from __future__ import annotations

import numpy as np
import pytest
from pydantic import ValidationError

from focused.crawl.strategy import Changes, Waiting
from focused.strategies.ss1.ss1 import Ss1
from tests.contract.world import Visits, arrive, make_page, toy_world

A, B, C, LEAF, SEED = (f"http://{name}/" for name in ("a", "b", "c", "leaf", "seed"))


def rescored(**options: float | str) -> Changes:
    """Scores of a link and of a seed that waits: A (cos 1) -> B (cos 0) -> leaf; C (cos 1 / sqrt 4 = 0.5) -> leaf."""
    strategy, visits = Ss1(Ss1.Options(**options), toy_world({"solar": 1})), Visits()
    for url, text, links in (A, "solar", [B]), (B, "tax", [LEAF]), (C, "solar tax law hat", [LEAF]):
        arrive(strategy, visits.of(make_page(url, (text, links))), visits)
    ids = np.array([visits.id(LEAF), visits.id(SEED)])
    return strategy.rescore(Waiting(ids, np.zeros(2), np.zeros((2, 2))))().changes


def test_parents_give_d_and_grandparents_d_squared() -> None:
    changes = rescored()
    assert changes.parts == pytest.approx(np.array([[0.5 * 0.5, 0.25 * 1], [0, 0]]))
    assert changes.scores == pytest.approx([0.5, 0])


def test_the_decay_says_how_much() -> None:
    assert rescored(decay=0.8).parts[0] == pytest.approx([0.8 * 0.5, 0.64])


def test_max_takes_the_most_that_any_ancestor_gives() -> None:
    assert rescored(combination="max", decay=0.8).scores == pytest.approx([0.64, 0])


def test_generations_say_how_far_back() -> None:
    assert rescored(generations=1).scores == pytest.approx([0.25, 0])


@pytest.mark.parametrize(
    "options", [{"decay": 0.0}, {"decay": 1.0}, {"generations": 0}, {"generations": 11}, {"combination": "mean"}]
)
def test_options_out_of_range_are_refused(options: dict[str, float | str]) -> None:
    with pytest.raises(ValidationError):
        Ss1.Options(**options)
