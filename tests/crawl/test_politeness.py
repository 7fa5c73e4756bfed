"""Politeness: no host has more requests under way than it has places, and none is asked before its delay is over."""

from __future__ import annotations

import heapq
import math
from collections import Counter
from dataclasses import dataclass, field

from hypothesis import given
from hypothesis import strategies as st

from focused.crawl.politeness import Politeness


@dataclass
class Hosts:
    """What politeness sees of a crawl: hosts that are held, or not."""

    held: set[str] = field(default_factory=set)
    away: set[str] = field(default_factory=set)
    machines: dict[str, str] = field(default_factory=dict)

    def lies_on(self, host: str, address: str) -> None:
        self.machines[host] = address

    def hold(self, host: str, *, away: bool = False) -> None:
        self.held.add(host)
        if away:
            self.away.add(host)

    def release(self, host: str) -> None:
        self.held.discard(host)
        self.away.discard(host)


@dataclass
class Fixed:
    """Manners that are the same for all hosts."""

    at_once: int
    wait: float
    sent: dict[str, float] = field(default_factory=dict)
    left_alone: dict[str, float] = field(default_factory=dict)

    def places(self, host: str) -> int:
        return self.at_once

    def delay(self, host: str) -> float:
        return self.wait

    def last_sent(self, host: str) -> float | None:
        return self.sent.get(host)

    def not_before(self, host: str) -> float:
        return self.left_alone.get(host, -math.inf)


class Driver:
    """Sends requests to hosts that are not held, and lets time pass."""

    def __init__(self, places: int = 1, delay: float = 0.0) -> None:
        self.now = 0.0
        self.hosts, self.manners = Hosts(), Fixed(places, delay)
        self.planned: list[tuple[float, str]] = []
        self.politeness: Politeness[str] = Politeness(
            self.hosts,  # type: ignore[arg-type]
            self.manners,
            lambda: self.now,
            lambda time, host: heapq.heappush(self.planned, (time, host)),
        )

    def pass_to(self, time: float) -> None:
        while self.planned and self.planned[0][0] <= time:
            self.now, host = heapq.heappop(self.planned)
            self.politeness.wake(host)
        self.now = time


@given(
    places=st.integers(1, 3),
    delay=st.sampled_from([0.0, 0.5, 2.0]),
    steps=st.lists(st.tuples(st.sampled_from("abc"), st.floats(0, 3), st.booleans()), max_size=60),
)
def test_places_and_delays_hold(places: int, delay: float, steps: list[tuple[str, float, bool]]) -> None:
    driver = Driver(places, delay)
    under_way: list[tuple[int, str]] = []
    sent: dict[str, float] = {}
    for pick, (host, seconds, comes_back) in enumerate(steps):
        driver.pass_to(driver.now + seconds)
        if comes_back and under_way:
            assert driver.politeness.leave(under_way.pop(0)[0])
        if host in driver.hosts.held:
            continue
        assert (
            driver.now >= sent.get(host, -1e9) + delay
        )  # in this order, as the delay is reckoned: rounding is not lateness
        driver.politeness.take(pick, host)
        under_way.append((pick, host))
        sent[host] = driver.now
        assert Counter(host for _, host in under_way)[host] <= places
    for pick, _ in under_way:
        driver.politeness.leave(pick)
    driver.pass_to(driver.now + delay)
    assert driver.hosts.held == set()  # nobody is forgotten
    assert driver.politeness.under_way == []


def test_a_place_is_free_once() -> None:
    driver = Driver()
    driver.politeness.take(1, "a")
    assert driver.hosts.held == {"a"}
    assert driver.politeness.leave(1)
    assert not driver.politeness.leave(1)
    assert driver.hosts.held == set()


def test_what_goes_on_waits_for_its_host_and_comes_before_others() -> None:
    driver = Driver(delay=1.0)
    driver.politeness.take(1, "a")
    driver.politeness.go_on_later("a", "retry")
    driver.politeness.go_on_later("b", "redirect")
    assert driver.politeness.next_continuation() == "redirect"  # its host is idle
    assert driver.politeness.next_continuation() is None
    driver.politeness.leave(1)
    assert driver.politeness.next_continuation() is None  # the delay is not over
    driver.pass_to(1.0)
    assert driver.politeness.next_continuation() == "retry"
    assert driver.politeness.continuations == 0


def test_a_request_that_the_downloader_sent_late_counts_from_when_it_was_sent() -> None:
    driver = Driver(delay=1.0)
    driver.politeness.take(1, "a")
    driver.manners.sent["a"] = 0.8
    driver.politeness.leave(1)
    driver.pass_to(1.0)
    assert driver.hosts.held == {"a"}
    driver.pass_to(1.8)
    assert driver.hosts.held == set()


@given(
    places=st.integers(1, 3),
    delay=st.sampled_from([0.0, 0.5, 2.0]),
    steps=st.lists(st.tuples(st.sampled_from("abc"), st.floats(0, 3), st.booleans()), max_size=60),
    late=st.integers(0, 20),
)
def test_hosts_of_one_machine_are_as_one_host(
    places: int, delay: float, steps: list[tuple[str, float, bool]], late: int
) -> None:
    """a and b lie on one machine, which becomes known of b at some time; c lies elsewhere."""
    driver = Driver(places, delay)
    driver.politeness.lies_on("a", "machine")
    assert driver.hosts.machines == {"a": "machine"}  # the crawl must know as well
    under_way: list[tuple[int, str]] = []
    sent: dict[str, float] = {}
    known = {"a"}
    for pick, (host, seconds, comes_back) in enumerate(steps):
        driver.pass_to(driver.now + seconds)
        if pick == late:
            driver.politeness.lies_on("b", "machine")
            driver.politeness.wake("b")
            known.add("b")
        if comes_back and under_way:
            assert driver.politeness.leave(under_way.pop(0)[0])
        if host in driver.hosts.held or (host == "b" and "b" not in known):
            continue
        if not driver.politeness.may_ask(host):
            continue
        place = "machine" if host in "ab" else host
        assert driver.now >= sent.get(place, -1e9) + delay
        driver.politeness.take(pick, host)
        under_way.append((pick, place))
        sent[place] = driver.now
        assert Counter(place for _, place in under_way)[place] <= places
    for pick, _ in under_way:
        driver.politeness.leave(pick)
    driver.pass_to(driver.now + delay)
    assert driver.hosts.held == set()
    assert driver.politeness.under_way == []


def test_a_host_that_wants_to_be_left_alone_is_held_and_nobody_waits_for_it() -> None:
    driver = Driver()
    driver.politeness.take(1, "a")
    driver.manners.left_alone["a"] = 50.0
    driver.politeness.leave(1)
    driver.politeness.go_on_later("a", "again")
    driver.pass_to(49.0)
    assert (driver.hosts.held, driver.hosts.away) == ({"a"}, {"a"})
    assert driver.politeness.next_continuation() is None
    driver.pass_to(50.0)
    assert (driver.hosts.held, driver.hosts.away) == (set(), set())
    assert driver.politeness.next_continuation() == "again"
