"""Hub-seeking: the links of a page that points to several seed hosts rise to the score of the hub."""

import numpy as np
import pytest

from focused.crawl.arrays import FloatArray
from focused.page.page import Page
from focused.strategies.hub_seeking import HubSeeking
from focused.testing.toy_world import make_page, toy_world, visit_of

WORLD = toy_world({"solar": 2, "cell": 1}, frozenset({"a.example", "b.example", "c.example"}))


def score(page: Page, **options: float) -> tuple[FloatArray, FloatArray]:
    return HubSeeking(HubSeeking.Options(**options), WORLD).score(visit_of(page))


# n = 2 (b.example, c.example): hub = 2*1 / 5 = 0.4. cos(q, page) = 5 / sqrt 35 = 0.8451543; cos(q, contexts) = 1, 0.
HUB = make_page(
    "http://hub.example/",
    ("solar cell solar", ["http://b.example/1"]),
    ("tax law", ["http://c.example/", "http://b.example/2"]),
)


def test_a_link_has_the_better_of_its_hub_score_and_its_dom_score() -> None:
    # dom = 0.25 * 0.8451543 + 0.75 * 1 = 0.9612886 for the first link, 0.25 * 0.8451543 = 0.2112886 for the others
    scores, parts = score(HUB)
    assert scores == pytest.approx([0.9612886, 0.4, 0.4])
    assert parts[:2] == pytest.approx(np.array([[0.4, 0.8451543, 1.0], [0.4, 0.8451543, 0.0]]))  # hub, page, context
    assert score(HUB, alpha=1.0)[0] == pytest.approx([0.8451543] * 3)


def test_own_host_false_leaves_the_page_s_own_host_out() -> None:
    page = make_page("http://a.example/", ("tax", ["http://a.example/next", "http://b.example/"]))
    assert score(page)[0] == pytest.approx([0.4, 0.4])
    assert score(page, own_host=False)[0] == pytest.approx([0.0, 0.0])


def test_seed_hosts_that_become_known_later_count_from_then_on() -> None:
    world = toy_world(seed_hosts=frozenset({"b.example"}))
    strategy = HubSeeking(HubSeeking.Options(), world)
    before = strategy.score(visit_of(HUB))[1]
    world.seed_hosts |= {"c.example"}
    after = strategy.score(visit_of(HUB))[1]
    assert (before[0, 0], after[0, 0]) == (0.0, 0.4)
