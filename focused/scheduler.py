"""The Scrapy scheduler over the frontier: it hands out the best URL whose host is ready, as late as possible.

A page that has arrived keeps its place until its links are known, so that the next pick can use them.
"""

from __future__ import annotations

import logging
import math
from collections.abc import Iterator
from contextlib import contextmanager
from time import monotonic
from typing import Any, Self, cast

from scrapy import Request
from scrapy.core.scheduler import BaseScheduler, Scheduler
from scrapy.crawler import Crawler
from scrapy.exceptions import NotConfigured
from scrapy.utils.httpobj import urlparse_cached
from twisted.python.failure import Failure

from focused.collection.sqlite_errors import damage_is_told
from focused.crawl.events import Pick
from focused.live.own_requests import own_address, saved_form
from focused.live.reasons import reason_of
from focused.live.responses import ENDED, HOPS, ID, OF_ANOTHER_FETCH, PLAIN, TAKEN, at_its_host, host_of_request
from focused.live.revisiting import NOT_MODIFIED
from focused.live.revisits import CONDITIONS
from focused.live.scrapy_engine import ScrapyEngine, slot_of
from focused.live.sending import LastWait, Sending, too_busy
from focused.live.session import Session, session_of
from focused.live.shared_run import SharedPage, SharedRun, Taker, shared_run_of
from focused.page.urls import without_secrets

logger = logging.getLogger(__name__)

SEED_SCORE = 1.0  #: of a request of the user's own, plus its priority; seeds have the same score


class FrontierScheduler(BaseScheduler):
    """Scheduler whose queue is the frontier of the crawl.

    Requests that continue a pick (retries, redirects) go before the frontier as soon as their host is ready. Requests of
    the user's own wait in the frontier with the score ``meta["score"]``, by default 1 (as seeds) plus their priority.
    """

    def __init__(self, crawler: Crawler, session: Session) -> None:
        self.crawler, self.session = crawler, session
        self.engine = ScrapyEngine(crawler)
        self.together = shared_run_of(crawler)
        self.sending = Sending(crawler, session, self.engine, self.together)
        session.drive_with(self.sending)
        self.last_wait = LastWait(crawler.settings.getfloat("FOCUSED_BUSY_WAIT_SECONDS"), monotonic)
        self.taker: Taker | None = None
        self._interrupted = [self._request(pick) for pick in session.interrupted]

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self | Scheduler:  # type: ignore[override]
        """Scrapy's own scheduler for a spider without a topic, such as that of `scrapy shell`."""
        try:
            return cls(crawler, session_of(crawler))
        except NotConfigured:
            return Scheduler.from_crawler(crawler)

    def open(self, spider: Any) -> None:
        self.sending.manners.begin()
        if self.together:
            self.session.journal.run.pause()  # until all topics are there
            self.together.when_open(self._begin)
            self.taker = self.together.pages.join(self.session, self.engine.look_again)
        for request in self._interrupted:
            self.sending.go_on_later(request)

    def _begin(self) -> None:
        if not self.session.orders.paused:
            self.session.journal.run.go_on()
        self.engine.look_again()

    def close(self, reason: str) -> None:
        self.sending.politeness.leave_all()
        if self.together:
            self.together.pages.leave(self.session)

    def __len__(self) -> int:
        crawl = self.session.crawl
        return len(crawl.frontier) + len(crawl.lists.waiting) + self.sending.waiting

    def has_pending_requests(self) -> bool:
        if self.session.error:
            return False
        if self.session.outage.suspicion or self.session.orders.paused:
            return True
        crawl = self.session.crawl
        if self.sending.waiting > len(crawl.put_off):
            return True
        waits = len(crawl.frontier) or crawl.lists.waiting or crawl.put_off or self.session.revisiting
        return bool(waits) and self.session.stop() is None

    def next_request(self) -> Request | None:
        """The best request that may be sent now. Picks under way are brought to their end, also when the budget is spent."""
        with self.session.cpu:
            return self._next_request()

    def _next_request(self) -> Request | None:
        if self.together and not self.together.is_open:
            return None
        self._give_up_lost()
        if not self.session.error and (taken := self._next_taken()) is not None:
            return taken
        if self.session.error or self._is_full() or not self.session.commits.may_send():
            return None
        politeness = self.sending.politeness
        request = politeness.next_continuation(self.sending.may_go_on) or self._next_pick()
        if request is None:
            politeness.make_room()  # another may have something to ask for
            self._wait_for_busy_hosts()
        elif TAKEN not in request.meta:
            self.last_wait.over()
            self.session.commits.sent()
            self.session.crawl.put_off.discard(request.meta[ID])
            host = host_of_request(request)
            if urlparse_cached(request).hostname == f"{slot_of(host)}.":  # a dot at the end makes no other host
                request.meta["download_slot"] = slot_of(host)
            politeness.take(request.meta[ID], host)
        return request

    def enqueue_request(self, request: Request) -> bool:
        """Take a retry, a redirect, or a request of the user's own; False drops it."""
        url = request.meta.get(ID)
        if url is None or url not in self.session.crawl.in_flight:
            return self._ask(request)
        self.sending.leave(url)
        request = at_its_host(request)
        hops = len(request.meta.get("redirect_urls", ()))
        if hops > request.meta.get(HOPS, 0):  # else it is a retry
            request.meta[HOPS] = hops
            status = request.meta["redirect_reasons"][-1]  # "meta refresh" for redirects by HTML
            if self.session.redirected(url, request.url, status if isinstance(status, int) else None):
                return False
            for name in CONDITIONS:
                request.headers.pop(name, None)
        request.meta.pop(TAKEN, None)
        request.meta.pop("download_slot", None)  # of the host that it was redirected from
        return self.sending.go_on_later(request)

    def failed(self, failure: Failure) -> None:
        """Record that a pick gave no page, and free its place; it may stay under way, in doubt, but its request has ended."""
        request: Request = failure.request  # type: ignore[attr-defined]
        url = request.meta[ENDED] = request.meta.pop(ID)
        self.sending.leave(url)
        if url in self.session.crawl.in_flight and not self.session.error:
            reason, status = reason_of(failure)
            self.session.failed(url, reason, status, host_of_request(request))

    def _next_pick(self) -> Request | None:
        """The request of the best pick. Any failure here ends the crawl with one line: else the engine would ask again for ever."""
        if self.session.stop() is not None:
            return None
        with self._damage_ends_the_crawl():
            pick = self.session.next()
            return self._request(pick) if pick is not None else None
        return None

    def _next_taken(self) -> Request | None:
        """A request for a page that another topic has fetched and this one wants; a middleware answers it at once."""
        with self._damage_ends_the_crawl():
            if self.taker and (found := self.taker.next()) is not None:
                return self._request(*found)
        return None

    @contextmanager
    def _damage_ends_the_crawl(self) -> Iterator[None]:
        with self.session.writing(), damage_is_told(self.session.store.path):
            yield

    def _request(self, pick: Pick, fetched: SharedPage | None = None) -> Request:
        """The request that fetches a pick; ``fetched`` is the page if another topic has it."""
        spider = self.crawler.spider
        assert spider is not None  # or there would be no session
        if pick.id in self.session.crawl.revisiting:
            return self._for_driver(self._request_again(pick.id), pick)
        request = self.session.own_requests.take(pick.id, self.session.crawl.hosts.names[pick.host], spider)
        if request is None:
            request = Request(self.session.store.url(pick.id), cast(Any, spider).parse)
            if self.together:
                self._let_others_answer(self.together, request, fetched)
        return self._for_driver(request, pick)

    def _let_others_answer(self, together: SharedRun, request: Request, fetched: SharedPage | None) -> None:
        """Mark a request: another topic may have fetched its page in this run, or may want it when it arrives."""
        fetched = fetched or together.pages.find(self.session, self.session.reader.rules.key(request.url))
        request.meta[PLAIN if fetched is None else TAKEN] = fetched or True

    def _request_again(self, page: int) -> Request:
        """A request that re-fetches a page; the server may answer that it is as it was."""
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
        """Put a request of the user's own code into the frontier, with its callback, method and all."""
        rules, crawl = self.session.reader.rules, self.session.crawl
        request = at_its_host(request)
        canonical = rules.canonical(request.url)
        copied_from = request.meta.get(ENDED)
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
        outcome = self.session.request(address, score, saved)
        if outcome is None or self.session.has_dropped(outcome):
            return False
        self.session.own_requests.keep(outcome.urls[0], request, saved)
        return True

    def _give_up_lost(self) -> None:
        """Close picks that another component has dropped, such as by an IgnoreRequest at `request_scheduled`; free their hosts."""
        under_way = self.sending.politeness.under_way
        if not under_way or not self.engine.is_idle:
            return
        for url in under_way:
            self.sending.leave(url)
            if url in self.session.crawl.in_flight:
                self.session.failed(url, "dropped by another component of Scrapy")

    def _wait_for_busy_hosts(self) -> None:
        """If only held hosts are left, wait for them, or end the crawl."""
        seconds = self.sending.courtesy.left_alone()
        if not seconds or not self._only_busy_hosts_are_left():
            return
        begins = not self.last_wait.is_on
        if not self.last_wait.is_worth(seconds[0]):
            self.session.wait_no_more(too_busy(len(self), self.session.going_on))
            self.engine.look_again()
        elif begins:
            told = "Only held hosts are left (too busy, or no robots.txt), and %d URLs wait for them: the next try in %.0f s"
            logger.info(told, len(self), seconds[0])

    def _only_busy_hosts_are_left(self) -> bool:
        session, crawl = self.session, self.session.crawl
        if session.stop() or session.outage.suspicion or session.orders.paused or session.revisiting or crawl.asking:
            return False
        if not self.sending.only_sleeps:
            return False
        if len(crawl.in_flight) > self.sending.waiting or not self.engine.is_idle or not len(self):
            return False
        if crawl.frontier.best() is not None or crawl.frontier.held_score is not None:
            return False
        lists = (crawl.hosts.names[int(crawl.urls.host[url])] for url in crawl.lists.waiting)
        return all(self.sending.courtesy.is_left_alone(host) for host in lists)

    def _is_full(self) -> bool:
        """Whether all places are taken: by picks under way, by look-ups, and by pages that have arrived and are being taken in.

        The downloader no longer counts the latter, and would get the next pick before their links are known.
        """
        politeness, most = self.sending.politeness, self.engine.concurrency
        under_way = self.engine.in_progress(ID).intersection(politeness.under_way)
        return 0 < most <= len(under_way) + self.sending.host_addresses.under_way or politeness.is_crowded(most)


class _Errback:
    """Tells the scheduler of a failure, then the user's own errback."""

    def __init__(self, scheduler: FrontierScheduler, then: Any) -> None:
        self.scheduler, self.then = scheduler, then

    def __call__(self, failure: Failure) -> Any:
        self.scheduler.failed(failure)
        return self.then(failure) if self.then is not None else None
