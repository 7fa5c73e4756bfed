"""Turns, which reckon anew only what has changed, against those that reckon everything for every question."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from focused.crawl import turns
from focused.crawl.columns import Columns
from focused.crawl.frontier import Frontier
from focused.crawl.hosts import Hosts
from focused.crawl.turns import RANK_AFTER, Turns
from tests.crawl.naive_turns import NaiveTurns

MOST = 30  #: hosts, two of each domain
hosts = st.integers(0, MOST - 1)
words = st.sampled_from([0.0, 1.0, 3.0, 7.0, 1000.0])


class Side:
    """One of the two, with a frontier of its own."""

    def __init__(self, kind: type[Turns], *, on: bool) -> None:
        self.hosts, self.on = Hosts(), on
        self.turns = kind(self.hosts, on=on)
        self.frontier = Frontier(Columns(), 0)
        for host in range(4):
            self.meet(host)

    def restarted(self) -> Side:
        again = Side(type(self.turns), on=self.on)
        again.meet(len(self.hosts) - 1)
        again.turns.restore(self.turns.snapshot())
        return again

    def meet(self, host: int) -> int:
        while len(self.hosts) <= host:
            new = self.hosts.intern(f"n{len(self.hosts)}.d{len(self.hosts) // 2}.com")
            for url in range(2 * new, 2 * new + 2):
                self.frontier.offer(url, new, float(url * 7 % 5), np.empty(0))
        return host


class TurnsInLockstep(RuleBasedStateMachine):
    """Whatever happens, both say of each host whether it is over, and take the same URL next."""

    @initialize(seeds=st.lists(hosts, max_size=2), on=st.sampled_from([True, True, True, False]))
    def begin(self, seeds: list[int], *, on: bool) -> None:
        self.sides = [Side(kind, on=on) for kind in (Turns, NaiveTurns)]
        self.both(lambda side: side.turns.begin([side.meet(seed) for seed in seeds]))

    def both(self, do: Any) -> None:
        results = [do(side) for side in self.sides]
        assert results[0] == results[1]

    @rule(host=hosts, times=st.sampled_from([1, 1, 3, RANK_AFTER]))
    def took(self, host: int, times: int) -> None:
        self.both(lambda side: [side.turns.took(side.meet(host)) for _ in range(times)])

    @rule(asked=hosts, host=hosts, new=st.booleans(), times=st.sampled_from([1, 12]))
    def led(self, asked: int, host: int, times: int, *, new: bool) -> None:
        for _ in range(times):
            self.both(
                lambda side: side.turns.led(
                    side.meet(asked), side.meet(host), np.array([host, asked]), np.array([new, not new]), asked
                )
            )

    @rule(host=hosts, words=words, to=hosts)
    def said(self, host: int, words: float, to: int) -> None:
        self.both(lambda side: side.turns.said(side.meet(host), words, np.array([side.meet(to)])))

    @rule(host=hosts, address=st.sampled_from("abc"))
    def lies_on(self, host: int, address: str) -> None:
        self.both(lambda side: side.turns.lies_on(side.meet(host), address))

    @rule(host=hosts, held=st.booleans())
    def hold(self, host: int, *, held: bool) -> None:
        self.both(lambda side: (side.frontier.hold if held else side.frontier.release)(side.meet(host)))

    @rule()
    def go_on(self) -> None:
        """As after a restart, at which the addresses of hosts are not known yet."""
        self.sides = [side.restarted() for side in self.sides]

    @invariant()
    def they_say_the_same(self) -> None:
        if not hasattr(self, "sides"):
            return
        known = range(len(self.sides[0].hosts))
        self.both(lambda side: [side.turns.is_over(host) for host in known])
        self.both(lambda side: side.turns.take(side.frontier))
        self.both(lambda side: self.passed(side))

    def passed(self, side: Side) -> list[int]:
        passed, side.frontier.passed = side.frontier.passed, None
        return [] if passed is None else np.flatnonzero(passed).tolist()


TestTurnsInLockstep = TurnsInLockstep.TestCase
TestTurnsInLockstep.settings = settings(max_examples=60, stateful_step_count=60, deadline=None)


@given(
    overdraft=st.sampled_from([-1.0, 0.05, 0.2]),
    seeds=st.sampled_from([[0], []]),
    known=st.sampled_from([4, 4, 10]),
    steps=st.lists(
        st.tuples(st.integers(0, 9), st.sampled_from([1, 25]), words, st.sampled_from(["", "a", "b"]), st.booleans())
    ),
)
@settings(max_examples=60, deadline=None)
def test_they_say_the_same_however_much_others_may_overdraw(
    overdraft: float, seeds: list[int], known: int, steps: list[Any]
) -> None:
    """A site takes pages, says words, and has links that are new or not; later its address is known, too."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(turns, "OVERDRAFT", overdraft)
        sides = [Side(kind, on=True) for kind in (Turns, NaiveTurns)]
        for side in sides:
            side.turns.begin(seeds)
        for number, times, said, address, new in steps:
            host, answers = number % known, []
            for side in sides:
                side.meet(host)
                for _ in range(times):
                    side.turns.took(host)
                    side.turns.led(host, host, np.array([host]), np.array([new]), host)
                side.turns.said(host, said, np.array([host, 0]))
                if address:
                    side.turns.lies_on(host, address)
                over = [side.turns.is_over(other) for other in range(len(side.hosts))]
                answers.append((over, side.turns.take(side.frontier)))
            assert answers[0] == answers[1]


def test_what_is_reckoned_does_not_grow_with_the_domains_ever_met(monkeypatch: pytest.MonkeyPatch) -> None:
    """A pick is reckoned for the domain that was picked from, or for its neighbours at one address when they overdraw by more."""
    reckoned = []
    of = turns.overdrawn

    def counted(own: Any, together: Any) -> Any:
        reckoned.append(np.size(own))
        return of(own, together)

    hosts = Hosts()
    one = Turns(hosts, on=True)
    for number in range(3000):
        one.lies_on(hosts.intern(f"d{number}.com"), "farm" if number % 2 else f"own {number}")
    one.is_over(0)
    monkeypatch.setattr(turns, "overdrawn", counted)
    for number in range(RANK_AFTER - 1):  # then trust is reckoned, for all
        one.took(number)
        one.is_over(number)
        one.take(Frontier(Columns(), 0))
    assert sum(reckoned) < RANK_AFTER * 3 + 2 * 1500  # the farm overdraws by 2 and by 8
