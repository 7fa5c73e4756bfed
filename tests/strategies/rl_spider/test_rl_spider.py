"""RL spider: a link has the Q that its words promise, by a mapping learned before the crawl."""

from typing import Any

import numpy as np
import pytest

from focused.crawl.world import World
from focused.papers.strategies.rl_spider import RlSpider
from focused.testing.toy_world import make_page, visit_of
from tests.strategies.rl_spider.test_path_values import LEARNED

PAGE = make_page("http://p.example/", ("cell", ["http://a.example/"]), ("", ["http://b.example/"]))


def score(**options: Any) -> tuple[list[float], Any]:
    strategy = RlSpider(RlSpider.Options(**options), World({}, model=LEARNED))
    scores, parts = strategy.score(visit_of(PAGE))
    return scores.tolist(), parts


def test_a_link_is_worth_the_mean_of_the_classes_by_their_probability() -> None:
    # "cell" counts twice, as anchor and as context: .9 * 1 + .1 * .25; nothing said leaves the priors: .5 * 1 + .5 * .25
    assert score()[0] == pytest.approx([0.925, 0.625])


def test_its_parts_are_the_probability_of_a_target_and_its_value() -> None:
    assert score()[1] == pytest.approx(np.array([[0.9, 0.925], [0.5, 0.625]]))


def test_or_the_value_of_the_likeliest_class() -> None:
    assert score(value="likeliest")[0] == pytest.approx([1.0, 1.0])
