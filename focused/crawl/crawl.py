"""The core that both drivers share: events go in, the next link comes out. No I/O, no clock.

The order of events decides everything: the same events lead to the same state. So an interrupted crawl goes on by replaying its
journal (see `focused/live/resume.py`), and a replay applies a changed strategy to pages already fetched.
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

MOST_DENIED = 50  #: most hosts that a driver may deny in one search for a pick: each costs a look-up
MayAsk = Callable[[str], bool] | None  #: asks the driver, as the last check, whether a host may be asked, by name


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
        """Close the pick that an event ends, and return it."""
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

        may_ask : the crawl holds a host that it denies until the driver releases it
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
        """URLs that go before all that the strategy prefers: a probe, a list, and what a person wants."""
        for lane in (self.traps.probes, self.lists):
            if (url := lane.next(self.frontier.is_held)) is not None:
                yield url
        yield from islice(self.steering.first(), MOST_DENIED)

    def _choose(self, best: int) -> int | None:
        """What the strategy chooses from the domains whose turn it is; None if nothing may be taken now.

        best : the best URL that may be taken now, turns aside
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
        """Whether the driver lets the crawl ask a host; the crawl holds one that it denies. Not an event."""
        if may_ask is None or may_ask(self.hosts.names[host]):
            return True
        self.frontier.hold(host)
        return False

    def revisit(self, url: int, picked: int = 0, score: float = 0.0) -> Pick:
        """Re-fetch a page fetched long ago. Not an event; its answer will be one.

        picked : the event at which the page was chosen
        score : what the re-fetch is worth
        """
        urls, parts = self.urls, tuple(self.no_parts()[0].tolist())
        pick = Pick(picked, url, int(urls.host[url]), score, parts, int(urls.source[url]), int(urls.depth[url]))
        self.in_flight[url] = pick
        self.revisiting.add(url)
        return pick

    def reserve(self, url: int, target: Address) -> int:
        """Reserve the URL that a pick redirects to, so that the crawl does not pick it meanwhile; return its id.

        Not an event, and not in the journal: the target counts as met when its page arrives (see `Intake`).
        """
        final = self.naming.reserve(target)
        if final != url:  # a page may send its visitor back to itself, with a cookie
            self.urls.state[final] = State.PICKED
            self.reserved.setdefault(url, []).append(final)
        return final

    def redirects_to(self, url: int, target: int) -> bool:
        """Whether a pick under way was redirected to this URL before: a redirect loop."""
        return target == url or target in self.reserved.get(url, ())

    def hold(self, host: str, *, away: bool = False) -> None:
        """Pick nothing from a host, known or not, until it is released. Not an event.

        away : for long, so that no strategy waits for this host
        """
        self.frontier.hold(self.hosts.intern(host), away=away)

    def release(self, host: str) -> None:
        """Let a host be picked from again. Not an event."""
        self.frontier.release(self.hosts.intern(host))

    def lies_on(self, host: str, address: str) -> None:
        """Note the IP address of a host: all hosts at one address share its first pages. Not an event."""
        self.traps.turns.lies_on(self.hosts.intern(host), address)
