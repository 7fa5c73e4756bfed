"""Renders pages within their limits, and gives rendering up, with one clear line, where there is no browser that works."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from contextlib import AsyncExitStack, suppress
from dataclasses import dataclass

from scrapy.crawler import Crawler
from scrapy.http import Response

from focused.live.rendering_outcome import BrowserLost, NotRendered, TimedOut
from focused.rendering.browser import Browser
from focused.rendering.open_page import OpenPage
from focused.rendering.program import RenderingError
from focused.rendering.resources import Resources
from focused.topic.topic import Topic

logger = logging.getLogger(__name__)

TICK = 0.5  #: seconds between two looks at time and memory
OPENING = 90.0  #: seconds after which a browser that opens no page, started anew or not, is given up
MOST_LOST = 6  #: browsers lost in a row, with no page rendered in between, after which rendering is given up


@dataclass(frozen=True, slots=True)
class Rendered:
    """What became of a page in the browser: its markup, or where it leads to."""

    markup: str
    target: str | None


class Renderer:
    """Renders the pages of a crawl, some at a time."""

    def __init__(self, crawler: Crawler, topic: Topic) -> None:
        self.options = topic.rendering
        self.browser = Browser(crawler, self.options)
        self.resources = Resources(crawler, topic)
        self.given_up = ""  #: why nothing is rendered any more
        self._places = asyncio.Semaphore(self.options.pages)
        self._first_attempts: set[asyncio.Future[Rendered]] = set()
        self._second_attempts = asyncio.Lock()
        self._lost_before = 0  # browsers lost when the last page was rendered

    async def render(self, plain: Response, leads_to: Callable[[str], bool]) -> Rendered:
        """Render a page from its plain response (see `OpenPage`). Raises NotRendered."""
        try:
            async with self._places:
                ended = self.browser.ended
                return await self._first_attempt(plain, leads_to)
        except BrowserLost:  # maybe through another page
            pass
        except NotRendered:
            if self._first_attempts:
                await asyncio.wait(self._first_attempts.copy())
            if self.options.pages == 1 or self.browser.ended == ended:  # no page beside it took the browser with it
                raise
        async with self._second_attempts, AsyncExitStack() as stack:
            for _ in range(self.options.pages):
                await stack.enter_async_context(self._places)
            return await self._attempt(plain, leads_to)  # once more, alone

    async def _first_attempt(self, plain: Response, leads_to: Callable[[str], bool]) -> Rendered:
        task = asyncio.ensure_future(self._attempt(plain, leads_to))
        self._first_attempts.add(task)
        try:
            return await task
        finally:
            self._first_attempts.discard(task)

    async def _attempt(self, plain: Response, leads_to: Callable[[str], bool]) -> Rendered:
        if self.given_up:
            raise NotRendered(self.given_up)
        ended = self.browser.ended
        page = OpenPage(plain, self.resources, self.options, leads_to)
        try:
            markup = await self._open(page)
        except NotRendered as error:
            if isinstance(error, BrowserLost) and ended == self.browser.ended:  # else another page has told it
                logger.warning("Rendering: %s; the browser is started again", error)
                await self.browser.close()
            lost = self.browser.ended - self._lost_before
            if lost >= MOST_LOST:
                self._give_up("rendering was given up", f"{lost} browsers were lost in a row, the last time {error}")
            raise
        except RenderingError as error:
            self._give_up("no browser", str(error))
            raise NotRendered(self.given_up) from error
        self._lost_before = self.browser.ended
        return Rendered(markup, page.target)

    async def close(self) -> None:
        await self.browser.close()

    async def _open(self, page: OpenPage) -> str:
        task = asyncio.ensure_future(self.browser.open(page))
        try:
            while not task.done():
                await asyncio.wait({task}, timeout=TICK)
                if not task.done():
                    await self._check(page)
            return task.result()
        finally:
            page.close()
            task.cancel()
            with suppress(asyncio.CancelledError, NotRendered, RenderingError):
                await task
            if page.page is not None:
                await self.browser.close_page(page.page)

    async def _check(self, page: OpenPage) -> None:
        """Raise NotRendered for a page that hangs, or BrowserLost when one of the open pages takes all the memory."""
        if page.page is None:  # the browser may just be starting
            if page.watch.seconds > OPENING:
                raise BrowserLost("the browser does not answer")
            return
        if page.hangs:
            raise TimedOut
        if await self.browser.megabytes() > self.options.memory:
            raise BrowserLost("the browser took too much memory")

    def _give_up(self, reason: str, why: str) -> None:
        if not self.given_up:
            logger.error("No page is rendered from now on: %s. The crawl goes on with plain pages.", why)
        self.given_up = reason
