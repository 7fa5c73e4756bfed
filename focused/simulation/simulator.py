"""Drives the core over a recorded web with a virtual clock: the second driver, beside the Scrapy scheduler.

It shares politeness, seeds, redirects and the reasons to stop with the live driver, the Scrapy scheduler. A page's links are
known when it has arrived.
"""

from __future__ import annotations

import heapq
import math
from array import array
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import count
from random import Random
from typing import Protocol

from focused.crawl import events
from focused.crawl.answers import CIRCLE, Meaning, answer, barred_before, failure, redirection
from focused.crawl.backlinks import Backlinks
from focused.crawl.crawl import Crawl
from focused.crawl.novelty import EXACT
from focused.crawl.politeness import Politeness
from focused.crawl.scope import seed_addresses
from focused.exceptions import FocusedError
from focused.page.media_types import ATOM
from focused.page.page import Page
from focused.page.urls import Address, host_of
from focused.simulation.analysed_web import AnalysedWeb, Fetched, Redirect
from focused.simulation.recorded_web import address_of, slowness


class UrlTexts:
    """Texts by id, in the order in which they came. A live crawl has them on disk instead."""

    def __init__(self) -> None:
        self._text = bytearray()
        self._ends = array("Q", (0,))

    def __len__(self) -> int:
        return len(self._ends) - 1

    def __getitem__(self, url: int) -> str:
        """The text of an id; raises IndexError for one that is not known."""
        if not 0 <= url < len(self):
            raise IndexError(url)
        return self._text[self._ends[url] : self._ends[url + 1]].decode()

    def extend(self, texts: Iterable[str]) -> None:
        """Give the next ids to these texts."""
        for text in texts:
            self._text += text.encode()
            self._ends.append(len(self._text))


LATENCY = 0.5  #: seconds, a usual time for a page of the Web
MOST_REDIRECTS = 20  #: of one pick (Scrapy's REDIRECT_MAX_TIMES)


@dataclass(slots=True, frozen=True)
class Network:
    """What decides how late feedback arrives; the defaults are the settings of a live crawl.

    Raises FocusedError for a value that makes no sense.
    """

    in_flight: int = 16  #: requests at a time (CONCURRENT_REQUESTS)
    per_host: int = 1  #: of these, to one host (CONCURRENT_REQUESTS_PER_DOMAIN)
    delay: float = 1.0  #: seconds between two requests to one host (DOWNLOAD_DELAY)
    latency: float = LATENCY  #: seconds until an answer arrives; a slow host of the web takes longer
    #: if given, latencies are drawn: exponential with mean `latency`, the same for the same URL
    seed: int | None = None

    def __post_init__(self) -> None:
        for name in ("in_flight", "per_host"):
            if getattr(self, name) < 1:
                raise FocusedError(f"{name} is {getattr(self, name)}: at least 1 request at a time is needed")
        for name in ("delay", "latency"):
            if not 0 <= getattr(self, name) <= 1e6:
                raise FocusedError(f"{name} is {getattr(self, name):g}: give seconds from 0 to 1,000,000")

    def latency_of(self, url: str) -> float:
        if self.seed is None or not self.latency:
            return self.latency
        return Random(f"{self.seed} {url}").expovariate(1 / self.latency)


@dataclass(slots=True, frozen=True)
class Fetch:
    """How one pick ended. Times are virtual seconds since the start."""

    pick: int  #: number of the event that chose it: picks in order of this were sent in this order
    sent: float  #: time of the request that ended it (the last, after redirects)
    arrived: float
    url: str  #: the URL picked
    final_url: str  #: after redirects
    outcome: str  #: ``page``, ``alias`` (redirects to a known URL) or ``failed``
    reason: str  #: of a failure, as in a live crawl's history; empty for a page
    status: int | None  #: of HTTP
    score: float  #: when picked
    depth: int
    relevance: float | None = None  #: of a page, by the crawl's own page model
    relevant: bool = False  #: the same; a page that brings nothing new is not relevant
    duplicate_of: str | None = None  #: URL of the first page with exactly these bytes, if it is not this one
    verdict: str = ""  #: why the page brings nothing new; empty for a new one, and for no page


class Asker(Protocol):
    """Asks a search for links while a crawl goes on."""

    @property
    def may_ask(self) -> bool:
        """Whether there will be another question, as far as is known."""

    def due(self) -> bool:
        """Whether it is time for a question."""

    def ask(self) -> tuple[Address, bytes] | None:
        """Ask the next one: the address under which its answer is kept, and the answer as a feed; None: no more questions."""


class _Question:
    """A question to the `Asker` has an answer now."""


@dataclass(slots=True, frozen=True)
class _SameForAll:
    """`Manners` towards all hosts of a simulation."""

    network: Network

    def places(self, host: str) -> int:
        return self.network.per_host

    def delay(self, host: str) -> float:
        return self.network.delay

    def last_sent(self, host: str) -> float | None:
        return None

    def not_before(self, host: str) -> float:
        return -math.inf


@dataclass(slots=True)
class _Request:
    """A pick under way, at one of the URLs it is redirected to."""

    pick: events.Pick
    url: str
    been: tuple[str, ...] = ()  #: URLs that redirected to this one, in order
    sent: float = 0.0

    @property
    def host(self) -> str:
        return host_of(self.url)


class Simulator:
    """One simulated crawl. Same web, same core, same network: same result.

    Parameters
    ----------
    crawl : a fresh core (`assemble`); its topic gives seeds and budget, ``budget.hours`` in virtual time
    web : what it crawls
    backlinks : answers questions of the strategy, one latency after it asked; None: they stay without an answer
    asker : asks a search for links, one question at a time; its answers take one latency

    Attributes
    ----------
    now : virtual seconds since the start
    ended : why the crawl ended, in the words of a live one; empty while it runs
    """

    def __init__(
        self,
        crawl: Crawl,
        web: AnalysedWeb,
        network: Network | None = None,
        backlinks: Backlinks | None = None,
        asker: Asker | None = None,
    ) -> None:
        self.crawl, self.web, self.network = crawl, web, network or Network()
        self.now, self.ended = 0.0, ""
        self._rules = web.reader.rules
        self._urls = UrlTexts()
        # Arrivals, hosts to be woken, and ids of URLs whose backlinks become known.
        self._events: list[tuple[float, int, _Request | str | int | _Question]] = []
        self._politeness = Politeness[_Request](crawl, _SameForAll(self.network), lambda: self.now, self._plan)
        self._backlinks = backlinks
        self._asked: set[int] = set()
        self._asker, self._question = asker, None if asker is None else _Question()
        crawl.asks_more = asker is not None
        crawl.world.answers, crawl.world.probes = backlinks is not None, True
        self._number = count()  # events of the same time come in the order in which they were planned
        self._under_way = self._looked_up = 0

    def fetches(self) -> Iterator[Fetch]:
        """Crawl to the end; yield what became of each pick, in the order of arrival. To be called once."""
        self._apply(events.Started(seed_addresses(self.crawl.topic, self._rules)))
        self._ask()
        self._fill()
        while self._events:
            self.now, _, event = heapq.heappop(self._events)
            if isinstance(event, str):
                self._politeness.wake(event)
            elif isinstance(event, int):
                self._name_backlinks(event)
            elif isinstance(event, _Question):
                self._name_results(event)
            else:
                fetch = self._arrive(event)
                if fetch is not None:
                    yield fetch
            self._ask()
            self._fill()
        stop = self.crawl.stop(self.now)
        self.ended = stop.sentence if stop else ""

    def _apply(self, event: events.Event) -> events.Outcome:
        """Give an event to the core, and keep the texts of URLs that are new: ids are given in the order in which they come."""
        outcome = self.crawl.apply(event)
        self._urls.extend(new.url for new in outcome.new_urls)
        return outcome

    def _fill(self) -> None:
        """Send requests as long as there are places and something may be sent."""
        while self._under_way < self.network.in_flight and (request := self._next()) is not None:
            self._send(request)

    def _next(self) -> _Request | None:
        """The best request that may be sent now; redirects go before the frontier."""
        if request := self._politeness.next_continuation():
            return request
        if self.crawl.stop(self.now) is not None:
            return None
        self._look_up()
        event = self.crawl.choose(seconds=self.now)
        return _Request(self._apply(event).picked, self._urls[event.url]) if event is not None else None

    def _look_up(self) -> None:
        """Learn on which machines hosts lie that are new, as a resolver would say."""
        names = self.crawl.hosts.names
        for host in names[self._looked_up :]:
            if machine := address_of(self.web.web, host):
                self._politeness.lies_on(host, machine)
        self._looked_up = len(names)

    def _send(self, request: _Request) -> None:
        request.sent = self.now
        self._under_way += 1
        self._politeness.take(request.pick.id, request.host)
        latency = self.network.latency_of(request.url) + slowness(self.web.web, request.host)
        self._plan(self.now + latency, request)

    def _ask(self) -> None:
        """Plan an answer to each new question of the strategy."""
        for url in [url for url in self.crawl.asking if url not in self._asked]:
            self._asked.add(url)
            self._plan(self.now + self.network.latency_of(self._urls[url]), url)
        if self._asker is not None and self._question is not None and self._asker.due():
            question, self._question = self._question, None
            self._plan(self.now + self.network.latency, question)

    def _name_results(self, question: _Question) -> None:
        """Take in the answer of the search, as `Session.found` does."""
        assert self._asker is not None  # or there would be no question
        results = self._asker.ask()
        if results is None:
            self.crawl.asks_more = False
            return
        self._question = question
        self.crawl.asks_more = self._asker.may_ask
        address, feed = results
        [url] = self._apply(events.Requested(address, 0.0)).urls
        self._apply(events.Picked(url))
        page = self.web.reader.read(address.url, feed, ATOM)
        assert isinstance(page, Page)
        self._apply(events.PageArrived(url, page, len(feed)))

    def _name_backlinks(self, url: int) -> None:
        assert self._backlinks is not None  # or nothing would have been asked
        self._asked.remove(url)
        text = self._urls[url]
        addresses = [self._rules.address(backlink) for backlink in self._backlinks.backlinks_of([text])[text]]
        self._apply(events.BacklinksNamed(url, addresses))

    def _plan(self, time: float, event: _Request | str | int | _Question) -> None:
        heapq.heappush(self._events, (time, next(self._number), event))

    def _arrive(self, request: _Request) -> Fetch | None:
        """Take in an answer; None for what is no pick of a page, or for a redirect that is followed."""
        self._under_way -= 1
        self._politeness.leave(request.pick.id)
        url, came = request.pick.id, self.web.ask(request.url)
        if isinstance(came, Redirect):
            return self._redirected(request, came)
        if not isinstance(came, Fetched):
            return self._ended(request, failure(self.crawl, url, came.reason, came.status))
        if why := barred_before(self.crawl, url, came.declared or ""):
            return self._ended(request, failure(self.crawl, url, why, came.status))
        return self._ended(request, answer(self.crawl, url, came.page, came.size, came.status), came.status)

    def _redirected(self, request: _Request, came: Redirect) -> Fetch | None:
        url = request.pick.id
        target = redirection(self.crawl, self._rules, url, came.target, came.status)
        if isinstance(target, events.Failed):
            return self._ended(request, target)
        been = (*request.been, request.url)
        if len(been) > MOST_REDIRECTS:
            return self._ended(request, failure(self.crawl, url, "max redirections reached"))
        if not isinstance(target, Address):
            return self._ended(request, target)
        if target.url in been:
            return self._ended(request, failure(self.crawl, url, CIRCLE))
        self.crawl.reserve(url, target)
        following = _Request(request.pick, target.url, been)
        self._politeness.go_on_later(following.host, following)
        return None

    def _ended(
        self,
        request: _Request,
        event: Meaning | events.Aliased,
        status: int | None = None,
    ) -> Fetch | None:
        """A pick has come to its end; None where it was no pick of a page. ``status``: of HTTP, of a page."""
        outcome = self._apply(event)
        match event:
            case events.PageArrived() if not outcome.arrived.is_list:
                return self._page(request, outcome.arrived, status)
            case events.Aliased(_, target, reason, code):
                return self._fetch(request, target.url, "alias", reason, code)
            case events.Failed(_, reason, code) if not isinstance(event, events.NoList):
                return self._fetch(request, request.url, "failed", reason, code)
        return None

    def _page(self, request: _Request, arrival: events.Arrival, status: int | None) -> Fetch:
        visit, first = arrival.visit, None
        if visit.verdict == EXACT and arrival.duplicate_of is not None:
            first = self._urls[arrival.duplicate_of]
        final_url = self._urls[visit.id]  # as it was spelt first, which a redirect may do in another way
        fetch = self._fetch(request, final_url, "page", "", status)
        return replace(
            fetch, relevance=visit.relevance, relevant=visit.counts, duplicate_of=first, verdict=visit.verdict
        )

    def _fetch(self, request: _Request, final_url: str, outcome: str, reason: str, status: int | None) -> Fetch:
        pick, url = request.pick, self._urls[request.pick.id]
        return Fetch(
            *(pick.event, request.sent, self.now, url, final_url, outcome, reason, status, pick.score, pick.depth)
        )
