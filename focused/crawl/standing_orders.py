"""Orders of a person to a running crawl, as events of the core: URLs and hosts to fetch first or never, or another budget.

- A raised URL goes before all that the strategy prefers, as soon as its host may be asked; one that was dropped or never seen
  waits as well, unless the scope bars it.
- A dropped URL is never fetched, whatever links to it, unless it is raised.
- Of a raised host, what waits or comes to wait goes before others for its next `PAGES_OF_HOST` pages.
- A denied host, with its subdomains, has nothing that waits; an allowed one may have again, as links are found.
- The domain of a trusted host takes no turns (see `focused.crawl.turns`), as those of seeds.
- A budget replaces the topic's as long as the topic's own stays the same.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

import numpy as np

from focused.crawl.admission import DENIED, DROPPED, Admission, Drop
from focused.crawl.arrays import FloatArray
from focused.crawl.frontier import GONE, Frontier
from focused.crawl.hosts import Hosts
from focused.crawl.url_forms import domain_of
from focused.crawl.url_table import UNASKED, State, UrlNaming, UrlTable
from focused.page.urls import Address
from focused.topic.topic import LARGEST_COUNT, Budget

PAGES_OF_HOST = 50  #: that go before others when a host is raised
RAISED_SCORE = 1.0  #: of a raised URL that did not wait; seeds have the same
LIMITS: Mapping[str, type[int] | type[float]] = {"pages": int, "hours": float}  #: of a budget that can be changed


class OrderKind(StrEnum):
    """Kinds of orders, as the journal names them."""

    RAISE_URL = "raise_url"
    DROP_URL = "drop_url"
    RAISE_HOST = "raise_host"
    DENY_HOST = "deny_host"
    ALLOW_HOST = "allow_host"
    TRUST_HOST = "trust_host"
    BUDGET = "budget"


@dataclass(frozen=True, slots=True)
class Order:
    """An order that a person gives the core.

    kind : one of `OrderKind`
    address : of the URL, for an order about one
    argument : the host, for an order about one; of a budget, what the topic said of it
    value : of a budget, such as ``pages=500``
    """

    kind: str
    address: Address | None = None
    argument: str = ""
    value: str = ""


class StandingOrders:
    """The orders that a person has given one crawl so far.

    no_parts : (1, p) zeros: the parts of a score that no strategy gave
    naming : gives a URL an id
    trust : trusts the domains of hosts, given by id, like those of seeds (see `Turns.begin`)

    Attributes
    ----------
    raised : ids of URLs that go before all others, the first first; all of them wait
    preferred : by id of host, how many of its pages still go before others
    """

    def __init__(
        self,
        urls: UrlTable,
        hosts: Hosts,
        frontier: Frontier,
        admission: Admission,
        no_parts: FloatArray,
        naming: UrlNaming,
        trust: Callable[[Iterable[int]], None],
    ) -> None:
        self._urls, self._hosts, self._frontier, self._admission = urls, hosts, frontier, admission
        self._no_parts, self._naming, self._trust = no_parts, naming, trust
        self._denials = admission.denials
        self.raised: dict[int, None] = {}
        self.preferred: dict[int, int] = {}
        self._limits: dict[str, tuple[float, float]] = {}  # by name: what holds, and what the topic said then

    def budget(self, of_topic: Budget) -> Budget:
        """The budget that holds, given the topic's."""
        now = {name: kind(self._limits[name][0]) for name, kind in LIMITS.items() if self._replaces(name, of_topic)}
        return of_topic.model_copy(update=now) if now else of_topic

    def _replaces(self, name: str, of_topic: Budget) -> bool:
        return name in self._limits and self._limits[name][1] == getattr(of_topic, name)

    def first(self) -> Iterator[int]:
        """URLs that may be taken now and go before all that the strategy prefers, in order."""
        yield from (url for url in self.raised if not self._frontier.is_held(int(self._urls.host[url])))
        for host in self.preferred:
            if not self._frontier.is_held(host) and self._frontier.best_scores(np.array([host]))[0] != GONE:
                yield self._frontier.best_of(host)

    @property
    def waits(self) -> bool:
        """Whether a URL waits that a person wants first, whatever it scores."""
        hosts = np.fromiter(self.preferred, np.int64, len(self.preferred))
        return bool(self.raised) or bool((self._frontier.best_scores(hosts) != GONE).any())

    def took(self, url: int, host: int) -> None:
        """Note that a URL was picked."""
        self.raised.pop(url, None)
        if host in self.preferred:
            self.preferred[host] -= 1
            if not self.preferred[host]:
                del self.preferred[host]

    def keeps(self, url: int) -> bool:
        """Put an evicted URL back if a person has raised it; return whether it was put back."""
        if url not in self.raised:
            return False
        self._wait(url)
        return True

    def forget(self, url: int) -> None:
        """Note that a URL no longer waits."""
        self.raised.pop(url, None)

    def against(self, order: Order) -> str:
        """Why an order cannot be followed, for a person; empty if it can."""
        match order.kind:
            case OrderKind.RAISE_URL | OrderKind.DROP_URL:
                assert order.address is not None
                url = self._urls.find(order.address.key)
                state = State.FREE if url < 0 or url in self._denials.dropped else State(int(self._urls.state[url]))
                if state == State.PICKED:
                    return "it is being fetched now"
                if state == State.DONE:
                    return "it was asked for already"
                return self._against_raising(url, order.address) if order.kind == OrderKind.RAISE_URL else ""
            case OrderKind.RAISE_HOST:
                if self._hosts.find(order.argument) < 0:
                    return "no URL of this host is known"
                return self._admission.against_host(self._hosts.find(order.argument))
            case OrderKind.DENY_HOST:
                return "it is denied already" if self._denials.by(order.argument) else ""
            case OrderKind.ALLOW_HOST:
                by = self._denials.by(order.argument)
                if by and by != order.argument:
                    return f"it is denied with {by}: allow that"
                return (
                    "" if by else "nobody denied it while the crawl ran; what the topic's scope bars is changed there"
                )
            case OrderKind.TRUST_HOST:
                return "" if self._domain_with(order.argument) else "no URL of its domain is known"
            case OrderKind.BUDGET:
                return "" if limits_in(order.value) else f"{order.value!r} is none of pages=500 and hours=2"
        return f"there is no such command: {order.kind}"

    def _against_raising(self, url: int, address: Address) -> str:
        """Why a URL that is neither done nor under way may not wait; empty if it may. Gives it no id."""
        if by := self._denials.by(address.host):
            return f"{DENIED}: allow {by} first"
        if why := self._admission.rules.verdict(address.url, address.host):
            return f"the topic's scope bars it: {why}"
        host = self._hosts.find(address.host)
        return self._admission.against_host(host) if host >= 0 else ""

    def obey(self, order: Order) -> list[Drop]:
        """Follow an order; return what is dropped for it. One that cannot be followed (any more) changes nothing."""
        if self.against(order):
            return []
        match order.kind:
            case OrderKind.RAISE_URL:
                self._raise(order)
            case OrderKind.DROP_URL:
                return self._drop(order)
            case OrderKind.RAISE_HOST:
                self.preferred[self._hosts.find(order.argument)] = PAGES_OF_HOST
            case OrderKind.DENY_HOST:
                return self._deny(order.argument)
            case OrderKind.ALLOW_HOST:
                self._denials.names.discard(order.argument)
            case OrderKind.TRUST_HOST:
                self._trust(self._domain_with(order.argument))
            case OrderKind.BUDGET:
                was = limits_in(order.argument)
                self._limits |= {
                    name: (value, was.get(name, math.nan)) for name, value in limits_in(order.value).items()
                }
        return []

    def _raise(self, order: Order) -> None:
        assert order.address is not None
        url = self._id_of(order.address)
        if url in self._denials.dropped:
            self._denials.dropped.discard(url)
            self._urls.state[url] = State.FREE
        if self._urls.verdict[url] == UNASKED:
            self._admission.against(url, order.address.url, order.address.host)
            self._admission.meet([(url, order.address.url, "")])
        if self._urls.state[url] == State.FREE:
            self._wait(url)
        self.raised[url] = None

    def _wait(self, url: int) -> None:
        self._frontier.offer(url, int(self._urls.host[url]), RAISED_SCORE, self._no_parts)
        self._urls.state[url] = State.WAITING

    def _drop(self, order: Order) -> list[Drop]:
        assert order.address is not None
        url = self._id_of(order.address)
        if url in self._frontier:
            self._frontier.remove(url)
        self._urls.state[url] = State.DONE  # as if it had been fetched: nothing brings it back
        self._denials.dropped.add(url)
        self.forget(url)
        return [(url, DROPPED)]

    def _deny(self, name: str) -> list[Drop]:
        self._denials.names.add(name)
        drops: list[Drop] = []
        for host, known in enumerate(self._hosts.names):
            if not self._denials.by(known):
                continue
            self.preferred.pop(host, None)
            for url in self._frontier.drop_host(host):
                self._urls.state[url] = State.FREE
                self.forget(url)
                drops.append((url, DENIED))
        return drops

    def _domain_with(self, host: str) -> list[int]:
        """Ids of all known hosts of a host's domain."""
        domain = domain_of(host)
        return [
            known for known, name in enumerate(self._hosts.names) if name.endswith(domain) and domain_of(name) == domain
        ]

    def _id_of(self, address: Address) -> int:
        return int(self._naming.meet([address])[0][0])

    def snapshot(self) -> dict[str, Any]:
        return {
            "raised": list(self.raised),
            "preferred": [list(pair) for pair in self.preferred.items()],
            "dropped": sorted(self._denials.dropped),
            "denied": sorted(self._denials.names),
            "limits": [[name, *values] for name, values in self._limits.items()],
        }

    def restore(self, state: Mapping[str, Any]) -> None:
        """Take up what `snapshot` gave."""
        self.raised = dict.fromkeys(state["raised"])
        self.preferred = dict(state["preferred"])
        self._denials.dropped = set(state["dropped"])
        self._denials.names = set(state["denied"])
        self._limits = {name: (now, then) for name, now, then in state["limits"]}


def limits_in(text: str) -> dict[str, float]:
    """The limits in ``pages=500 hours=2``, integers where they are whole; empty if one of them makes no sense."""
    limits: dict[str, float] = {}
    for part in text.replace(",", " ").split():
        name, _, value = part.partition("=")
        try:
            limit = LIMITS[name](value)
        except (KeyError, ValueError, OverflowError):
            return {}
        if not (math.isfinite(limit) and 0 <= limit <= LARGEST_COUNT) or name in limits:
            return {}
        limits[name] = int(limit) if limit == int(limit) else limit
    return limits


def as_text(limits: Mapping[str, float]) -> str:
    """The text from which `limits_in` reads these limits."""
    return " ".join(f"{name}={value!r}" for name, value in limits.items())
