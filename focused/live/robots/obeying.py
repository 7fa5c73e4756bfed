"""Downloader middleware: asks for no page that robots.txt bars, and for none before the robots.txt of its host is known."""

from __future__ import annotations

import logging
import time
from dataclasses import replace
from typing import Any

from scrapy import Request, signals
from scrapy.crawler import Crawler
from scrapy.downloadermiddlewares.robotstxt import RobotsTxtMiddleware
from scrapy.exceptions import IgnoreRequest, NotConfigured
from scrapy.http import Response, TextResponse
from scrapy.robotstxt import RobotParser
from scrapy.utils.defer import maybe_deferred_to_future
from scrapy.utils.misc import build_from_crawler
from twisted.internet.defer import Deferred

from focused.collection.robots_texts import RobotsText, RobotsTexts
from focused.exceptions import TopicError
from focused.live.responses import ID, SIGNALS, host_of_request
from focused.live.robots.content_signals import missing_signal, signals_of
from focused.live.robots.known import KnownRobots, Memory, RobotsPatience, origin_of
from focused.live.robots.own_rules import own_rules
from focused.live.robots.requesting import UNREACHABLE, Asking
from focused.live.robots.robot import obedient_as
from focused.live.session import Session
from focused.live.shared_run import shared_run_of
from focused.page.link_lists import ROBOTS_TXT

logger = logging.getLogger(__name__)


class RobotsTxtUnreachable(IgnoreRequest):
    """The robots.txt of a page's host is unreachable; the message says why.

    known : about its origin; None if the request that asked for it was cut off
    """

    def __init__(self, reason: str, known: RobotsText | None = None) -> None:
        super().__init__(reason)
        self.known = known


class ObeyRobotsTxt(RobotsTxtMiddleware):
    """Scrapy's middleware, which asks the parser, bars and counts, with rules that come as RFC 9309 has it.

    Scrapy's middleware gets its rules from `robot_parser`. We override this method as a whole, for what Scrapy's own cannot do:

    - an unreachable robots.txt bars the page, and we ask again later; Scrapy allows all, and reads an error page as rules
    - all pages wait while their robots.txt is on its way; Scrapy lets all but the first two pass
    - rules hold for scheme, host and port; Scrapy leaves the scheme out, and counts credentials in
    - rules hold for a day, over restarts, and take as much memory for 100,000 hosts as for 1,000; Scrapy's hold for a run
    - we read 500 KiB, for one robot, in bounded time; Scrapy reads and keeps all
    - we follow five redirects, each with the delay of its host; Scrapy follows 20 in the place of the first
    - several topics in one process ask once

    We override `process_request` as well, since Scrapy's only lets pass or bars: a page that waits for robots.txt goes back to the
    scheduler, and the crawl leaves its host alone until it may be asked again. Pages of commands that keep nothing, and requests
    of a page's scripts, do not wait: they fail at once.
    """

    def __init__(self, crawler: Crawler) -> None:
        session = getattr(crawler.spider, "session", None)
        self.session = session if isinstance(session, Session) else None
        robot = obedient_as(crawler.settings)
        if robot is None:
            if self.session and (self.session.topic.scope.signals or self.session.topic.scope.refusals):
                raise TopicError("[scope] signals and refusals need ROBOTSTXT_OBEY, which is off")
            raise NotConfigured("ROBOTSTXT_OBEY is off")
        super().__init__(crawler)
        settings = crawler.settings
        self.robot = robot
        self.memory, self.asking = Memory(), Asking(crawler)
        self.patience = RobotsPatience(
            first=settings.getfloat("FOCUSED_ROBOTS_RETRY_SECONDS"),
            again_silent=settings.getint("RETRY_TIMES") if settings.getbool("RETRY_ENABLED") else 0,
        )
        self._texts = RobotsTexts(self.session.store) if self.session else None
        if self.session and self._texts:
            self.session.journal.notes.append(self._texts.writes)
        self._together = shared_run_of(crawler)
        # Requests that wait for robots.txt, by origin.
        self._waiting: dict[str, list[Deferred[KnownRobots | None]]] = {}

    async def process_request(self, request: Request) -> Request | Response | None:  # type: ignore[override]  # as Scrapy allows
        """Let a request pass, answer it, or give it back for later; raises IgnoreRequest for a page that is barred."""
        try:
            await super().process_request(request)
        except RobotsTxtUnreachable as unreachable:
            return self._later(request, unreachable)
        return self._as_list(request)

    async def robot_parser(self, request: Request) -> RobotParser | None:
        """Rules for a request; None, which allows all, if no server is asked. Raises RobotsTxtUnreachable."""
        if not request.url.startswith(("http://", "https://")):
            return None
        try:
            origin = origin_of(request)
        except ValueError as error:
            raise IgnoreRequest(str(error)) from None
        known = await self._known(origin, request)
        if known.rules is None:
            raise RobotsTxtUnreachable(known.text.reason, known.text)
        if self.session and (missing := missing_signal(self.session.topic.scope, known.signals)):
            raise IgnoreRequest(f"robots.txt: {missing}")
        request.meta[SIGNALS] = known.signals
        return known.rules

    def _as_list(self, request: Request) -> Response | None:
        """The known robots.txt, for a request that asks for it again because it may name sitemaps; None for other requests."""
        if self.session is None or self._texts is None or request.meta.get(ID, -1) not in self.session.crawl.lists:
            return None
        origin = origin_of(request)
        text = self._texts.find(origin) if request.url == f"{origin}{ROBOTS_TXT}" else None
        if text is None or text.body is None or text.status is None:
            return None
        return TextResponse(request.url, text.status, {"Content-Type": "text/plain"}, text.body, request=request)

    def _later(self, request: Request, unreachable: RobotsTxtUnreachable) -> Request:
        """The same request, to be sent when robots.txt may be asked for again."""
        session, text = self.session, unreachable.known
        if session is None or session.courtesy is None or ID not in request.meta:
            raise unreachable
        if text is None or not self.patience.lasts(text):
            raise unreachable
        seconds = max(0.0, text.until - time.time())
        if text.reason.startswith(UNREACHABLE):
            logger.info("%s: %s; asked again in %.0f s", origin_of(request), text.reason, seconds)
        with session.writing():
            session.courtesy.leave_alone(host_of_request(request), seconds)
        return request.replace(dont_filter=True)

    async def _known(self, origin: str, request: Request) -> KnownRobots:
        """The rules for an origin; asks the server only if it must, and once for all requests that wait."""
        known = self.memory.find(origin) or await self._stored(origin, request)
        if known is not None and time.time() < known.text.until:
            return known
        if origin in self._waiting:
            answer: Deferred[KnownRobots | None] = Deferred()
            self._waiting[origin].append(answer)
            known = await maybe_deferred_to_future(answer)
            if known is None:
                raise RobotsTxtUnreachable(f"{UNREACHABLE}its request was cut off")
            return known
        self._waiting[origin] = []
        new: KnownRobots | None = None
        try:
            new = await self._ask(origin, known.text if known else None, request)
        finally:
            for answer in self._waiting.pop(origin):
                answer.callback(new)
        return new

    async def _ask(self, origin: str, before: RobotsText | None, request: Request) -> KnownRobots:
        ask, together = self.asking.ask, self._together
        heard = await (ask(origin) if together is None else together.ask_robots(origin, ask))
        text = self.patience.after(heard, before, time.time())
        if self._texts and text.body is None and (stored := self._texts.find(origin)):
            text = replace(text, body=stored.body)  # old rules are better than none (RFC 9309, 2.4)
        if self._texts and (not text.reason or text.reason.startswith(UNREACHABLE)):
            self._texts.keep(origin, text)  # else the host gave no answer: the next run asks at once
        return await self._take_up(origin, text, request)

    async def _stored(self, origin: str, request: Request) -> KnownRobots | None:
        text = self._texts.find(origin) if self._texts else None
        return await self._take_up(origin, text, request) if text else None

    async def _take_up(self, origin: str, text: RobotsText, request: Request) -> KnownRobots:
        """Parse rules and signal them to listeners, such as `CrawlDelay`, before the crawl asks anything of the host."""
        if text.body is None:
            return self.memory.keep(origin, text, None, 0)
        rules = own_rules(text.body, self.robot.name)
        parser: RobotParser = build_from_crawler(self._parserimpl, self.crawler, rules.encode())
        heard: dict[str, Any] = {"robotparser": parser, "request": request}
        await self.crawler.signals.send_catch_log_async(signal=signals.robots_parsed, **heard)
        return self.memory.keep(origin, text, parser, len(rules), signals_of(rules))
