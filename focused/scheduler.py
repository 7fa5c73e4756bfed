"""The Scrapy scheduler over the frontier: it hands out the best URL whose host is ready, as late as possible.

A page that has arrived keeps its place until its links are known: the next pick is to know of them.
"""

from __future__ import annotations

import logging
import math
from time import monotonic
from typing import Any, Self, cast

from scrapy import Request
from scrapy.core.scheduler import BaseScheduler, Scheduler
from scrapy.crawler import Crawler
from scrapy.exceptions import NotConfigured
from scrapy.utils.defer import deferred_from_coro
from scrapy.utils.httpobj import urlparse_cached
from twisted.python.failure import Failure

from focused.crawl.crawl import Pick
from focused.crawl.politeness import Politeness
from focused.crawl.stopping import Stop
from focused.exceptions import StorageError
from focused.reading.urls import without_secrets
from focused.run.courtesy import Courtesy
from focused.run.live_manners import LiveManners
from focused.run.own_requests import own_address, saved_form
from focused.run.reasons import reason_of
from focused.run.responses import HOPS, ID, OF_ANOTHER_FETCH, at_its_host, host_of_request
from focused.run.revisiting import NOT_MODIFIED
from focused.run.revisits import CONDITIONS
from focused.run.scrapy_engine import ScrapyEngine, slot_of
from focused.run.session import Session, session_of
from focused.run.whereabouts import Whereabouts
from focused.run.witnesses import one_answers
from focused.storage.damaged_rows import damage_is_told

logger = logging.getLogger(__name__)

SEED_SCORE = 1.0  #: of a request of the user's own, to which its priority is added; seeds have the same


class FrontierScheduler(BaseScheduler):
    """Scheduler whose queue is the frontier of the crawl.

    Requests that continue a pick (retries, redirects) go before the frontier as soon as their host is ready. Requests of
    the user's own wait in the frontier with the score ``meta["score"]``, by default 1 (as seeds) plus their priority.
    """

    def __init__(self, crawler: Crawler, session: Session) -> None:
        self.crawler, self.session = crawler, session
        self.engine = ScrapyEngine(crawler)
        self.courtesy = session.courtesy = Courtesy(
            session.store,
            longest_delay=crawler.settings.getfloat("FOCUSED_MAX_CRAWL_DELAY"),
            longest_wait=crawler.settings.getfloat("FOCUSED_MAX_RETRY_AFTER"),
            cut_off=session.cut_off,
        )
        self.manners = LiveManners(self.engine, self.courtesy)
        self.politeness = Politeness[Request](session.crawl, self.manners, monotonic, self._plan)
        self.whereabouts = Whereabouts.of(crawler, self._lies_on, self.engine.concurrency)
        session.leave_place, session.ask_witnesses = self.done, self._ask_witnesses
        session.may_ask = self._may_ask
        session.journal.notes.append(self.manners.statements)
        self._asleep = 0  #: requests of those that were put off, until their hosts may be asked again
        self._interrupted = [self._request(pick) for pick in session.interrupted]

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self | Scheduler:  # type: ignore[override]
        """Scrapy's own scheduler for a spider without a topic, such as that of `scrapy shell`."""
        try:
            return cls(crawler, session_of(crawler))
        except NotConfigured:
            return Scheduler.from_crawler(crawler)

    def open(self, spider: Any) -> None:
        self.manners.begin()
        for request in self._interrupted:
            self._go_on_later(request)

    def __len__(self) -> int:
        crawl = self.session.crawl
        return len(crawl.frontier) + len(crawl.lists.waiting) + self.politeness.continuations + self._asleep

    def has_pending_requests(self) -> bool:
        if self.session.error:
            return False
        if self.session.suspicion or self.session.orders.paused:
            return True
        crawl = self.session.crawl
        if self.politeness.continuations + self._asleep > len(crawl.put_off):
            return True
        waits = len(crawl.frontier) or crawl.lists.waiting or crawl.put_off or self.session.revisiting
        return bool(waits) and self.session.stop() is None

    def next_request(self) -> Request | None:
        """The best request that may be sent now. What is under way is brought to its end, also when the budget is spent."""
        self._give_up_lost()
        if self.session.error or self._is_full() or not self.session.commits.may_send():
            return None
        request = self.politeness.next_continuation(self._may_go_on) or self._next_pick()
        if request is not None:
            self.session.commits.sent()
            self.session.crawl.put_off.discard(request.meta[ID])
            host = host_of_request(request)
            if urlparse_cached(request).hostname == f"{slot_of(host)}.":  # a dot at the end makes no other host
                request.meta["download_slot"] = slot_of(host)
            self.politeness.take(request.meta[ID], host)
        return request

    def enqueue_request(self, request: Request) -> bool:
        """Take a retry, a redirect, or a request of the user's own; False drops it."""
        url = request.meta.get(ID)
        if url is None or url not in self.session.crawl.in_flight:
            return self._ask(request)
        self.done(url)
        request = at_its_host(request)
        hops = len(request.meta.get("redirect_urls", ()))
        if hops > request.meta.get(HOPS, 0):  # else it is a retry
            request.meta[HOPS] = hops
            status = request.meta["redirect_reasons"][-1]  # "meta refresh" for redirects by HTML
            if self.session.redirected(url, request.url, status if isinstance(status, int) else None):
                return False
            for name in CONDITIONS:
                request.headers.pop(name, None)
        request.meta.pop("download_slot", None)  # of the host that it was redirected from
        self._go_on_later(request)
        return True

    def done(self, url: int) -> None:
        """Free the place of a pick that has come to its end, also where the downloader never had it (a cache, robots.txt)."""
        if self.politeness.leave(url):
            self.engine.look_again()

    def failed(self, failure: Failure) -> None:
        """Write down that a pick gave no page, and free its place."""
        request: Request = failure.request  # type: ignore[attr-defined]
        url = request.meta[ID]
        self.done(url)
        if url in self.session.crawl.in_flight and not self.session.error:
            reason, status = reason_of(failure)
            self.session.failed(url, reason, status, host_of_request(request))

    def _go_on_later(self, request: Request) -> None:
        """Let a request that goes on with a pick wait for its host, which may have asked to be left alone."""
        host = host_of_request(request)
        self.whereabouts.knows(host)
        if self.courtesy.is_left_alone(host):
            self.session.crawl.put_off.add(request.meta[ID])
            self._asleep += 1
            self.engine.call_later(self.courtesy.not_before(host) - monotonic(), self._wake_up, request)
        else:
            self.politeness.go_on_later(host, request)

    def _wake_up(self, request: Request) -> None:
        self._asleep -= 1
        self._go_on_later(request)
        self.engine.look_again()

    def _may_go_on(self, request: Request) -> bool:
        """What was put off needs a place in the budget again; a host must have been looked up."""
        crawl = self.session.crawl
        if not self.whereabouts.knows(host_of_request(request)):
            return False
        url = request.meta[ID]
        if url not in crawl.put_off or url in crawl.revisiting:
            return True
        return self.session.stop() is None and not self.session.orders.paused and not crawl.budget_is_taken

    def _may_ask(self, host: str) -> bool:
        """Whether a host may be asked that nothing holds: an earlier run may have asked it just now, or this one its machine."""
        if self.whereabouts.knows(host) and self.politeness.may_ask(host):
            return True
        self.engine.look_again()  # at the others
        return False

    def _lies_on(self, host: str, machine: str | None) -> None:
        """A host has been looked up, which had to wait for it."""
        if machine is not None:
            self.politeness.lies_on(host, machine)
        self.politeness.wake(host)
        self.engine.look_again()

    def _next_pick(self) -> Request | None:
        """The request of the best pick. Whatever fails here ends the crawl in one line: the engine would ask again, for ever."""
        if self.session.stop() is not None:
            return None
        try:
            with damage_is_told(self.session.store.path):
                pick = self.session.next()
                return self._request(pick) if pick is not None else None
        except StorageError as error:
            self.session.fail(Stop("storage_error", str(error)))
            return None

    def _request(self, pick: Pick) -> Request:
        spider = self.crawler.spider
        assert spider is not None  # or there would be no session
        if pick.id in self.session.crawl.revisiting:
            return self._for_driver(self._request_again(pick.id), pick)
        request = self.session.own_requests.take(pick.id, self.session.crawl.hosts.names[pick.host], spider)
        if request is None:
            request = Request(self.session.store.url(pick.id), cast(Any, spider).parse)
        return self._for_driver(request, pick)

    def _request_again(self, page: int) -> Request:
        """A request for a page fetched long ago, which a server may answer by saying that it is as it was."""
        url, headers = self.session.revisiting.request(page)
        meta = {"handle_httpstatus_list": [NOT_MODIFIED]} if headers else {}
        return Request(url, cast(Any, self.crawler.spider).parse, headers=headers, meta=meta)

    def _for_driver(self, request: Request, pick: Pick) -> Request:
        request.meta[ID] = pick.id
        request.meta["depth"] = pick.depth
        request.errback = _Errback(self, request.errback)
        request.dont_filter = True  # the frontier has seen to duplicates
        return request

    def _ask(self, request: Request) -> bool:
        """Let a request of the user's own code wait in the frontier, with its callback, method and all."""
        rules, crawl = self.session.reader.rules, self.session.crawl
        request = at_its_host(request)
        canonical = rules.canonical(request.url)
        copied_from = request.meta.get(ID)
        again = copied_from is not None and self.session.store.url(copied_from) == canonical
        for key in OF_ANOTHER_FETCH:
            if not (again and key == "retry_times"):  # which Scrapy's get_retry_request counts on
                request.meta.pop(key, None)
        if isinstance(request.errback, _Errback):  # copied from another request
            request.errback = request.errback.then
        if canonical is None:
            logger.warning("Not an http(s) URL, dropped: %s", without_secrets(request.url))
            return False
        score = request.meta.get("score", SEED_SCORE + request.priority)
        if not isinstance(score, (int, float)) or not math.isfinite(score):
            logger.warning("%s: its score %r is not a finite number, dropped", request, score)
            return False
        address = own_address(rules.address(canonical), request, self.crawler.request_fingerprinter, crawl.events)
        assert self.crawler.spider is not None  # who else would ask?
        saved = saved_form(request, self.crawler.spider)
        url = self.session.request(address, score, saved)
        if url is not None:
            self.session.own_requests.keep(url, request, saved)
        return url is not None

    def _give_up_lost(self) -> None:
        """Close what another component has made vanish, such as by an IgnoreRequest at `request_scheduled`: its host is free."""
        if not self.politeness.under_way or not self.engine.is_idle:
            return
        for url in self.politeness.under_way:
            self.done(url)
            if url in self.session.crawl.in_flight:
                self.session.failed(url, "dropped by another component of Scrapy")

    def _ask_witnesses(self, urls: list[str]) -> None:
        logger.info("Many hosts give no answer: asking %s, which answered before", ", ".join(urls))
        deferred_from_coro(one_answers(self.crawler, urls)).addCallback(self._heard_witnesses)

    def _heard_witnesses(self, answered: bool) -> None:
        self.session.witnesses_said(answered=answered)
        self.engine.look_again()

    def _is_full(self) -> bool:
        """As many picks as may be are under way, those included that have arrived and have not been taken in, or are looked up.

        The downloader counts these no more, and would get the next pick before their links are known.
        """
        under_way = self.engine.in_progress(ID).intersection(self.politeness.under_way)
        return 0 < self.engine.concurrency <= len(under_way) + self.whereabouts.under_way

    def _plan(self, time: float, host: str) -> None:
        self.engine.call_later(time - monotonic(), self._wake, host)

    def _wake(self, host: str) -> None:
        if self.politeness.wake(host):
            self.engine.look_again()


class _Errback:
    """Tells the scheduler of a failure, then the user's own errback."""

    def __init__(self, scheduler: FrontierScheduler, then: Any) -> None:
        self.scheduler, self.then = scheduler, then

    def __call__(self, failure: Failure) -> Any:
        self.scheduler.failed(failure)
        return self.then(failure) if self.then is not None else None
