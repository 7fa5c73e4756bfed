"""Best-first: every link is worth what its page is worth."""

from __future__ import annotations

import pytest

from focused.strategies.best_first import BestFirst
from tests.contract.world import make_page, toy_world, visit_of

WORLD = toy_world({"solar": 2, "cell": 1})


def test_every_link_has_the_similarity_of_its_page_wherever_it_stands() -> None:
    strategy = BestFirst(BestFirst.Options(), WORLD)
    page = make_page(
        "http://a.example/", ("solar cell solar", ["http://b.example/"]), ("tax law", ["http://c.example/"])
    )
    scores, parts = strategy.score(visit_of(page))
    # page = solar 2, cell 1, tax 1, law 1: (2*2 + 1*1) / (sqrt 5 sqrt 7)
    assert scores == pytest.approx([0.8451543, 0.8451543])
    assert parts == pytest.approx(scores.reshape(2, 1))


def test_one_link_is_taken_at_a_time_unless_a_batch_is_asked_for() -> None:
    assert BestFirst(BestFirst.Options(), WORLD).batch == 1
    assert BestFirst(BestFirst.Options(batch=256), WORLD).batch == 256
