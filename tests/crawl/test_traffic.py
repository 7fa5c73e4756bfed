"""Crawls that share their traffic: a host has one client, whoever asks, and nobody who wants it is forgotten."""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from focused.crawl.politeness import Politeness, Traffic
from tests.crawl.test_politeness import Fixed, Hosts


class Several:
    """Crawls that want hosts and are told when they may ask."""

    def __init__(self, crawls: int, places: int = 1, delay: float = 0.0) -> None:
        self.now, self.traffic, self.manners = 0.0, Traffic(), Fixed(places, delay)
        self.planned: list[tuple[float, int, str]] = []
        self.hosts = [Hosts() for _ in range(crawls)]
        self.awake: list[int] = []
        self.crawls = [self._crawl(number) for number in range(crawls)]

    def _crawl(self, number: int) -> Politeness[str]:
        def plan(time: float, host: str) -> None:
            heapq.heappush(self.planned, (time, number, host))

        awake: Callable[[], None] = lambda: self.awake.append(number)  # noqa: E731
        hosts = self.hosts[number]
        return Politeness(hosts, self.manners, lambda: self.now, plan, self.traffic, awake)  # type: ignore[arg-type]

    def pass_to(self, time: float) -> None:
        while self.planned and self.planned[0][0] <= time:
            self.now, number, host = heapq.heappop(self.planned)
            self.crawls[number].wake(host)
        self.now = time

    def asks(self, number: int, host: str) -> bool:
        """As a crawl does that would pick from a host."""
        if host in self.hosts[number].held:
            return False
        if self.crawls[number].may_ask(host):
            return True
        self.hosts[number].hold(host)
        return False


@given(
    places=st.integers(1, 3),
    delay=st.sampled_from([0.0, 0.5, 2.0]),
    steps=st.lists(st.tuples(st.integers(0, 2), st.sampled_from("ab"), st.floats(0, 1.5), st.booleans()), max_size=80),
    machine=st.booleans(),
)
def test_places_and_delays_hold_for_all_together(
    places: int, delay: float, steps: list[tuple[int, str, float, bool]], machine: bool
) -> None:
    several = Several(3, places, delay)
    for crawl in several.crawls if machine else ():
        crawl.lies_on("a", "m")
        crawl.lies_on("b", "m")
    under_way: list[tuple[int, int, str]] = []
    sent: dict[str, float] = {}
    for pick, (number, host, seconds, comes_back) in enumerate(steps):
        several.pass_to(several.now + seconds)
        if comes_back and under_way:
            of, done, _ = under_way.pop(0)
            assert several.crawls[of].leave(done)
        if not several.asks(number, host):
            continue
        place = "m" if machine else host
        assert several.now >= sent.get(place, -1e9) + delay
        several.crawls[number].take(pick, host)
        sent[place] = several.now
        under_way.append((number, pick, place))
        assert Counter(place for _, _, place in under_way)[place] <= places
        assert several.traffic.under_way == len(under_way)
    for of, done, _ in under_way:
        several.crawls[of].leave(done)
    several.pass_to(several.now + 2 * delay)
    assert [hosts.held for hosts in several.hosts] == [set(), set(), set()]  # nobody is forgotten
    assert several.traffic.under_way == 0
    assert not any(several.traffic.taken.values())


@pytest.mark.parametrize("delay", [0.0, 1.0])
def test_crawls_that_want_one_host_have_it_in_turn(delay: float) -> None:
    several, order = Several(3, delay=delay), list[int]()
    for pick in range(12):
        for number in several.awake or [0, 1, 2]:
            if several.asks(number, "a"):
                several.crawls[number].take(pick, "a")
                order.append(number)
        several.awake.clear()
        several.crawls[order[-1]].leave(pick)
        several.pass_to(several.now + delay + 0.01)
    assert Counter(order) == {0: 4, 1: 4, 2: 4}
    assert all(len(set(order[place : place + 3])) == 3 for place in range(0, 12, 3))


def test_a_robots_txt_that_came_first_delays_what_others_ask() -> None:
    several = Several(2, delay=1.0)
    several.crawls[0].take(1, "a")
    several.manners.sent["a"] = 1.0  # the page itself was sent a second after the robots.txt
    several.pass_to(1.1)
    several.crawls[0].leave(1)
    several.manners.sent.clear()  # the other has an engine of its own, which knows nothing of it
    assert not several.asks(1, "a")
    several.pass_to(2.0)
    assert several.asks(1, "a")


def test_one_that_ends_leaves_its_places_to_others() -> None:
    several = Several(2)
    several.crawls[0].take(1, "a")
    assert not several.asks(1, "a")
    several.crawls[0].leave_all()
    assert several.awake[0] == 1
    assert several.asks(1, "a")


def test_the_limit_for_all_hosts_is_shared_in_turn() -> None:
    several = Several(3)
    several.crawls[0].take(1, "a")
    several.crawls[0].take(2, "b")
    assert [crawl.is_crowded(2) for crawl in several.crawls] == [True, True, True]
    assert not several.crawls[1].is_crowded(0)  # 0 is no limit
    several.crawls[0].leave(1)
    assert several.awake[-1] == 0  # it was refused first
    several.crawls[0].make_room()  # it has nothing to ask for
    assert several.awake[-1] == 1


def test_one_alone_never_waits_for_others() -> None:
    alone = Several(1)
    alone.crawls[0].take(1, "a")
    assert not alone.crawls[0].is_crowded(1)
    alone.crawls[0].leave(1)
    assert (alone.traffic.waiting, alone.traffic.crowd, alone.awake) == ({}, {}, [])
