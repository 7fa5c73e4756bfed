"""Politeness towards hosts: how many requests are under way to each, when the next may be sent, and what goes before the frontier.

Both drivers share it, the live scheduler and the simulator; only their clocks differ. A request handed to the downloader too
early would wait there: no better one could overtake it, and it would take a place that another host could use. So the crawl
holds a host while its places are taken and until its delay has passed.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Generic, Protocol, TypeVar

RequestT = TypeVar("RequestT")
PlaceName = str  #: a host, or a machine by its name, which is unlike that of any host


class Manners(Protocol):
    """Limits on the requests to each host, as the driver knows them."""

    def places(self, host: str) -> int:
        """Requests that may be under way to it at a time."""

    def delay(self, host: str) -> float:
        """Seconds between two requests to it."""

    def last_sent(self, host: str) -> float | None:
        """When the last request to it was sent, by the driver's clock; None if the driver does not know."""

    def not_before(self, host: str) -> float:
        """When it may be asked again, by the driver's clock, where it asked to be left alone; else minus infinity."""


class Holds(Protocol):
    """Learns which hosts must not be asked now, such as a `Crawl`."""

    def hold(self, host: str, /, *, away: bool = False) -> None:
        """Ask nothing of a host until it is released; ``away``: for long."""

    def release(self, host: str, /) -> None:
        """A host may be asked again."""

    def lies_on(self, host: str, machine: str, /) -> None:
        """A host lies on a machine."""


@dataclass(slots=True)
class Traffic:
    """Requests under way to each host and machine from all crawls of one process: no crawl asks a host that another just asked.

    taken : requests under way
    sent : when it was asked last
    asked : of a machine, the host that this last request went to
    waiting : crawls that wait for a place, and the host that each wants there, in the order of their turns
    crowd : crawls that wait because enough requests are under way to all hosts together, in the same order
    crawls : how many crawls share this traffic
    under_way : requests under way to all hosts
    """

    taken: Counter[PlaceName] = field(default_factory=Counter)
    sent: dict[PlaceName, float] = field(default_factory=dict)
    asked: dict[PlaceName, str] = field(default_factory=dict)
    waiting: dict[PlaceName, dict[Politeness[Any], str]] = field(default_factory=dict)
    crowd: dict[Politeness[Any], None] = field(default_factory=dict)
    crawls: int = 0
    under_way: int = 0


class Politeness(Generic[RequestT]):
    """Decides which hosts may be asked now.

    Parameters
    ----------
    crawl : whose hosts are held and released
    manners : of the driver
    clock : what time it is, in seconds; never goes back
    plan : lets the driver call `wake` with a host at a time of the clock
    traffic : where other crawls of this process share it
    awake : tells the driver that another crawl has left a host, or a place among all requests
    """

    def __init__(
        self,
        crawl: Holds,
        manners: Manners,
        clock: Callable[[], float],
        plan: Callable[[float, str], None],
        traffic: Traffic | None = None,
        awake: Callable[[], None] = lambda: None,
    ) -> None:
        self._crawl, self._manners, self._clock, self._plan = crawl, manners, clock, plan
        self._places: dict[int, tuple[PlaceName, ...]] = {}  # id of a pick -> where it takes a place
        self._traffic, self._awake = traffic or Traffic(), awake
        self._traffic.crawls += 1
        self._asked = -math.inf  # when this crawl asked any host last
        self._machine: dict[str, PlaceName] = {}  # by host, where it is known
        self._hosts_on: dict[PlaceName, list[str]] = defaultdict(list)  # by machine
        self._planned: set[str] = set()  # hosts that will be woken
        self._continuations: list[tuple[str, RequestT]] = []

    @property
    def under_way(self) -> list[int]:
        """Ids of the picks that take a place."""
        return list(self._places)

    @property
    def continuations(self) -> int:
        """Requests that go on with a pick and wait for their host."""
        return len(self._continuations)

    def lies_on(self, host: str, machine: str) -> None:
        """Note the machine of a host; all hosts on one machine are treated as one host."""
        self._machine[host] = name = f"on {machine}"
        self._hosts_on[name].append(host)
        self._crawl.lies_on(host, machine)

    def take(self, pick: int, host: str) -> None:
        """Note that a request of a pick is sent: it takes a place at its host, which is held if it has a delay or no place left."""
        self._places[pick] = self._places_of(host)
        traffic = self._traffic
        traffic.under_way += 1
        self._asked = self._clock()
        for place in self._places[pick]:
            traffic.taken[place] += 1
            traffic.sent[place] = self._clock()
            traffic.asked[place] = host
        delay = self._manners.delay(host)
        if delay or not self._has_place(host):
            for neighbour in self._hosts_on.get(self._machine.get(host, ""), [host]):
                self._crawl.hold(neighbour)
        if delay:
            self._wake_at(traffic.sent[host] + delay, host)

    def leave(self, pick: int) -> bool:
        """Free the place of a pick that has ended or goes on elsewhere; False for a pick that took none."""
        places = self._places.pop(pick, None)
        if places is None:
            return False
        traffic, host = self._traffic, places[0]
        traffic.under_way -= 1
        sent = self._manners.last_sent(host) if self._is_shared else None
        for place in places:
            traffic.taken[place] -= 1
            if not traffic.taken[place]:
                del traffic.taken[place]
            if sent is not None:  # later than it was handed over where a robots.txt came first: the others cannot know
                traffic.sent[place] = max(sent, traffic.sent[place])
        self._release_in_turn(host)
        self.make_room()
        return True

    def leave_all(self) -> None:
        """Free all that this crawl holds, at its end, for the others."""
        for pick in self.under_way:
            self.leave(pick)
        self._traffic.crowd.pop(self, None)
        for crawls in self._traffic.waiting.values():
            crawls.pop(self, None)

    def is_crowded(self, most: int) -> bool:
        """Whether ``most`` requests are under way to all hosts; if so, this crawl gets its turn when there is a place."""
        if not self._is_shared or not 0 < most <= self._traffic.under_way:
            return False
        self._traffic.crowd[self] = None
        return True

    def make_room(self) -> None:
        """Wake the next crawl that waits for a place among all requests."""
        for crawl in list(self._traffic.crowd)[:1]:
            del self._traffic.crowd[crawl]
            crawl._awake()

    def wake(self, host: str) -> bool:
        """Release a host at its planned time; return whether it, or another host of its machine, may be asked now."""
        self._planned.discard(host)
        return self._release_in_turn(host)

    def go_on_later(self, host: str, request: RequestT) -> None:
        """Keep a request that goes on with a pick (a retry, a redirect) until its host is ready."""
        self._continuations.append((host, request))

    def withdraw(self, is_barred: Callable[[str], bool]) -> list[RequestT]:
        """Take out the waiting continuations whose host is barred; return them."""
        barred = [request for host, request in self._continuations if is_barred(host)]
        self._continuations = [waiting for waiting in self._continuations if not is_barred(waiting[0])]
        return barred

    def may_ask(self, host: str) -> bool:
        """Whether a host may be asked now: it has a place, and its delay has passed. Release it, or plan when to wake it."""
        if not self._has_place(host):
            return self._wait_for(host)
        free_from = self._free_from(host)
        if free_from > self._clock():
            self._crawl.hold(host, away=self._manners.not_before(host) > self._clock())
            self._wake_at(free_from, host)
            return self._wait_for(host)
        self._crawl.release(host)
        return True

    def next_continuation(self, may_go_on: Callable[[RequestT], bool] | None = None) -> RequestT | None:
        """Take out and return the first continuation whose host is ready and that may go on; None without one."""
        for position, (host, request) in enumerate(self._continuations):
            is_ready = self._has_place(host) and self._free_from(host) <= self._clock()
            if is_ready and (may_go_on is None or may_go_on(request)):
                del self._continuations[position]
                return request
        return None

    @property
    def _is_shared(self) -> bool:
        return self._traffic.crawls > 1

    def _release_in_turn(self, host: str) -> bool:
        """Release a host, or its machine, for all crawls that wait for it; the crawl that asked any host longest ago comes first.

        Return whether this crawl may ask the host now, if the others leave it the place.
        """
        if not self._is_shared:
            return self._release_all(host)
        waiting = {**self._traffic.waiting.pop(self._places_of(host)[-1], {}), self: host}
        free = [
            crawl for crawl in sorted(waiting, key=lambda crawl: crawl._asked) if crawl._release_all(waiting[crawl])
        ]
        for crawl in free:
            crawl._awake()
        return self in free

    def _wait_for(self, host: str) -> bool:
        """Queue for the time when another crawl leaves a host, or its machine; False: this crawl may not ask now."""
        if self._is_shared:
            self._traffic.waiting.setdefault(self._places_of(host)[-1], {})[self] = host
        return False

    def _places_of(self, host: str) -> tuple[PlaceName, ...]:
        """A host and, where it is known, its machine."""
        return (host, self._machine[host]) if host in self._machine else (host,)

    def _release_all(self, host: str) -> bool:
        """Release those hosts of a machine that may be asked now; plan when to wake the others."""
        machine = self._machine.get(host)
        if machine is None:
            return self.may_ask(host)
        if self._traffic.taken[machine] >= self._manners.places(host):
            return self._wait_for(host)
        ready = self._machine_free_from(machine, host)
        if ready > self._clock():
            self._wake_at(ready, host)  # once for all of them
            return self._wait_for(host)
        released = [self.may_ask(neighbour) for neighbour in self._hosts_on[machine]]
        return any(released)

    def _wake_at(self, time: float, host: str) -> None:
        if host not in self._planned:
            self._planned.add(host)
            self._plan(time, host)

    def _has_place(self, host: str) -> bool:
        most = self._manners.places(host)
        return all(self._traffic.taken[place] < most for place in self._places_of(host))

    def _free_from(self, host: str) -> float:
        machine = self._machine.get(host)
        ready = -math.inf if machine is None else self._machine_free_from(machine, host)
        return max(ready, self._after_delay(host, host, host), self._manners.not_before(host))

    def _machine_free_from(self, machine: PlaceName, host: str) -> float:
        """When the delay of this host on its machine has passed."""
        return self._after_delay(machine, self._traffic.asked.get(machine, ""), host)

    def _after_delay(self, place: str, asked: str, host: str) -> float:
        """When the delay of ``host`` has passed since the last request to a place, which went to the host ``asked``."""
        sent, known = self._traffic.sent.get(place), self._manners.last_sent(asked) if asked else None
        if known is not None and (sent is None or known > sent):
            sent = known
        return -math.inf if sent is None else sent + self._manners.delay(host)
