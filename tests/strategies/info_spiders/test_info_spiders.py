"""InfoSpiders: agents judge links, take turns, draw, learn, split and die."""

import math
from collections import Counter
from typing import Any

import numpy as np
import pytest

from focused.crawl.columns import Columns
from focused.crawl.crawl import Crawl
from focused.crawl.events import Failed, PageArrived, Picked, Requested, Started
from focused.crawl.frontier import Frontier
from focused.crawl.strategy import Seeds
from focused.crawl.url_table import State
from focused.papers.strategies.info_spiders import InfoSpiders
from focused.testing.toy_world import Visits, arrive, make_page, toy_world
from tests.crawl import web

SEEDS = ["http://s0.example/", "http://s1.example/"]


def make(**options: Any) -> InfoSpiders:
    return InfoSpiders(InfoSpiders.Options(**options), toy_world({"solar": 1}))


def begun(seeds: int = 2, **options: Any) -> Crawl:
    crawl = web.make_crawl(strategy="info_spiders", **options)
    crawl.apply(Started([web.address(url) for url in SEEDS[:seeds]]))
    return crawl


def fetch(crawl: Crawl, url: str, words: str = "solar", links: int = 0) -> None:
    """Fetch a page, whether it comes next or not, with so many links with the anchor "x"."""
    chosen = crawl.apply(Picked(crawl.urls.find(web.key(url)))).picked
    crawl.apply(PageArrived(chosen.id, web.make_page(url, words, [(f"{url}{n}", "x") for n in range(links)]), 1))


def fail(crawl: Crawl, url: str) -> None:
    crawl.apply(Failed(crawl.apply(Picked(crawl.urls.find(web.key(url)))).picked.id))


def agents(crawl: Crawl) -> dict[str, Any]:
    living: dict[str, Any] = crawl.strategy.state()["living"]
    return living


def energies(crawl: Crawl) -> list[float]:
    return [agent["energy"] for agent in agents(crawl).values()]


def owners(crawl: Crawl) -> list[int]:
    """Of all that waits, in order of id."""
    owners: list[int] = crawl.urls.columns["strategy.owner"][np.sort(crawl.frontier.view().ids)].tolist()
    return owners


def test_the_score_weighs_the_net_against_the_page() -> None:
    page = make_page("http://a.example/", ("solar x", ["http://b.example/"]), ("y z", ["http://c.example/"]))
    changes = arrive(make(alpha=0.75, window=0), Visits().of(page), Visits())
    cosine, net = 0.5, math.tanh(1)  # 1 / √4; "solar" stands in the anchor of the first link
    assert changes.scores == pytest.approx([0.75 * net + 0.25 * cosine, 0.25 * cosine])
    assert changes.parts == pytest.approx(np.array([[0, net, cosine], [0, 0, cosine]]))


def test_each_seed_has_an_agent() -> None:
    crawl = begun()
    assert list(agents(crawl)) == ["0", "1"]
    assert owners(crawl) == [0, 1]


def test_more_seeds_than_agents_share_them() -> None:
    crawl = begun(agents=1)
    assert owners(crawl) == [0, 0]


def test_a_known_seed_gets_no_second_agent() -> None:
    crawl = begun()
    crawl.apply(Started([web.address(SEEDS[0])]))
    assert list(agents(crawl)) == ["0", "1"]


class TestFrontiers:
    """An agent draws from its own frontier, and judges nothing else (equation 7)."""

    LINK = "http://both.example/"

    def found_by(self, crawl: Crawl, agent: int, anchor: str) -> None:
        chosen = crawl.apply(Picked(crawl.urls.find(web.key(SEEDS[agent])))).picked
        crawl.apply(PageArrived(chosen.id, web.make_page(SEEDS[agent], "solar", [(self.LINK, anchor)]), 1))

    def waiting(self, crawl: Crawl) -> tuple[float, list[float]]:
        url = crawl.urls.find(web.key(self.LINK))
        return crawl.frontier.score(url), list(crawl.frontier.parts(url))

    def test_another_agent_does_not_judge_a_link_again(self) -> None:
        crawl = begun()
        self.found_by(crawl, 0, "x")
        before = self.waiting(crawl)
        self.found_by(crawl, 1, "solar")
        assert self.waiting(crawl) == before

    def test_its_own_agent_does(self) -> None:
        crawl = begun(1)
        self.found_by(crawl, 0, "x")
        before, _ = self.waiting(crawl)
        url = "http://c.example/"
        crawl.apply(Requested(web.address(url), 0.0))
        chosen = crawl.apply(Picked(crawl.urls.find(web.key(url)))).picked
        crawl.apply(PageArrived(chosen.id, web.make_page(url, "solar", [(self.LINK, "solar")]), 1))
        assert self.waiting(crawl)[0] > before

    def test_a_link_on_which_two_places_of_a_page_agree_is_its_own_in_both(self) -> None:
        crawl = begun(1)
        chosen = crawl.apply(Picked(0)).picked
        crawl.apply(
            PageArrived(chosen.id, web.make_page(SEEDS[0], "solar", [(self.LINK, "x"), (self.LINK, "solar")]), 1)
        )
        assert self.waiting(crawl)[1][1] > math.tanh(0.9)  # the better of the two, with the keyword in the anchor

    def test_what_fell_out_of_one_frontier_may_enter_another(self) -> None:
        crawl = begun()
        self.found_by(crawl, 0, "x")
        crawl.frontier.remove(url := crawl.urls.find(web.key(self.LINK)))
        crawl.urls.state[url] = State.FREE
        self.found_by(crawl, 1, "x")
        assert self.waiting(crawl)[1][0] == 1
        assert owners(crawl) == [1]


class TestTurns:
    def test_agents_take_turns_and_one_that_has_nothing_is_passed_over(self) -> None:
        crawl = begun()
        fetch(crawl, SEEDS[0], links=3)
        fetch(crawl, SEEDS[1], links=1)
        turns = []
        while (pick := crawl.next()) is not None:
            turns.append(int(pick.parts[0]))
            crawl.apply(Failed(pick.id))
        assert turns in ([0, 1, 0, 0], [1, 0, 0, 0])

    def test_what_belongs_to_nobody_may_be_drawn_at_any_turn(self) -> None:
        crawl = begun(1)
        crawl.apply(Requested(web.address("http://mine.example/"), 1.0))
        picked = {pick.id for _ in range(2) if (pick := crawl.next())}
        assert picked == {0, 1}

    def test_a_draw_is_the_more_probable_the_better_the_score(self) -> None:
        strategy, frontier = make(beta=math.log(3)), Frontier(Columns(), 3)
        strategy.start(Seeds(np.array([7]), ["a.example"]))
        for url, score in enumerate([0.0, 1.0, 2.0]):
            frontier.offer(url, url, score, np.zeros(3))
        drawn: Counter[int | None] = Counter()
        for strategy.world.picks in range(3900):
            drawn[strategy.choose(frontier)] += 1
        # 1 : 3 : 9 of 13, within four standard deviations of a binomial draw
        assert [drawn[url] for url in range(3)] == pytest.approx([300, 900, 2700], abs=120)

    def test_asking_twice_for_one_pick_gives_the_same(self) -> None:
        crawl = begun()
        fetch(crawl, SEEDS[0], links=50)
        assert len({crawl.strategy.choose(crawl.frontier) for _ in range(10)}) == 1


class TestEnergy:
    def test_an_agent_gains_what_a_page_is_better_than_the_mean(self) -> None:
        crawl = begun()
        fetch(crawl, SEEDS[0], "solar solar")  # cosine 1, mean 1
        assert energies(crawl) == pytest.approx([1.0, 1.0])
        fetch(crawl, SEEDS[1], "law")  # cosine 0, mean 1/2
        assert energies(crawl) == pytest.approx([1.0, 0.5])

    def test_a_url_without_a_page_costs_as_much_and_gives_nothing(self) -> None:
        crawl = begun(cost=0.25)
        fetch(crawl, SEEDS[0], "solar")
        fail(crawl, SEEDS[1])
        assert energies(crawl) == pytest.approx([1.75, 0.75])

    def test_above_theta_an_agent_splits_and_its_child_gets_every_second_link(self) -> None:
        crawl = begun(1, theta=1.2, cost=0.0)
        fetch(crawl, SEEDS[0], "solar solar tax", links=5)
        # cosine of (solar 2, tax 1, x 5) with solar: 2 / √30 = .3651484; .6 + .3651 is not yet enough
        assert energies(crawl) == pytest.approx([0.9651484])
        fetch(crawl, f"{SEEDS[0]}0", "solar solar solar tax tax law", links=1)
        # 3 / √15 = .7745967; what waits are links 1 to 4 of the first page and one of the second
        assert energies(crawl) == pytest.approx([(0.9651484 + 0.7745967) / 2] * 2)
        assert owners(crawl) == [0, 1, 0, 1, 0]
        assert [agent["keywords"] for agent in agents(crawl).values()] == [[("solar", 1)], [("solar", 1), ("tax", 1)]]

    def test_there_are_no_more_agents_than_allowed(self) -> None:
        crawl = begun(theta=0.1, cost=0.0, agents=2)
        fetch(crawl, SEEDS[0], links=5)
        assert list(agents(crawl)) == ["0", "1"]

    def test_an_agent_without_links_gives_way_to_a_child(self) -> None:
        crawl = begun(theta=0.1, cost=0.0, agents=2)
        fetch(crawl, SEEDS[1], "law")
        fetch(crawl, SEEDS[0], links=2)
        assert list(agents(crawl)) == ["0", "2"]

    def test_a_population_of_thousands_of_links_splits_as_one_of_few(self) -> None:
        crawl = begun(theta=0.1, cost=0.0, agents=2)
        fetch(crawl, SEEDS[0], links=1000)
        fetch(crawl, f"{SEEDS[0]}0", links=5)
        fetch(crawl, f"{SEEDS[0]}1")
        assert len(crawl.frontier) == len(owners(crawl)) == 1004

    def test_at_zero_an_agent_dies_and_its_links_are_dropped(self) -> None:
        crawl = begun(theta=1.0, cost=2.0)
        fetch(crawl, SEEDS[0], links=3)  # 1 / √10 = .3162; .5 + .3162 - 2 · .3162 = .1838
        assert owners(crawl) == [1, 0, 0, 0]
        fail(crawl, f"{SEEDS[0]}1")
        assert list(agents(crawl)) == ["1"]
        assert owners(crawl) == [1]

    def test_the_links_of_the_page_at_which_an_agent_dies_are_not_followed(self) -> None:
        crawl = begun(cost=100.0)
        fetch(crawl, SEEDS[0], links=3)
        assert owners(crawl) == [1]

    def test_the_links_of_a_dead_agent_may_be_found_by_another(self) -> None:
        crawl = begun(theta=1.0, cost=2.0)
        fetch(crawl, SEEDS[0], links=2)
        fail(crawl, f"{SEEDS[0]}0")
        chosen = crawl.apply(Picked(crawl.urls.find(web.key(SEEDS[1])))).picked
        crawl.apply(PageArrived(chosen.id, web.make_page(SEEDS[1], "solar", [(f"{SEEDS[0]}1", "x")]), 1))
        assert owners(crawl) == [1]

    def test_nobody_dies_who_is_the_last_to_have_links(self) -> None:
        crawl = begun(1, cost=100.0)
        fetch(crawl, SEEDS[0], links=3)
        assert owners(crawl) == [0, 0, 0]

    def test_a_page_of_an_agent_that_has_died_meanwhile_goes_to_the_oldest(self) -> None:
        crawl = begun(theta=1.0, cost=2.0)
        fetch(crawl, SEEDS[0], links=2)
        late = crawl.apply(Picked(crawl.urls.find(web.key(f"{SEEDS[0]}0")))).picked
        fail(crawl, f"{SEEDS[0]}1")
        crawl.apply(PageArrived(late.id, web.make_page(f"{SEEDS[0]}0", "solar", [("http://new.example/", "x")]), 1))
        assert owners(crawl) == [1, 1]


class TestLearning:
    def test_the_page_that_a_link_led_to_teaches_the_net(self) -> None:
        crawl = begun(1, window=0)
        chosen = crawl.apply(Picked(0)).picked
        crawl.apply(PageArrived(chosen.id, web.make_page(SEEDS[0], "tax", [("http://b.example/", "solar")]), 1))
        assert agents(crawl)["0"]["weights"].tolist() == [1.0, 0.0]  # a seed teaches nothing
        fetch(crawl, "http://b.example/", "law")
        # input 1, output y = tanh 1, target 0: step = .05 · (0 - y) · (1 - y²) = -.0159925
        assert agents(crawl)["0"]["weights"] == pytest.approx([1 - 0.0159925, -0.0159925], abs=1e-7)

    def test_a_link_is_remembered_by_its_strongest_inputs(self) -> None:
        words = [f"w{n}" for n in range(10)]
        strategy = InfoSpiders(InfoSpiders.Options(), toy_world(dict.fromkeys(words, 1)))
        arrive(
            strategy, Visits().of(make_page("http://a.example/", (" ".join(words), ["http://b.example/"]))), Visits()
        )
        columns = strategy.world.urls.columns  # the anchor is w0 w1
        assert columns["strategy.input_numbers"][1].tolist() == [0, 1, 2, 3, 4, 5, 6, 7]
        assert columns["strategy.input_values"][1] == pytest.approx([1, 1, 1 / 2, 1 / 3, 1 / 4, 1 / 5, 1 / 6, 1 / 7])


def test_after_redirects_a_page_belongs_to_the_agent_that_scored_the_link() -> None:
    crawl = begun()
    chosen = crawl.apply(Picked(1)).picked
    crawl.apply(
        PageArrived(chosen.id, web.make_page("http://elsewhere.example/", "solar", [("http://b.example/", "x")]), 1)
    )
    assert owners(crawl) == [0, 1]
