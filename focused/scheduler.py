"""The Scrapy scheduler over the frontier: it hands out the best URL whose host is ready, as late as possible.

A request handed over early would wait in the downloader's slot, could not be overtaken by a better one and would take one of
the places of CONCURRENT_REQUESTS; so a host is held while its places are taken and until its delay has passed, and a page that has
arrived keeps its place until its links are known.
"""

from __future__ import annotations

import logging
import math
import pickle
from collections import Counter
from hashlib import blake2b
from time import monotonic
from typing import Any, Self, cast

from scrapy import Request
from scrapy.core.scheduler import BaseScheduler, Scheduler
from scrapy.crawler import Crawler
from scrapy.utils.asyncio import call_later
from scrapy.utils.httpobj import urlparse_cached
from scrapy.utils.request import request_from_dict
from twisted.python.failure import Failure

from focused.crawl.crawl import Address, Pick
from focused.extensions import ID, ITEM, PAGE, session_of
from focused.run.reasons import reason_of
from focused.run.session import Session
from focused.spiders.topical import TopicalSpider

logger = logging.getLogger(__name__)

#: What a request of the user's own may have copied from ``response.meta`` and must not mean anything for it.
OF_ANOTHER_FETCH = (
    *(ID, ITEM, PAGE, "download_slot", "download_latency", "retry_times"),
    *("redirect_times", "redirect_ttl", "redirect_urls", "redirect_reasons"),
)
SEED_SCORE = 1.0  #: of a request of the user's own, to which its priority is added; seeds have the same


class FrontierScheduler(BaseScheduler):
    """Scheduler whose queue is the frontier of the crawl.

    Requests that continue a pick (retries, redirects) go before the frontier as soon as their host is ready. Requests of
    the user's own wait in the frontier with the score ``meta["score"]``, by default 1 (as seeds) plus their priority.
    """

    def __init__(self, crawler: Crawler, session: Session) -> None:
        self.crawler, self.session = crawler, session
        self._places: dict[int, str] = {}  # id of a pick -> host whose place it takes
        self._taken: Counter[str] = Counter()
        self._hops: Counter[int] = Counter()  # redirects that each pick under way has gone through
        self._unsaved: dict[int, Request] = {}  # requests of the user's own that cannot be written down
        self._continuations = [self._request(pick) for pick in session.interrupted]

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self | Scheduler:  # type: ignore[override]
        """Scrapy's own scheduler for a spider without a topic, such as that of `scrapy shell`."""
        if not isinstance(crawler.spider, TopicalSpider):
            return Scheduler.from_crawler(crawler)
        return cls(crawler, session_of(crawler))

    def __len__(self) -> int:
        return len(self.session.crawl.frontier) + len(self._continuations)

    def has_pending_requests(self) -> bool:
        if self.session.error:
            return False
        return bool(self._continuations) or (
            len(self.session.crawl.frontier) > 0 and self.session.stop_reason() is None
        )

    def next_request(self) -> Request | None:
        """The best request that may be sent now. What is under way is brought to its end, also when the budget is spent."""
        self._give_up_lost()
        if self.session.error or self._is_full():
            return None
        for request in self._continuations:
            if self._is_ready(_host(request)):
                self._continuations.remove(request)
                break
        else:
            if self.session.stop_reason() is not None:
                return None
            pick = self.session.next()
            if pick is None:
                return None
            request = self._request(pick)
        self._take_place(request)
        return request

    def enqueue_request(self, request: Request) -> bool:
        """Take a retry, a redirect, or a request of the user's own; False drops it."""
        url = request.meta.get(ID)
        if url is None or url not in self.session.crawl.in_flight:
            return self._ask(request)
        self._leave_place(url)
        hops = len(request.meta.get("redirect_urls", ()))
        if hops > self._hops[url]:  # else it is a retry
            self._hops[url] = hops
            status = request.meta["redirect_reasons"][-1]  # "meta refresh" for redirects by HTML
            if self.session.redirected(url, request.url, status if isinstance(status, int) else None):
                del self._hops[url]
                return False
        request.meta.pop("download_slot", None)  # of the host that it was redirected from
        self._continuations.append(request)
        return True

    def _ask(self, request: Request) -> bool:
        """Let a request of the user's own code wait in the frontier, with its callback, method and all."""
        for key in OF_ANOTHER_FETCH:
            request.meta.pop(key, None)
        canonical = self.session.reader.rules.canonical(request.url)
        if canonical is None:
            logger.warning("Not an http(s) URL, dropped: %s", request.url)
            return False
        address = self.session.address(canonical)
        if request.method != "GET" or request.body or request.dont_filter:
            address = Address(self._own_key(request), address.host, request.url)
        score = request.meta.get("score", SEED_SCORE + request.priority)
        if not isinstance(score, (int, float)) or not math.isfinite(score):
            logger.warning("%s: its score %r is not a finite number, dropped", request, score)
            return False
        try:
            saved: bytes | None = pickle.dumps(request.to_dict(spider=self.crawler.spider))
        except (ValueError, TypeError, AttributeError, pickle.PicklingError) as error:
            logger.warning("%s: lost if the crawl is killed, for it cannot be saved: %s", request, error)
            saved = None
        accepted = self.session.request(address, score, saved)
        if accepted and saved is None:
            self._unsaved[self.session.crawl.urls.find(address.key)] = request
        return accepted

    def _own_key(self, request: Request) -> int:
        """The identity of a request that its URL alone does not tell."""
        fingerprint = self.crawler.request_fingerprinter.fingerprint(request)
        if request.dont_filter:  # wanted again, however often it was fetched
            fingerprint += self.session.crawl.events.to_bytes(8, "big")
        return int.from_bytes(blake2b(fingerprint, digest_size=8).digest(), "big", signed=True)

    def _request(self, pick: Pick) -> Request:
        spider = cast(TopicalSpider, self.crawler.spider)
        saved = self.session.custom_request(pick.id)
        if saved is not None:
            request = request_from_dict(saved, spider=spider)
        else:
            url = self.session.store.url(pick.id)
            request = self._unsaved.pop(pick.id) if pick.id in self._unsaved else Request(url, spider.parse)
        request.meta[ID] = pick.id
        request.meta["depth"] = pick.depth
        request.errback = _Errback(self, request.errback)
        request.dont_filter = True  # the frontier has seen to duplicates
        return request

    def failed(self, failure: Failure) -> None:
        """Write down that a pick gave no page, and free its place."""
        request: Request = failure.request  # type: ignore[attr-defined]
        url = request.meta[ID]
        self.done(url)
        if url in self.session.crawl.in_flight and not self.session.error:
            reason, status = reason_of(failure)
            self.session.failed(url, reason, status)

    def done(self, url: int) -> None:
        """Free the place of a pick that has come to its end, also where the downloader never had it (a cache, robots.txt)."""
        self._leave_place(url)
        self._hops.pop(url, None)

    def _give_up_lost(self) -> None:
        """Close what another component has made vanish, such as by an IgnoreRequest at `request_scheduled`: its host is free.

        A place is left when a response has been taken in, not when it arrives: the next pick is to know of its links.
        """
        engine = self.crawler.engine
        if not self._places or engine.downloader.active or (engine.scraper.slot and not engine.scraper.slot.is_idle()):
            return
        for url in list(self._places):
            self.done(url)
            if url in self.session.crawl.in_flight:
                self.session.failed(url, "dropped by another component of Scrapy")

    def _is_full(self) -> bool:
        """As many picks as may be are under way, those included that have arrived and have not been taken in.

        The downloader counts these no more, and would get the next pick before their links are known.
        """
        engine = self.crawler.engine
        assert engine._slot is not None  # it is what asks
        in_progress = {request.meta.get(ID) for request in engine._slot.inprogress}
        return 0 < engine.downloader.total_concurrency <= len(self._places.keys() & in_progress)

    def _take_place(self, request: Request) -> None:
        host = _host(request)
        self._places[request.meta[ID]] = host
        self._taken[host] += 1
        delay = self._delay_of(host)
        if delay or self._taken[host] >= self._places_of(host):
            crawl = self.session.crawl
            crawl.frontier.hold(crawl.hosts.intern(host))
        if delay:
            call_later(delay, self._wake, host)

    def _leave_place(self, url: int) -> None:
        host = self._places.pop(url, None)
        if host is None:
            return
        self._taken[host] -= 1
        if not self._taken[host]:
            del self._taken[host]
        self._wake(host)
        self._look_again()

    def _wake(self, host: str) -> None:
        """Release a host if it has a place and its delay has passed, and let the engine look again."""
        if self._taken[host] >= self._places_of(host):
            return
        wait = self._wait_of(host)
        if wait > 0:
            call_later(wait, self._wake, host)
            return
        crawl = self.session.crawl
        crawl.frontier.release(crawl.hosts.intern(host))
        self._look_again()

    def _look_again(self) -> None:
        """Let the engine ask for requests soon."""
        slot = self.crawler.engine._slot
        if slot is not None:
            slot.nextcall.schedule()

    def _is_ready(self, host: str) -> bool:
        return self._taken[host] < self._places_of(host) and self._wait_of(host) <= 0

    def _places_of(self, host: str) -> int:
        downloader = self.crawler.engine.downloader
        return int(downloader.per_slot_settings.get(host, {}).get("concurrency", downloader.domain_concurrency))

    def _delay_of(self, host: str) -> float:
        downloader = self.crawler.engine.downloader
        slot = downloader.slots.get(host)
        if slot is not None:
            return slot.delay
        return float(downloader.per_slot_settings.get(host, {}).get("delay", downloader._delay))

    def _wait_of(self, host: str) -> float:
        """Seconds until the delay of a host has passed since its last request was sent."""
        slot = self.crawler.engine.downloader.slots.get(host)
        return slot.lastseen + slot.delay - monotonic() if slot is not None and slot.lastseen else 0.0


class _Errback:
    """Tells the scheduler of a failure, then the user's own errback."""

    def __init__(self, scheduler: FrontierScheduler, then: Any) -> None:
        self.scheduler, self.then = scheduler, then

    def __call__(self, failure: Failure) -> Any:
        self.scheduler.failed(failure)
        return self.then(failure) if self.then is not None else None


def _host(request: Request) -> str:
    return urlparse_cached(request).hostname or ""
