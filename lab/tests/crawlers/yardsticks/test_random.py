"""Random: any order of the URLs of a web is as likely as any other, and the seed decides which it is."""

from __future__ import annotations

import numpy as np

from lab.crawlers.yardstick import YardstickWorld
from lab.crawlers.yardsticks.random import RandomOrder
from tests.contract.world import make_page, visit_of

URLS = [f"http://host{number % 9}.example/{number}" for number in range(2000)]


def scores(seed: int, page: str = "http://a.example/", text: str = "solar", urls: list[str] = URLS) -> list[float]:
    world = YardstickWorld({"solar": 1}, seed=seed, words=("solar",))
    found, parts = RandomOrder(RandomOrder.Options(), world).score(visit_of(make_page(page, (text, urls))))
    assert parts.shape == (len(urls), 0)
    return found.tolist()


def test_scores_are_spread_evenly_between_0_and_1():
    drawn = np.array(scores(seed=1))
    assert 0 <= drawn.min() < 0.01
    assert 0.99 < drawn.max() < 1
    counts = np.histogram(drawn, bins=10, range=(0, 1))[0]
    assert counts.min() > 150  # of 200 on average, with a standard deviation of 13
    assert counts.max() < 250
    assert len(set(drawn.tolist())) == len(URLS)


def test_another_seed_gives_another_order():
    one, other = scores(seed=1), scores(seed=2)
    assert abs(np.corrcoef(one, other)[0, 1]) < 0.1


def test_where_a_link_was_found_does_not_matter():
    assert scores(seed=1, page="http://b.example/", text="tax", urls=URLS[::-1]) == scores(seed=1)[::-1]
