"""What strategies may do beyond scoring the links of a page: rescore what waits, lower and drop it, bring links back, choose."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import ClassVar

import numpy as np
import pytest

from focused.crawl.crawl import Crawl
from focused.crawl.events import Failed, Picked, Started
from focused.crawl.strategy import Changes, Ready, Rescoring, Strategy, StrategyOptions, Visit, Waiting
from focused.crawl.world import World
from focused.page.page import Page
from tests.crawl.web import address, fetch_next, make_page, make_topic

SEED = "http://seed.example/"
LINKS = [f"http://h{n}.example/" for n in range(6)]


class Taught(Strategy):
    """Does what a test tells it."""

    name = "taught"
    parts: ClassVar[tuple[str, ...]] = ("turn",)

    def __init__(self, options: StrategyOptions, world: World) -> None:
        super().__init__(options, world)
        self.answers: list[Changes] = []
        self.chooses: Callable[[Ready], int | None] = lambda _: None
        self.learned: list[object] = []
        self.new_score: Callable[[int], float] = float

    def visited(self, visit: Visit) -> Changes:
        if self.answers:
            return self.answers.pop(0)
        return changes(visit.targets.tolist(), [0.0] * len(visit.targets))

    def failed(self, url: int, parts: tuple[float, ...]) -> Changes:
        return self.answers.pop(0) if self.answers else Changes.none(1)

    def rescore(self, waiting: Waiting) -> Callable[[], Rescoring] | None:
        scores = [self.new_score(url) for url in waiting.ids.tolist()]
        return lambda: Rescoring(changes(waiting.ids.tolist(), scores), learned=len(scores))

    def adopt(self, learned: object) -> None:
        self.learned.append(learned)

    def choose(self, ready: Ready) -> int | None:
        return self.chooses(ready)


def changes(ids: list[int], scores: list[float], *, replace: bool = False) -> Changes:
    return Changes(np.array(ids, np.int64), np.array(scores), np.ones((len(ids), 1)), replace)


@pytest.fixture
def crawl() -> Crawl:
    """A crawl whose seed is fetched and has led to six URLs of as many hosts, all with score 0."""
    return begun()


def begun(every: int = 0, lag: int = 0) -> Crawl:
    made = Crawl(make_topic(), Taught, Taught.Options(), World({"solar": 1}), lambda _: 0.0)
    made.strategy.rescore_every, made.strategy.rescore_lag = every, lag
    made.apply(Started([address(SEED)]))
    fetch_next(made, page(SEED, LINKS))
    return made


def page(url: str, links: list[str]) -> Page:
    return make_page(url, "words", [(link, "anchor") for link in links])


def rest(crawl: Crawl) -> list[int]:
    """All that still waits, in the order in which it is taken; each fails."""
    taken = []
    while (pick := crawl.next()) is not None:
        taken.append(pick.id)
        crawl.apply(Failed(pick.id))
    return taken


def test_what_a_strategy_says_of_links_seen_long_ago_counts(crawl: Crawl) -> None:
    taught(crawl).answers = [changes([5, 3], [2.0, 1.0])]
    fetch_next(crawl, page(LINKS[0], []))
    assert rest(crawl) == [5, 3, 2, 4, 6]


def test_a_waiting_url_keeps_its_better_score_unless_it_is_replaced(crawl: Crawl) -> None:
    taught(crawl).answers = [
        changes([4, 5], [3.0, 2.0]),
        changes([4, 5], [1.0, 1.0]),
        changes([4], [-1.0], replace=True),
    ]
    for _ in range(2):
        crawl.apply(Failed(crawl.apply(Picked(int(crawl.frontier.view().ids[0]))).picked.id))
    assert crawl.frontier.score(4) == 3.0
    crawl.apply(Failed(crawl.apply(Picked(int(crawl.frontier.view().ids[0]))).picked.id))
    assert (crawl.frontier.score(4), crawl.frontier.score(5)) == (-1.0, 2.0)


def test_a_url_that_was_dropped_may_come_back_and_one_that_was_fetched_may_not(crawl: Crawl) -> None:
    taught(crawl).answers = [changes([3, 4], [math.nan, math.nan], replace=True), changes([0, 1, 3], [9.0, 9.0, 9.0])]
    fetch_next(crawl, page(LINKS[0], []))
    assert 3 not in crawl.frontier
    fetch_next(crawl, page(LINKS[1], []))
    assert rest(crawl) == [3, 5, 6]


def test_a_url_out_of_scope_does_not_come_back() -> None:
    topic = make_topic(scope={"denied_hosts": ("h3.example",)})
    crawl = Crawl(topic, Taught, Taught.Options(), World({}), lambda _: 0.0)
    crawl.apply(Started([address(SEED)]))
    fetch_next(crawl, page(SEED, LINKS))
    taught(crawl).answers = [changes([4], [9.0])]
    fetch_next(crawl, page(LINKS[0], []))
    assert 4 not in crawl.frontier


def test_a_url_dropped_when_it_was_found_has_its_depth_and_source_when_it_comes_back(crawl: Crawl) -> None:
    taught(crawl).answers = [changes([7], [math.nan]), changes([7], [5.0])]
    source = fetch_next(crawl, page(LINKS[0], ["http://late.example/"])).id
    fetch_next(crawl, page(LINKS[1], []))
    pick = crawl.next()
    assert pick is not None
    assert (pick.id, pick.depth, pick.source) == (7, 2, source)


@pytest.mark.parametrize("lag", [0, 1, 3])
def test_a_rescoring_takes_effect_after_so_many_picks(lag: int) -> None:
    crawl = begun(every=2, lag=lag)
    fetch_next(crawl, page(LINKS[0], []))
    assert rest(crawl) == [*range(2, 2 + lag), *reversed(range(2 + lag, 7))]
    assert taught(crawl).learned[0] == 5


def test_a_rescoring_takes_effect_when_nothing_waits() -> None:
    crawl = begun(every=2, lag=100)
    fetch_next(crawl, page(LINKS[0], []))
    rest(crawl)
    assert not crawl.rescorings.under_way
    assert taught(crawl).learned == [5]


def test_the_next_rescoring_waits_until_the_last_one_has_taken_effect() -> None:
    crawl = begun(every=1, lag=100)
    fetch_next(crawl, page(LINKS[0], []))
    assert taught(crawl).learned == [6]


def test_scores_of_what_was_taken_meanwhile_are_ignored() -> None:
    crawl = begun(every=2, lag=2)
    fetch_next(crawl, page(LINKS[0], []))
    assert len(rest(crawl)) == 5


def test_a_rescoring_may_drop_what_waits() -> None:
    crawl = begun(every=2)
    taught(crawl).new_score = lambda url: math.nan if url % 2 else float(url)
    fetch_next(crawl, page(LINKS[0], []))
    assert rest(crawl) == [6, 4, 2]


def test_a_strategy_may_choose_another_than_the_best(crawl: Crawl) -> None:
    taught(crawl).chooses = lambda ready: int(ready.ready().ids[-1])
    assert rest(crawl) == [6, 5, 4, 3, 2, 1]


def test_a_pick_tells_the_score_that_was_passed_over_for_it() -> None:
    crawl = begun(every=2)  # each URL's score is its id from now on
    fetch_next(crawl, page(LINKS[0], []))
    strategy, picks = taught(crawl), []
    for chosen in (min, max, None):
        strategy.chooses = lambda ready, chosen=chosen: chosen and int(chosen(ready.ready().ids))  # type: ignore[misc]
        picks.append(crawl.next())
    assert [(pick.id, pick.passed_over) for pick in picks if pick] == [(2, 6.0), (6, None), (5, None)]


def test_chance_is_the_same_at_the_same_pick_and_differs_by_pick_purpose_and_seed() -> None:
    world = World({}, seed=1)
    first = world.chance("explore").random()
    assert world.chance("explore").random() == first
    assert world.chance("draw").random() != first
    assert World({}, seed=2).chance("explore").random() != first
    world.picks += 1
    assert world.chance("explore").random() != first


def taught(crawl: Crawl) -> Taught:
    assert isinstance(crawl.strategy, Taught)
    return crawl.strategy
