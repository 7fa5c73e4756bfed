"""Equation 7 to the letter: whose links are drawn from, and how probable each of them is."""

from collections import Counter

import numpy as np
import pytest

from focused.crawl.columns import Columns
from focused.crawl.events import PageArrived, Picked, Started
from focused.crawl.frontier import Frontier
from focused.crawl.strategy import Ready, Seeds, Strategy
from focused.crawl.world import World
from focused.papers.strategies.info_spiders import InfoSpiders
from focused.testing.toy_world import toy_world
from tests.crawl import web

DRAWS = 1000  #: numbers that lie evenly in [0, 1), in the place of numbers drawn at random
SEEDS = ["http://s0.example/", "http://s1.example/"]


class Even:
    """Chance that gives 1/2000, 3/2000, ... one after the other, so that shares of draws are probabilities."""

    def __init__(self) -> None:
        self.drawn = 0

    def random(self) -> float:
        self.drawn += 1
        return (self.drawn - 0.5) / DRAWS


def shares_of_draws(strategy: Strategy, ready: Ready, monkeypatch: pytest.MonkeyPatch) -> dict[int | None, float]:
    """How often each link is drawn at this pick, as a share of all draws."""
    chance = Even()
    monkeypatch.setattr(World, "chance", lambda *_: chance)
    drawn = Counter(strategy.choose(ready) for _ in range(DRAWS))
    return {url: count / DRAWS for url, count in drawn.items()}


@pytest.mark.parametrize("beta", [0.0, 0.5, 2.0, 5.0])
def test_the_probability_of_a_link_is_its_share_of_all_exp_beta_score(
    beta: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    strategy, frontier = InfoSpiders(InfoSpiders.Options(beta=beta), toy_world({"solar": 1})), Frontier(Columns(), 3)
    strategy.start(Seeds(np.array([7]), ["a.example"]))
    scores = np.array([-0.25, 0.0, 0.5, 0.75])
    for url, score in enumerate(scores.tolist()):
        frontier.offer(url, url, score, np.zeros(3))
    shares = np.exp(beta * scores) / np.exp(beta * scores).sum()
    drawn = shares_of_draws(strategy, frontier, monkeypatch)
    assert drawn == {url: pytest.approx(share, abs=1 / DRAWS) for url, share in enumerate(shares.tolist())}


def test_the_sum_is_over_the_links_of_the_agent_whose_turn_it_is_and_of_no_other(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    crawl = web.make_crawl(strategy="info_spiders", alpha=0.0, theta=1000.0)
    crawl.apply(Started([web.address(url) for url in SEEDS]))
    # Agent 0 has 20 links of the best score there is, agent 1 four bad ones.
    for url, words, links in ((SEEDS[0], "solar", 20), (SEEDS[1], "law law law solar", 4)):
        chosen = crawl.apply(Picked(crawl.urls.find(web.key(url)))).picked
        crawl.apply(PageArrived(chosen.id, web.make_page(url, words, [(f"{url}{n}", "") for n in range(links)]), 1))
    for agent, links in ((0, 20), (1, 4)):
        crawl.world.picks = agent
        mine = {crawl.urls.find(web.key(f"{SEEDS[agent]}{n}")): pytest.approx(1 / links) for n in range(links)}
        assert shares_of_draws(crawl.strategy, crawl.frontier, monkeypatch) == mine
