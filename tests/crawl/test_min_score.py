"""The least score: what scores below waits, and when nothing else does, the crawl ends and says so."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from focused.crawl.admission import HOST_IS_POOR
from focused.crawl.columns import Columns
from focused.crawl.crawl import Crawl
from focused.crawl.events import Failed, OrderGiven, PageArrived, Requested, Started
from focused.crawl.frontier import Frontier
from focused.crawl.hosts import FAIR_TRIAL
from focused.crawl.standing_orders import Order
from focused.crawl.strategy import Changes, Rescoring, Strategy, Visit, Waiting
from focused.topic.topic import Budget, Scope
from tests.contract.crawlers import crawler, world_for
from tests.contract.test_crawls import SEEDS, TEXTS, WEB, text
from tests.crawl.web import address, make_crawl, make_page, make_topic, restart, run

SEED, GOOD, BAD = (f"http://{name}.example/" for name in ("seed", "good", "bad"))
SMALL_WEB = {
    SEED: make_page(SEED, "solar", [(GOOD, "solar")]),
    GOOD: make_page(GOOD, "rain rain rain solar", [(BAD, "rain"), (f"{BAD}2", "rain")]),
    BAD: make_page(BAD, "rain", []),
}
STRATEGIES = ["adaptive", "best_first", "combined", "dom", "focused", "info_spiders", "pagerank", "shark_search", "ss1"]


def frontier(scores: dict[int, float], *, batch: int = 1, distinct_hosts: int = 0) -> Frontier:
    """A frontier with a floor of 1 in which each URL waits on the host of its own number."""
    made = Frontier(Columns(), 0, floor=1.0, batch=batch, distinct_hosts=distinct_hosts)
    for url, score in scores.items():
        made.offer(url, url, score, np.zeros(0))
    return made


def taken(waiting: Frontier) -> list[int]:
    order = []
    while (url := waiting.best()) is not None:
        waiting.take(url)
        order.append(url)
    return order


@pytest.mark.parametrize("rules", [{}, {"batch": 2}, {"batch": 10}, {"distinct_hosts": 3}])
def test_a_frontier_gives_what_reaches_its_floor_and_keeps_the_rest(rules: dict[str, int]) -> None:
    waiting = frontier({1: 0.5, 2: 1.0, 3: -7.0, 4: 2.0, 5: 1.5}, **rules)
    assert not waiting.spent
    assert taken(waiting) == [4, 5, 2]
    assert waiting.spent
    assert len(waiting) == 2


def test_nobody_can_choose_below_the_floor() -> None:
    waiting = frontier({1: 0.5, 2: 1.0, 3: 2.0})
    waiting.offer(4, 2, 0.9, np.zeros(0))
    assert waiting.ready_hosts().tolist() == [2, 3]
    assert waiting.ready().ids.tolist() == [2, 3]
    waiting.hold(1)
    assert waiting.held_score is None
    waiting.hold(3)
    assert (waiting.held_score, waiting.hosts_held) == (2.0, 1)


def test_a_url_that_falls_below_the_floor_leaves_its_batch() -> None:
    waiting = frontier({1: 3.0, 2: 2.0, 3: 1.0}, batch=2)
    waiting.take(1)
    waiting.rescore(np.array([2]), np.array([0.5]), np.zeros((1, 0)))
    assert taken(waiting) == [3]


def started(crawl: Crawl) -> Crawl:
    crawl.apply(Started([address(SEED)]))
    return crawl


def test_a_crawl_ends_when_all_that_waits_scores_below_and_says_so() -> None:
    crawl = started(make_crawl(min_score=0.5))
    assert run(crawl, SMALL_WEB) == [SEED, GOOD]
    stop = crawl.stop(0.0)
    assert stop is not None
    assert stop.slug == "min_score"
    assert stop.sentence == "no link is good enough: 2 URLs wait below [strategy] min_score = 0.5"


def test_without_a_link_left_it_is_a_dead_end_and_a_budget_comes_first() -> None:
    crawl = started(make_crawl(min_score=0.1))
    run(crawl, SMALL_WEB)
    assert (stop := crawl.stop(0.0)) is not None and stop.slug == "dead_end"
    crawl = started(make_crawl(make_topic(budget=Budget(pages=2)), min_score=0.5))
    run(crawl, SMALL_WEB)
    assert (stop := crawl.stop(0.0)) is not None and stop.slug == "page_budget"


def test_seeds_and_what_the_users_code_asks_for_are_fetched_whatever_they_score() -> None:
    crawl = started(make_crawl(min_score=5.0))
    crawl.apply(Requested(address(BAD), 0.1))
    assert run(crawl, SMALL_WEB) == [SEED, BAD]


def test_the_end_waits_for_what_is_under_way() -> None:
    crawl = started(make_crawl(min_score=0.5))
    crawl.apply(PageArrived(crawl.next().id, SMALL_WEB[SEED], 1))
    pick = crawl.next()
    assert crawl.next() is None
    assert crawl.stop(0.0) is None
    crawl.apply(PageArrived(pick.id, SMALL_WEB[GOOD], 1))
    assert crawl.stop(0.0) is not None


class Late(Strategy):
    """Thinks little of links, until it is asked what it thinks of all that waits."""

    name, parts, rescore_every = "late", (), 1000

    def visited(self, visit: Visit) -> Changes:
        count = len(visit.targets)
        return Changes(visit.targets, np.full(count, -1.0), np.empty((count, 0)))

    def rescore(self, waiting: Waiting) -> Callable[[], Rescoring]:
        scores = np.where(waiting.ids <= 2, 1.0, 0.1)  # of these URLs, the third one found is the last it likes
        return lambda: Rescoring(Changes(waiting.ids, scores, waiting.parts, replace=True))


def test_before_the_end_all_that_waits_is_scored_once_more() -> None:
    crawl = started(make_crawl(strategy=Late, min_score=0.5))
    assert run(crawl, SMALL_WEB) == [SEED, GOOD, BAD]
    assert (stop := crawl.stop(0.0)) is not None and "1 URL waits below" in stop.sentence


def new_crawl(strategy: str) -> Crawl:
    """A crawl of the toy web, where some links are good enough and others are not."""
    kind, least = crawler_of(strategy)
    made = make_crawl(make_topic(), kind, world_for(kind), min_score=least)
    if made.strategy.rescore_every:
        made.strategy.rescore_every, made.strategy.rescore_lag = 5, min(2, made.strategy.rescore_lag)
    return made


def crawler_of(strategy: str) -> tuple[type[Strategy], float]:
    kind = crawler(strategy)
    free = make_crawl(make_topic(), kind, world_for(kind))
    free.apply(Started(SEEDS))
    scores = sorted(score for _, score in followed(free, 1000)[len(SEEDS) :])
    return kind, max(1e-9, scores[len(scores) // 2])


def followed(crawl: Crawl, pages: int) -> list[tuple[str, float]]:
    """Fetch so many pages; return what was fetched, and the score with which."""
    order = []
    while len(order) < pages and (pick := crawl.next()) is not None:
        url = text(crawl, pick.id)
        order.append((url, pick.score))
        crawl.apply(PageArrived(pick.id, WEB[url], 1)).arrived if url in WEB else crawl.apply(Failed(pick.id)).drops
    return order


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_no_strategy_fetches_below_and_a_crawl_goes_on_as_if_it_had_never_stopped(strategy: str) -> None:
    crawl = new_crawl(strategy)
    crawl.apply(Started(SEEDS))
    begun = followed(crawl, 8)
    while crawl.rescorings.under_way:
        begun += followed(crawl, 1)
    restored = restart(crawl, new_crawl(strategy), TEXTS.values())
    rest = followed(crawl, 1000)
    assert followed(restored, 1000) == rest
    assert all(score >= crawl.frontier.floor for _, score in begun + rest)
    stop = crawl.stop(0.0)
    assert stop is not None
    assert stop.slug == ("min_score" if len(crawl.frontier) else "dead_end")


@pytest.mark.parametrize(
    "order", [Order("raise_url", address=address(BAD)), Order("raise_host", argument="bad.example")]
)
def test_what_a_person_wants_first_is_fetched_whatever_it_scores(order: Order) -> None:
    crawl = started(make_crawl(min_score=0.5))
    assert run(crawl, SMALL_WEB) == [SEED, GOOD]
    crawl.apply(OrderGiven(order))
    assert crawl.stop(0.0) is None
    assert run(crawl, SMALL_WEB)[0] == BAD
    assert (stop := crawl.stop(0.0)) is not None
    assert stop.slug in ("min_score", "dead_end")


def test_a_host_with_few_relevant_pages_is_left_after_a_fair_trial() -> None:
    pages = [f"http://poor.example/{number}" for number in range(2 * FAIR_TRIAL)]
    rich = [f"http://rich.example/{number}" for number in range(2 * FAIR_TRIAL)]
    web = {SEED: make_page(SEED, "solar", [(url, "solar") for url in pages + rich])}
    web |= {url: make_page(url, "rain rain rain", []) for url in pages}
    web |= {url: make_page(url, f"solar {url}", []) for url in rich}
    crawl = started(make_crawl(make_topic(scope=Scope(host_harvest_floor=0.1))))
    order, drops = [], []
    while (pick := crawl.next()) is not None:
        url = next(url for url in web if crawl.urls.find(address(url).key) == pick.id)
        order.append(url)
        drops += crawl.apply(PageArrived(pick.id, web[url], 1)).drops
    assert len([url for url in order if "poor" in url]) == FAIR_TRIAL
    assert set(rich) <= set(order)
    assert {why for _, why in drops} == {HOST_IS_POOR}
    assert len(drops) == FAIR_TRIAL
