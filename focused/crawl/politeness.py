"""Politeness towards hosts: how many requests are under way to each, when the next may be sent, and what goes before the frontier.

Both drivers share it, the live scheduler and the simulator: only the clock is another one. A request handed to the downloader
early would wait there, could not be overtaken by a better one, and would take a place that another host could use. So a host
is held while its places are taken and until its delay has passed.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable
from typing import Generic, Protocol, TypeVar

from focused.crawl.crawl import Crawl

Request = TypeVar("Request")


class Manners(Protocol):
    """What each host may be asked, as the driver knows it."""

    def places(self, host: str) -> int:
        """Requests that may be under way to it at a time."""

    def delay(self, host: str) -> float:
        """Seconds between two requests to it."""

    def last_sent(self, host: str) -> float | None:
        """When the last request to it was sent, by the driver's clock; None where the driver does not know."""

    def not_before(self, host: str) -> float:
        """When it may be asked again, by the driver's clock, where it asked to be left alone; else minus infinity."""


class Politeness(Generic[Request]):
    """Who may be asked now.

    Parameters
    ----------
    crawl : whose hosts are held and released
    manners : of the driver
    clock : what time it is, in seconds; never goes back
    plan : lets the driver call `wake` with a host at a time of the clock
    """

    def __init__(
        self, crawl: Crawl, manners: Manners, clock: Callable[[], float], plan: Callable[[float, str], None]
    ) -> None:
        self._crawl, self._manners, self._clock, self._plan = crawl, manners, clock, plan
        self._places: dict[int, str] = {}  # id of a pick -> host whose place it takes
        self._taken: Counter[str] = Counter()
        self._sent: dict[str, float] = {}  # when a host was asked last
        self._planned: set[str] = set()  # hosts that will be woken
        self._continuations: list[tuple[str, Request]] = []

    @property
    def under_way(self) -> list[int]:
        """Ids of the picks that take a place."""
        return list(self._places)

    @property
    def continuations(self) -> int:
        """Requests that go on with a pick and wait for their host."""
        return len(self._continuations)

    def take(self, pick: int, host: str) -> None:
        """A request of a pick is sent to a host: it takes a place, and the host is held while it must be."""
        self._places[pick] = host
        self._taken[host] += 1
        self._sent[host] = self._clock()
        delay = self._manners.delay(host)
        if delay or not self._has_place(host):
            self._crawl.hold(host)
        if delay:
            self._wake_at(self._sent[host] + delay, host)

    def leave(self, pick: int) -> bool:
        """A pick has come to its end, or goes on elsewhere: its place is free. False for one that took none."""
        host = self._places.pop(pick, None)
        if host is None:
            return False
        self._taken[host] -= 1
        if not self._taken[host]:
            del self._taken[host]
        self._release(host)
        return True

    def wake(self, host: str) -> bool:
        """The time has come that was planned for a host; return whether it may be asked now."""
        self._planned.discard(host)
        return self._release(host)

    def go_on_later(self, host: str, request: Request) -> None:
        """Keep a request that goes on with a pick (a retry, a redirect) until its host is ready."""
        self._continuations.append((host, request))

    def may_ask(self, host: str) -> bool:
        """Whether a host may be asked now; if not, it is woken when it may."""
        return self._release(host)

    def next_continuation(self, may_go_on: Callable[[Request], bool] | None = None) -> Request | None:
        """The first of these whose host is ready, and that may go on, which then waits no more."""
        for position, (host, request) in enumerate(self._continuations):
            is_ready = self._has_place(host) and self._free_from(host) <= self._clock()
            if is_ready and (may_go_on is None or may_go_on(request)):
                del self._continuations[position]
                return request
        return None

    def _release(self, host: str) -> bool:
        """Let a host be asked again if it has a place and its delay has passed; else see to it that it is woken then."""
        if not self._has_place(host):
            return False
        free_from = self._free_from(host)
        if free_from > self._clock():
            self._crawl.hold(host, away=self._manners.not_before(host) > self._clock())
            self._wake_at(free_from, host)
            return False
        self._crawl.release(host)
        return True

    def _wake_at(self, time: float, host: str) -> None:
        if host not in self._planned:
            self._planned.add(host)
            self._plan(time, host)

    def _has_place(self, host: str) -> bool:
        return self._taken[host] < self._manners.places(host)

    def _free_from(self, host: str) -> float:
        sent, known = self._sent.get(host), self._manners.last_sent(host)
        if known is not None and (sent is None or known > sent):
            sent = known
        ready = -math.inf if sent is None else sent + self._manners.delay(host)
        return max(ready, self._manners.not_before(host))
