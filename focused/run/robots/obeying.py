"""Downloader middleware: no page is asked for that robots.txt bars, nor before the robots.txt of its host is known."""

from __future__ import annotations

import logging
import time
from dataclasses import replace
from typing import Any, Self

from scrapy import Request, signals
from scrapy.crawler import Crawler
from scrapy.exceptions import IgnoreRequest, NotConfigured
from scrapy.http import Response, TextResponse
from scrapy.utils.defer import maybe_deferred_to_future
from scrapy.utils.misc import build_from_crawler, load_object
from twisted.internet.defer import Deferred

from focused.exceptions import StorageError
from focused.reading.link_lists import ROBOTS_TXT
from focused.run.responses import ID, host_of_request
from focused.run.robots.known import Known, Memory, Patience, origin_of
from focused.run.robots.own_rules import own_rules
from focused.run.robots.requesting import UNREACHABLE, Asking
from focused.run.robots.robot import Robot, obedient_as
from focused.run.session import Session
from focused.run.together.together import together_of
from focused.storage.robots_texts import RobotsText, RobotsTexts

logger = logging.getLogger(__name__)


class RobotsTxtUnreachable(IgnoreRequest):
    """The robots.txt of a page's host cannot be had; why is its text."""


class ObeyRobotsTxt:
    """Scrapy's middleware as RFC 9309 has it: what cannot be reached bars the page, and is asked for again later.

    A page that waits for this goes back to the scheduler, and its host is left alone until it may be asked again. What a command
    fetches that keeps nothing, and what a page's scripts ask for, waits for nothing: it fails at once.
    """

    def __init__(self, crawler: Crawler, robot: Robot, session: Session | None) -> None:
        settings = crawler.settings
        self.crawler, self.robot = crawler, robot
        self.memory, self.asking = Memory(), Asking(crawler)
        self.patience = Patience(
            first=settings.getfloat("FOCUSED_ROBOTS_RETRY_SECONDS"),
            again_silent=settings.getint("RETRY_TIMES") if settings.getbool("RETRY_ENABLED") else 0,
        )
        self._parser = load_object(settings["ROBOTSTXT_PARSER"])
        self.session, self._texts = session, RobotsTexts(session.store) if session else None
        if session and self._texts:
            session.journal.notes.append(self._texts.writes)
        self._together = together_of(crawler)
        self._waiting: dict[str, list[Deferred[Known | None]]] = {}  # requests, by the origin that is asked for them

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        robot = obedient_as(crawler.settings)
        if robot is None:
            raise NotConfigured("ROBOTSTXT_OBEY is off")
        session = getattr(crawler.spider, "session", None)
        return cls(crawler, robot, session if isinstance(session, Session) else None)

    async def process_request(self, request: Request) -> Request | Response | None:
        """Let a request pass, answer it, or give it back for later; raises IgnoreRequest for a page that is barred."""
        if request.meta.get("dont_obey_robotstxt") or not request.url.startswith(("http://", "https://")):
            return None
        try:
            origin = origin_of(request)
        except ValueError as error:
            raise IgnoreRequest(str(error)) from None
        known = await self._known(origin, request)
        if known.rules is None:
            return self._later(request, origin, known.text)
        if not known.rules.allowed(request.url, self.robot.name):
            self._count("forbidden")
            raise IgnoreRequest("Forbidden by robots.txt")
        return self._as_list(request, origin)

    def _as_list(self, request: Request, origin: str) -> Response | None:
        """What a robots.txt said that is asked for once more, because it may name sitemaps; None for any other request."""
        is_list = self.session is not None and request.meta.get(ID, -1) in self.session.crawl.lists
        if not is_list or request.url != f"{origin}{ROBOTS_TXT}" or self._texts is None:
            return None
        text = self._texts.find(origin)
        if text is None or text.body is None or text.status is None:
            return None
        return TextResponse(request.url, text.status, {"Content-Type": "text/plain"}, text.body, request=request)

    def _later(self, request: Request, origin: str, text: RobotsText) -> Request:
        """The same request, to be sent when robots.txt may be asked for again."""
        session = self.session
        if session is None or session.courtesy is None or ID not in request.meta or not self.patience.lasts(text):
            raise RobotsTxtUnreachable(text.reason)
        seconds = max(0.0, text.until - time.time())
        if text.reason.startswith(UNREACHABLE):
            logger.info("%s: %s; asked again in %.0f s", origin, text.reason, seconds)
        try:
            session.courtesy.leave_alone(host_of_request(request), seconds)
        except StorageError as error:
            session.cannot_write(error)
        return request.replace(dont_filter=True)

    async def _known(self, origin: str, request: Request) -> Known:
        """What holds for an origin, asked for only where it has to be, and once for all who wait for it."""
        known = self.memory.find(origin) or await self._stored(origin, request)
        if known is not None and time.time() < known.text.until:
            return known
        if origin in self._waiting:
            answer: Deferred[Known | None] = Deferred()
            self._waiting[origin].append(answer)
            known = await maybe_deferred_to_future(answer)
            if known is None:
                raise RobotsTxtUnreachable(f"{UNREACHABLE}its request was cut off")
            return known
        self._waiting[origin] = []
        new: Known | None = None
        try:
            new = await self._ask(origin, known.text if known else None, request)
        finally:
            for answer in self._waiting.pop(origin):
                answer.callback(new)
        return new

    async def _ask(self, origin: str, before: RobotsText | None, request: Request) -> Known:
        ask, together = self.asking.ask, self._together
        heard = await (ask(origin) if together is None else together.robots.ask(origin, ask))
        text = self.patience.after(heard, before, time.time())
        if self._texts and text.body is None and (stored := self._texts.find(origin)):
            text = replace(text, body=stored.body)  # old rules are better than none (RFC 9309, 2.4)
        if self._texts and (not text.reason or text.reason.startswith(UNREACHABLE)):
            self._texts.keep(origin, text)  # else the host gave no answer: the next run asks at once
        return await self._take_up(origin, text, request)

    async def _stored(self, origin: str, request: Request) -> Known | None:
        text = self._texts.find(origin) if self._texts else None
        return await self._take_up(origin, text, request) if text else None

    async def _take_up(self, origin: str, text: RobotsText, request: Request) -> Known:
        """Parse rules and tell all who listen, such as `CrawlDelay`, before anything is asked of the host."""
        if text.body is None:
            return self.memory.keep(origin, text, None, 0)
        rules = own_rules(text.body, self.robot.name).encode()
        parser = build_from_crawler(self._parser, self.crawler, rules)
        heard: dict[str, Any] = {"robotparser": parser, "request": request}
        await self.crawler.signals.send_catch_log_async(signal=signals.robots_parsed, **heard)
        return self.memory.keep(origin, text, parser, len(rules))

    def _count(self, name: str) -> None:
        assert self.crawler.stats is not None
        self.crawler.stats.inc_value(f"robotstxt/{name}")
