"""Politeness towards hosts: how many requests are under way to each, when the next may be sent, and what goes before the frontier.

Both drivers share it, the live scheduler and the simulator: only the clock is another one. A request handed to the downloader
early would wait there, could not be overtaken by a better one, and would take a place that another host could use. So a host
is held while its places are taken and until its delay has passed.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Generic, Protocol, TypeVar

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


class Holds(Protocol):
    """Who is told which hosts must not be asked now, such as a `Crawl`."""

    def hold(self, host: str, /, *, away: bool = False) -> None:
        """A host is not to be asked until it is released; ``away``: that will take long."""

    def release(self, host: str, /) -> None:
        """A host may be asked again."""

    def lies_on(self, host: str, machine: str, /) -> None:
        """A host lies on a machine."""


@dataclass(slots=True)
class Machine:
    """Hosts that lie on one address.

    name : unlike that of any host
    asked : the host by whose name it was asked last
    """

    name: str
    hosts: list[str] = field(default_factory=list)
    asked: str = ""


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
        self, crawl: Holds, manners: Manners, clock: Callable[[], float], plan: Callable[[float, str], None]
    ) -> None:
        self._crawl, self._manners, self._clock, self._plan = crawl, manners, clock, plan
        self._places: dict[int, tuple[str, ...]] = {}  # id of a pick -> where it takes a place
        self._taken: Counter[str] = Counter()  # by host, and by machine
        self._sent: dict[str, float] = {}  # when a host, or a machine, was asked last
        self._machine: dict[str, Machine] = {}  # by host, where it is known
        self._machines: dict[str, Machine] = {}
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

    def lies_on(self, host: str, machine: str) -> None:
        """Several hosts may lie on one machine: it is treated as one host."""
        known = self._machines.setdefault(machine, Machine(f"on {machine}"))
        self._machine[host] = known
        known.hosts.append(host)
        self._crawl.lies_on(host, machine)

    def take(self, pick: int, host: str) -> None:
        """A request of a pick is sent to a host: it takes a place, and the host is held while it must be."""
        machine = self._machine.get(host)
        self._places[pick] = (host,) if machine is None else (host, machine.name)
        for place in self._places[pick]:
            self._taken[place] += 1
            self._sent[place] = self._clock()
        delay = self._manners.delay(host)
        if machine is not None:
            machine.asked = host
        if delay or not self._has_place(host):
            for neighbour in [host] if machine is None else machine.hosts:
                self._crawl.hold(neighbour)
        if delay:
            self._wake_at(self._sent[host] + delay, host)

    def leave(self, pick: int) -> bool:
        """A pick has come to its end, or goes on elsewhere: its place is free. False for one that took none."""
        places = self._places.pop(pick, None)
        if places is None:
            return False
        for place in places:
            self._taken[place] -= 1
            if not self._taken[place]:
                del self._taken[place]
        self._release_all(places[0])
        return True

    def wake(self, host: str) -> bool:
        """The time has come that was planned for a host; return whether it may be asked now, or another of its machine."""
        self._planned.discard(host)
        return self._release_all(host)

    def go_on_later(self, host: str, request: Request) -> None:
        """Keep a request that goes on with a pick (a retry, a redirect) until its host is ready."""
        self._continuations.append((host, request))

    def withdraw(self, is_barred: Callable[[str], bool]) -> list[Request]:
        """Take out requests that wait to go on with a pick, where their host is asked no more; return them."""
        barred = [request for host, request in self._continuations if is_barred(host)]
        self._continuations = [waiting for waiting in self._continuations if not is_barred(waiting[0])]
        return barred

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

    def _release_all(self, host: str) -> bool:
        """Let a host and the others of its machine be asked again, those that may be; else see to it that they are woken then."""
        machine = self._machine.get(host)
        if machine is None:
            return self._release(host)
        if self._taken[machine.name] >= self._manners.places(host):
            return False
        ready = self._machine_free_from(machine, host)
        if ready > self._clock():
            self._wake_at(ready, host)  # once for all of them
            return False
        released = [self._release(neighbour) for neighbour in machine.hosts]
        return any(released)

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
        places, machine = self._manners.places(host), self._machine.get(host)
        return self._taken[host] < places and (machine is None or self._taken[machine.name] < places)

    def _free_from(self, host: str) -> float:
        machine = self._machine.get(host)
        ready = -math.inf if machine is None else self._machine_free_from(machine, host)
        return max(ready, self._after_delay(host, host, host), self._manners.not_before(host))

    def _machine_free_from(self, machine: Machine, host: str) -> float:
        """When a machine may be asked for something of one of its hosts."""
        return self._after_delay(machine.name, machine.asked, host)

    def _after_delay(self, place: str, asked: str, host: str) -> float:
        """When the delay of a host has passed since a place was asked, the last time as ``asked``."""
        sent, known = self._sent.get(place), self._manners.last_sent(asked) if asked else None
        if known is not None and (sent is None or known > sent):
            sent = known
        return -math.inf if sent is None else sent + self._manners.delay(host)
