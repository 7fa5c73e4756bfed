"""Sends requests to hosts: decides which hosts may be asked now, and keeps the requests that go on with a pick until then."""

from __future__ import annotations

import logging
from collections.abc import Callable
from time import monotonic

from scrapy import Request
from scrapy.crawler import Crawler
from scrapy.utils.defer import deferred_from_coro

from focused.crawl.admission import DENIED
from focused.crawl.budget import Stop
from focused.crawl.politeness import Politeness
from focused.live.courtesy import Courtesy, LiveManners
from focused.live.host_addresses import HostAddresses
from focused.live.outage import one_answers
from focused.live.responses import ID, host_of_request
from focused.live.scrapy_engine import ScrapyEngine
from focused.live.session import Session
from focused.live.shared_run import SharedRun


def too_busy(waiting: int, going_on: str) -> Stop:
    """The end of a crawl that has waited long enough for busy hosts."""
    urls = "1 URL waits" if waiting == 1 else f"{waiting:,} URLs wait"
    return Stop("busy_hosts", f"only held hosts are left (too busy, or no robots.txt): {urls}; {going_on}")


class LastWait:
    """Counts how long a run has waited while it could ask no host, up to a limit in seconds.

    clock : seconds that never go back
    """

    def __init__(self, seconds: float, clock: Callable[[], float]) -> None:
        self._left, self._clock = seconds, clock
        self._since: float | None = None

    def is_worth(self, ready_in: float) -> bool:
        """Whether to wait, given that no host may be asked now, and the first one in ``ready_in`` seconds."""
        now = self._clock()
        if self._since is None:
            self._since = now
        return now - self._since + ready_in <= self._left

    @property
    def is_on(self) -> bool:
        return self._since is not None

    def over(self) -> None:
        """End the wait: the run asks a host again."""
        if self._since is not None:
            self._left -= self._clock() - self._since
            self._since = None


logger = logging.getLogger(__name__)


class Sending:
    """The `Driver` of a session."""

    def __init__(self, crawler: Crawler, session: Session, engine: ScrapyEngine, together: SharedRun | None) -> None:
        self._crawler, self._session, self._engine = crawler, session, engine
        traffic, wishes = (together.traffic, together.wishes) if together else (None, None)
        self.courtesy = Courtesy(
            session.store,
            longest_delay=crawler.settings.getfloat("FOCUSED_MAX_CRAWL_DELAY"),
            longest_wait=crawler.settings.getfloat("FOCUSED_MAX_RETRY_AFTER"),
            cut_off=session.cut_off,
            wishes=wishes,
        )
        self.manners = LiveManners(engine, self.courtesy)
        self.politeness = Politeness[Request](
            session.crawl, self.manners, monotonic, self._plan, traffic, engine.look_again
        )
        self.host_addresses = HostAddresses.of(crawler, self._lies_on, engine.concurrency)
        session.journal.notes.append(self.manners.statements)
        #: by id of the pick, requests that were put off until their hosts may be asked again
        self._asleep: dict[int, Request] = {}

    @property
    def waiting(self) -> int:
        """Number of requests that wait to go on with a pick."""
        return self.politeness.continuations + len(self._asleep)

    @property
    def only_sleeps(self) -> bool:
        """Whether nothing is under way or looked up, and all waiting requests are put off."""
        busy = self.politeness.under_way or self.politeness.continuations or self.host_addresses.under_way
        return not busy

    def leave(self, url: int) -> None:
        """Free the place of a pick that has ended, also if the downloader never had it (a cache, robots.txt)."""
        if self.politeness.leave(url):
            self._engine.look_again()

    def go_on_later(self, request: Request) -> bool:
        """Let a request that goes on with a pick wait for its host, which may have asked to be left alone.

        False if a person has denied the host: the pick is given up.
        """
        url, host = request.meta[ID], host_of_request(request)
        if self._is_denied(host):
            self._session.give_up(url, DENIED)
            return False
        self.host_addresses.knows(host)
        if self.courtesy.is_left_alone(host):
            self._session.crawl.put_off.add(url)
            self._asleep[url] = request
            self._engine.call_later(self.courtesy.not_before(host) - monotonic(), self._wake_up, request)
        else:
            self.politeness.go_on_later(host, request)
        return True

    def _wake_up(self, request: Request) -> None:
        if self._asleep.pop(request.meta[ID], None) is request:  # else it has been given up meanwhile
            self.go_on_later(request)
            self._engine.look_again()

    def _is_denied(self, host: str) -> bool:
        return bool(self._session.crawl.admission.denials.by(host))

    def leave_denied_alone(self) -> None:
        """Give up the requests that wait to go on with a pick on a host that a person has denied."""
        asleep = [request for request in self._asleep.values() if self._is_denied(host_of_request(request))]
        for request in [*asleep, *self.politeness.withdraw(self._is_denied)]:
            self._asleep.pop(request.meta[ID], None)
            self._session.give_up(request.meta[ID], DENIED)

    def may_go_on(self, request: Request) -> bool:
        """Whether a waiting request may be sent: its host was looked up and, if it was put off, the budget has a place again."""
        session, crawl, url = self._session, self._session.crawl, request.meta[ID]
        if not self.host_addresses.knows(host_of_request(request)):
            return False
        if url not in crawl.put_off or url in crawl.revisiting:
            return True
        return session.stop() is None and not session.orders.paused and not crawl.budget_is_taken

    def may_ask(self, host: str) -> bool:
        """Whether a host that is not held may be asked: an earlier run may have asked it just now, or this one its machine."""
        if self.host_addresses.knows(host) and self.politeness.may_ask(host):
            return True
        self._engine.look_again()  # at the others
        return False

    def ask_witnesses(self, urls: list[str]) -> None:
        logger.info("Many hosts give no answer: asking %s, which answered before", ", ".join(urls))
        deferred_from_coro(one_answers(self._crawler, urls)).addCallback(self._heard_witnesses)

    def _heard_witnesses(self, answered: bool) -> None:
        self._session.outage.witnesses_said(answered=answered)
        self._engine.look_again()

    def _lies_on(self, host: str, machine: str | None) -> None:
        """Take in that a host was looked up, and wake it: it had to wait for that."""
        if machine is not None:
            self.politeness.lies_on(host, machine)
        self.politeness.wake(host)
        self._engine.look_again()

    def _plan(self, time: float, host: str) -> None:
        self._engine.call_later(time - monotonic(), self._wake, host)

    def _wake(self, host: str) -> None:
        if self.politeness.wake(host):
            self._engine.look_again()
