"""What is done on a page in the browser before it is read: what a request of the user's own asks for, or what the topic says."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress

from playwright.async_api import Error, JSHandle, Page

from focused.page.plain_text import plain
from focused.rendering.asked import LONGEST, Method, tell_once
from focused.topic.topic import Rendering

CLICK_SECONDS = 2.0  #: for which an element that the topic names may resist a click (covered, moving) before it is left
POLL = 0.1  #: seconds between two looks at a page
_HEIGHT = "() => document.documentElement.scrollHeight"
_TO_THE_END = "() => window.scrollTo(0, document.documentElement.scrollHeight)"


class StepFailed(Exception):  # noqa: N818  (an answer, not a mistake)
    """A method did not come to its end; the message says why.

    reason : for the history, in a few stable words
    """

    def __init__(self, method: str, why: str) -> None:
        super().__init__(f"{method}: {_first_line(why)}")
        self.reason = f"step failed: {method}"


class PageSteps:
    """Does one thing after another on an open page, each until its end or until the page's time is up.

    goes_on : whether there is time left, and the page has not left for another
    settle : waits until the page is still; returns whether it goes on
    """

    def __init__(
        self, page: Page, options: Rendering, goes_on: Callable[[], bool], settle: Callable[[], Awaitable[bool]]
    ) -> None:
        self._page, self._options, self._goes_on, self._settle = page, options, goes_on, settle

    async def do(self, method: Method) -> None:
        """Call a method, keep its result where who asked finds it, and wait until the page is still. Raises StepFailed."""
        try:
            call = asyncio.ensure_future(getattr(self._page, method.method)(*method.args, **method.kwargs))
        except (TypeError, ValueError) as error:  # an argument that there is not
            raise StepFailed(method.method, str(error)) from None
        while not call.done() and self._goes_on():
            await asyncio.wait({call}, timeout=POLL)
        if not call.done():
            call.cancel()
            with suppress(asyncio.CancelledError, Exception):
                await call
            raise StepFailed(method.method, "it did not end in time")
        try:
            result = call.result()
        except Exception as error:  # such as a selector that is none; of `evaluate` whatever the page throws
            raise StepFailed(method.method, str(error)) from None
        if isinstance(result, str | bytes) and len(result) > self._options.max_bytes:
            raise StepFailed(method.method, "its result is too large")
        method.result = None if isinstance(result, JSHandle) else result  # a handle of a page that will be closed
        await self._settle()

    async def as_topic(self) -> None:
        """Scroll and click as the topic says, as long as there is something to scroll to, or to click."""
        for _ in range(self._options.scrolls):
            before = await self._page.evaluate(_HEIGHT)
            await self._page.evaluate(_TO_THE_END)
            if not await self._settle() or await self._page.evaluate(_HEIGHT) == before:
                break
        for _ in range(self._options.clicks if self._options.click else 0):
            if not await self._clicked() or not await self._settle():
                break

    async def _clicked(self) -> bool:
        """Click the first element that the topic names; False where there is none that can be clicked."""
        found = self._page.locator(self._options.click)
        try:
            if not await found.count():
                return False
        except Error as error:
            tell_once(f"rendering.click = {self._options.click!r} is passed over: {_first_line(str(error))}")
            return False
        with suppress(Error):
            await found.first.click(timeout=1000 * CLICK_SECONDS, no_wait_after=True)
            return True
        return False


def _first_line(text: str) -> str:
    return plain(text.strip().partition("\n")[0], LONGEST)
