"""Renders pages within their limits, and gives rendering up, with one clear line, where there is no browser that works."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from contextlib import AsyncExitStack, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from playwright.async_api import Error, Page
from scrapy import Request
from scrapy.crawler import Crawler
from scrapy.http import Response
from scrapy_playwright.handler import ScrapyPlaywrightDownloadHandler
from scrapy_playwright.provider import PlaywrightBrowserProvider

from focused.live.rendering_outcome import BrowserLost, NotRendered, TimedOut
from focused.rendering.asked import Method
from focused.rendering.open_page import OpenPage, Resources
from focused.rendering.program import (
    INSTALL_BROWSER,
    INSTALL_PACKAGE,
    NO_NETWORK,
    RenderingError,
    browser_program,
    launch_options,
)
from focused.topic.topic import Rendering, Topic

logger = logging.getLogger(__name__)

PATIENCE = 30.0  #: seconds that driver and browser have to start
CLOSING = 5.0  #: seconds that a page, or the browser, has to close
MEGABYTE = 2**20


def _is_no_echo(record: logging.LogRecord) -> bool:
    """False for what asyncio says of errors inside Playwright that nobody waited for: whoever did wait has told them."""
    if record.exc_info and isinstance(record.exc_info[1], Error):
        return False
    text = record.getMessage()
    return "while reading from the driver" not in text and "/playwright/" not in text


class Browser:
    """Renders pages, each in a context of its own: no cookies, no storage, nothing left over from the page before.

    scrapy-playwright is not a download handler of the crawl here, since plain pages and the pages' own requests go through
    whatever handler the crawl is set to; it keeps the driver, the browser and the contexts.
    """

    def __init__(self, crawler: Crawler, options: Rendering) -> None:
        self.crawler, self.options = crawler, options
        self.ended = 0  #: browsers that were done away with
        self._handler: ScrapyPlaywrightDownloadHandler | None = None
        self._starting = asyncio.Lock()
        self._contexts = 0

    async def open(self, page: OpenPage) -> str:
        """Render a page and return its markup.

        Raises NotRendered for what is wrong with the page, BrowserLost for what may be wrong with the browser, and
        RenderingError where there is no browser.
        """
        async with self._starting:
            handler = self._handler = self._handler or await self._start()
        self._contexts += 1
        meta = {
            "playwright": True,
            "playwright_include_page": True,  # it is read, and closed, here
            "playwright_context": f"page {self._contexts}",
            "playwright_context_kwargs": {
                "proxy": NO_NETWORK,
                "user_agent": self.crawler.settings["USER_AGENT"],
                "service_workers": "block",
                "accept_downloads": False,
            },
            "playwright_page_init_callback": page.prepare,
            "playwright_page_goto_kwargs": {"wait_until": "commit", "timeout": 1000 * self.options.seconds},
        }
        try:
            await handler.download_request(Request(page.plain.url, meta=meta))
            if page.page is None:
                raise BrowserLost("the browser opens no page")
            return await page.markup(page.page)
        except (NotRendered, RenderingError):
            raise
        except Exception as error:  # Playwright's own, and plain ones where its driver has died
            raise _in_words(error) from error

    async def close_page(self, page: Page) -> None:
        """Close a page and its context; a browser that cannot even do that is done away with."""
        closing = asyncio.ensure_future(page.context.close())
        done, _ = await asyncio.wait({closing}, timeout=CLOSING)
        if not done:
            closing.cancel()
            await self.close()
        elif not closing.cancelled():
            closing.exception()  # it is gone already

    async def close(self) -> None:
        """End browser and driver. The next page starts both anew."""
        handler, self._handler = self._handler, None
        if handler is not None:
            self.ended += 1
            with suppress(Exception):  # it may be dead already
                await asyncio.wait_for(handler.close(), CLOSING)

    async def megabytes(self) -> float:
        """Memory that the browser's processes have for themselves; 0 where the system does not tell."""
        total = 0.0
        for process in await self.processes():
            with suppress(OSError, ValueError):  # it has ended, or there is no /proc
                _, resident, shared, *_ = Path(f"/proc/{process['id']}/statm").read_text().split()
                total += (int(resident) - int(shared)) * 4096 / MEGABYTE
        return total

    async def processes(self) -> list[dict[str, Any]]:
        """Type, id and cpuTime (seconds) of each process of the browser; none while it does not run."""
        browser = getattr(self._handler, "browser", None)
        if browser is None:
            return []
        with suppress(Error):
            session = await browser.new_browser_cdp_session()
            try:
                answer = await session.send("SystemInfo.getProcessInfo")
                found: list[dict[str, Any]] = answer["processInfo"]
                return found
            finally:
                await session.detach()
        return []

    async def _start(self) -> ScrapyPlaywrightDownloadHandler:
        """Start driver and browser. Raises RenderingError."""
        logging.getLogger("asyncio").addFilter(_is_no_echo)
        try:
            program = browser_program(self.crawler.settings)
            handler = ScrapyPlaywrightDownloadHandler(self.crawler)
            handler.config.launch_options = launch_options(self.crawler.settings, program, self.options.memory)
            handler.config.max_pages_per_context = 1
            handler.config.target_closed_max_retries = 0  # `Renderer` tries again, and counts
            handler.browser_provider = PlaywrightBrowserProvider(handler.config)
            await asyncio.wait_for(handler.browser_provider.start(), PATIENCE)
        except RenderingError:
            raise
        except Exception as error:  # a package or a setting that is broken, in whatever way
            raise RenderingError(
                f"the driver of Playwright does not start ({_first_line(error)}): {INSTALL_PACKAGE} anew"
            ) from error
        try:
            await asyncio.wait_for(handler._maybe_launch_browser(), PATIENCE)
        except Exception as error:
            with suppress(Exception):
                await asyncio.wait_for(handler.close(), CLOSING)
            raise RenderingError(
                f"the browser {program or 'of Playwright'} does not start ({_first_line(error)}): {INSTALL_BROWSER}"
            ) from error
        logger.info("Pages that need JavaScript are rendered by Chromium %s", handler.browser.version)
        return handler


def _in_words(error: Exception) -> NotRendered:
    text = _first_line(error)
    if not isinstance(error, Error) or "closed" in text or "disconnected" in text:
        return BrowserLost("the browser crashed")
    if "crashed" in text:
        return NotRendered("its tab crashed")
    return TimedOut() if "Timeout" in text else NotRendered(text[:100])


def _first_line(error: BaseException) -> str:
    return next(iter(str(error).strip().splitlines()), type(error).__name__)


TICK = 0.5  #: seconds between two looks at time and memory
OPENING = 90.0  #: seconds after which a browser that opens no page, started anew or not, is given up
MOST_LOST = 6  #: browsers lost in a row, with no page rendered in between, after which rendering is given up


@dataclass(frozen=True, slots=True)
class Rendered:
    """What became of a page in the browser: its markup, or where it leads to."""

    markup: str
    target: str | None
    failed: str | None = None  #: which method did not come to its end


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

    async def render(
        self, plain: Response, leads_to: Callable[[str], bool], methods: Sequence[Method] = ()
    ) -> Rendered:
        """Render a page from its plain response (see `OpenPage`). Raises NotRendered."""
        try:
            async with self._places:
                ended = self.browser.ended
                return await self._first_attempt(plain, leads_to, methods)
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
            return await self._attempt(plain, leads_to, methods)  # once more, alone

    async def _first_attempt(self, *asked: Any) -> Rendered:
        task = asyncio.ensure_future(self._attempt(*asked))
        self._first_attempts.add(task)
        try:
            return await task
        finally:
            self._first_attempts.discard(task)

    async def _attempt(self, plain: Response, leads_to: Callable[[str], bool], methods: Sequence[Method]) -> Rendered:
        if self.given_up:
            raise NotRendered(self.given_up)
        ended = self.browser.ended
        page = OpenPage(plain, self.resources, self.options, leads_to, methods)
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
        return Rendered(markup, page.target, page.failed)

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
