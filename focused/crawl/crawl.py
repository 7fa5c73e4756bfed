"""The core that both drivers share: events go in, the next link comes out. No I/O, no clock.

The order of events decides everything: a crawl that is given the same events again stands where it stood, which is how an
interrupted crawl goes on (see `focused/live/resume.py`) and how a changed strategy is applied to pages already fetched.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cached_property
from itertools import islice

from focused.crawl.budget import hurry
from focused.crawl.events import AskedAgain, Event, Outcome, Pick, Picked, PickEnded, ProbeAnswered, Requested, Started
from focused.crawl.frontier_rules import FrontierRules
from focused.crawl.intake import Handler, Intake
from focused.crawl.state import CrawlState
from focused.crawl.strategy import WAIT
from focused.crawl.url_table import State
from focused.page.urls import Address

MOST_DENIED = 50  #: hosts that a driver is asked about in vain before others have their turn: each costs a choice
MayAsk = Callable[[str], bool] | None  #: a last question to the driver about a host, by name


class Crawl(CrawlState):
    """One crawl of one topic: its state, and the only ways to change it."""

    @cached_property
    def _rules(self) -> FrontierRules:
        return FrontierRules(self)

    @cached_property
    def _steps(self) -> Mapping[type[Event], Handler]:
        return Intake(self, self._rules).steps

    def apply(self, event: Event) -> Outcome:
        """Take in what happened; return what it changed."""
        self.events += 1
        outcome = Outcome(self.events)
        if isinstance(event, PickEnded):
            outcome.pick = self._close(event)
        self._steps[type(event)](event, outcome)
        if not isinstance(event, Started | Requested):
            self._rules.settle()
        outcome.new_urls = self.naming.drain()
        return outcome

    def _close(self, event: PickEnded) -> Pick:
        """The pick that an event ends, of which nothing is under way any more."""
        url = event.url
        if isinstance(event, AskedAgain) and url not in self.in_flight:  # a replay
            self.revisit(url)
        self.urls.state[url] = State.DONE
        self.put_off.discard(url)
        self.revisiting.discard(url)
        self.urls.state[self.reserved.pop(url, [])] = State.FREE
        pick = self.in_flight.pop(url)
        if getattr(event, "silent", False):
            self.hosts.not_heard(pick.host)
        elif not isinstance(event, ProbeAnswered):  # which says nothing of its host
            self.hosts.heard(pick.host)
        return pick

    def next(self, may_ask: MayAsk = None, seconds: float = 0.0) -> Pick | None:
        """Pick what `choose` says."""
        event = self.choose(may_ask, seconds)
        return None if event is None else self.apply(event).pick

    def choose(self, may_ask: MayAsk = None, seconds: float = 0.0) -> Picked | None:
        """The best URL whose host is ready, to be picked next; None when none may be taken now (or ever: see `exhausted`).

        may_ask : one that it denies is held until the driver releases it
        seconds : of crawling so far, all runs together
        """
        if self.budget_is_taken:
            return None
        self.world.hurry = hurry(self.budget, self.totals, seconds)
        for url in self._wanted_first():
            if self.is_let(int(self.urls.host[url]), may_ask):
                return Picked(url)
        for _ in range(MOST_DENIED):
            if (best := self.frontier.best()) is None or (chosen := self._choose(best)) is None:
                return None
            if self.is_let(int(self.urls.host[chosen]), may_ask):
                passed_over = self.frontier.score(best)
                return Picked(chosen, passed_over if passed_over > self.frontier.score(chosen) else None)
        return None

    def _wanted_first(self) -> Iterator[int]:
        """What is asked for before all that the strategy prefers: a probe, a list, and what a person wants."""
        for lane in (self.traps.probes, self.lists):
            if (url := lane.next(self.frontier.is_held)) is not None:
                yield url
        yield from islice(self.steering.first(), MOST_DENIED)

    def _choose(self, best: int) -> int | None:
        """The URL that comes next, of a domain whose turn it is and by the strategy; None where none may be taken now.

        best : of all that may be taken now, whoever's turn it is
        """
        first: int | None = best
        # A strategy that takes the best need not know of other hosts.
        if self.strategy.choice or self.lets_others_go_first(best):
            first = self.traps.turns.take(self.frontier)
        if first is None:
            return None
        chosen = self.strategy.choose(self.frontier)
        self.frontier.passed = None
        if chosen is None:
            return first
        return None if chosen == WAIT else chosen

    def lets_others_go_first(self, url: int) -> bool:
        """Whether the domain of a URL has used up its pages, so that others go first."""
        return self.traps.turns.is_over(int(self.urls.host[url]))

    def is_let(self, host: int, may_ask: MayAsk) -> bool:
        """Whether the driver lets a host be asked; one that it denies is held. Not an event."""
        if may_ask is None or may_ask(self.hosts.names[host]):
            return True
        self.frontier.hold(host)
        return False

    def revisit(self, url: int, picked: int = 0, score: float = 0.0) -> Pick:
        """Ask once more for a page fetched long ago. Not an event: what comes of it is.

        picked : the event at which it was chosen
        score : what it is worth to ask again
        """
        urls, parts = self.urls, tuple(self.no_parts(1)[0].tolist())
        pick = Pick(picked, url, int(urls.host[url]), score, parts, int(urls.source[url]), int(urls.depth[url]))
        self.in_flight[url] = pick
        self.revisiting.add(url)
        return pick

    def reserve(self, url: int, target: Address) -> int:
        """Keep the URL that a pick redirects to from being picked meanwhile; return its id.

        Not an event, and no journal tells of it: it is the page at its end that makes the target met (see `Intake`).
        """
        final = self.naming.reserve(target)
        if final != url:  # a page may send its visitor back to itself, with a cookie
            self.urls.state[final] = State.PICKED
            self.reserved.setdefault(url, []).append(final)
        return final

    def redirects_to(self, url: int, target: int) -> bool:
        """Whether a pick under way has been redirected to this URL before: it goes round in circles."""
        return target == url or target in self.reserved.get(url, ())

    def hold(self, host: str, *, away: bool = False) -> None:
        """Let nothing be picked from a host, known or not, until it is released. Not an event.

        away : that will take long, so that nothing is worth waiting for it
        """
        self.frontier.hold(self.hosts.intern(host), away=away)

    def release(self, host: str) -> None:
        """Let a host be picked from again. Not an event."""
        self.frontier.release(self.hosts.intern(host))

    def lies_on(self, host: str, address: str) -> None:
        """Note at which address a host lies: all that lie there share its first pages. Not an event."""
        self.traps.turns.lies_on(self.hosts.intern(host), address)
