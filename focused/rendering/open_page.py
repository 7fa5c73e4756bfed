"""One page in the browser: it starts from the plain response, gets what `Resources` fetches, and is read when it is still."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress

from ada_url import URL
from playwright.async_api import Error, Page, Route
from playwright.async_api import Request as BrowserRequest
from scrapy import Request
from scrapy.exceptions import DownloadTimeoutError
from scrapy.http import Response

from focused.live.rendering_outcome import NotRendered
from focused.live.stopwatch import Stopwatch
from focused.page.urls import host_of
from focused.rendering.resources import RESOURCE_SHARE, WANTED, Refused, Resource, Resources
from focused.topic.topic import Rendering

POLL = 0.1  #: seconds between two looks at a page
STILL = 5  #: looks in a row without a change after which a page is taken as complete
GONE_AFTER = 3.0  #: seconds beyond its limit after which a page that does not even answer is given up

_LOOK = "() => [document.readyState, document.getElementsByTagName('*').length]"
# The messages of noscript elements are for browsers without scripts.
_READ = """([limit, origin]) => {
    if (location.protocol + '//' + location.host !== origin) return false;  // such as a blob, which is not asked for
    for (const element of [...document.getElementsByTagName('noscript')]) element.remove();
    const markup = document.documentElement.outerHTML;
    return markup.length > limit ? null : markup;
}"""


class OpenPage:
    """Policy: the document comes from the plain response, without a second request. Scripts and the data that they ask for
    (GET, of the page's own site) are fetched; style sheets are empty; everything else is aborted, frames included. A page
    that leads elsewhere by script is not followed here: its target is noted (see `target`) for the scheduler.

    Parameters
    ----------
    leads_to : says of a URL whether a page that navigates there has left itself (else it stays as it is)
    """

    def __init__(
        self, plain: Response, resources: Resources, options: Rendering, leads_to: Callable[[str], bool]
    ) -> None:
        self.plain, self.resources, self.options, self.leads_to = plain, resources, options, leads_to
        self.host = host_of(plain.url)
        self.page: Page | None = None
        self.target: str | None = None  #: URL that the page navigates to
        self.watch = Stopwatch()
        self._served = self._closed = False
        self._requests = 0
        self._pending = 0
        self._turn = asyncio.Lock()  # one request of a page at a time: the next one is not made if the page is closed

    async def prepare(self, page: Page, _: Request | None = None) -> None:
        """Take the network of a new page in hand, before it goes anywhere."""
        self.page, self._served, self.watch = page, False, Stopwatch()
        page.on("popup", _close)
        with suppress(Error):
            await page.route("**/*", self._route)

    async def markup(self, page: Page) -> str:
        """Wait until the page is complete and still, or its time is up; return its markup as it is then.

        Raises NotRendered when it is too large, or no longer the page that was asked for. A page that has a `target` has no
        markup worth reading: the empty string.
        """
        seen, still = None, 0
        while still < STILL and self.watch.seconds < self.options.seconds and self.target is None:
            await asyncio.sleep(POLL)
            look = await page.evaluate(_LOOK)
            is_still = look == seen and look[0] == "complete" and not self._pending
            seen, still = look, still + 1 if is_still else 0
        if self.target is not None:
            return ""
        markup = await page.evaluate(_READ, [self.options.max_bytes, URL(self.plain.url).origin])
        if markup is False:
            raise NotRendered("it became another page")
        if not isinstance(markup, str):
            raise NotRendered("its rendered markup is too large")
        return markup

    @property
    def hangs(self) -> bool:
        """Whether the page should have given an answer long ago."""
        return self.watch.seconds > self.options.seconds + GONE_AFTER

    def close(self) -> None:
        """Fetch nothing more for this page."""
        self._closed = True

    async def _route(self, route: Route) -> None:
        with suppress(Error):  # the page was closed meanwhile
            request = route.request
            if request.is_navigation_request():
                await self._navigate(route, request)
            elif request.resource_type == "stylesheet":  # some scripts wait until theirs is there
                await route.fulfill(status=200, content_type="text/css", body="")
            elif request.resource_type in WANTED and request.method == "GET":
                await self._answer(route, request)
            else:
                await route.abort()

    async def _navigate(self, route: Route, request: BrowserRequest) -> None:
        if self.page is None or request.frame != self.page.main_frame:
            await route.abort()
        elif not self._served:
            self._served = True
            await route.fulfill(status=200, headers=_document_headers(self.plain), body=self.plain.body)
        else:
            if self.target is None and request.method == "GET" and self.leads_to(request.url):
                self.target = request.url
            await route.fulfill(status=204)  # the browser stays where it is

    async def _answer(self, route: Route, request: BrowserRequest) -> None:
        resource = self.resources.cached(request.url)
        if resource is None:
            self._pending += 1
            try:
                async with self._turn:
                    resource = self.resources.cached(request.url) or await self._fetch(request)
            except Exception:  # whatever keeps Scrapy from fetching it; the page must do without
                await route.abort()
                return
            finally:
                self._pending -= 1
        await route.fulfill(status=resource.status, headers=resource.headers, body=resource.body)

    async def _fetch(self, request: BrowserRequest) -> Resource:
        self.resources.refuse_foreign(request.url, self.host)
        if self._closed or self.target is not None or self._requests >= self.options.requests:
            raise Refused("enough")
        self._requests += 1
        took = 0.0
        self.watch.stop()
        try:
            resource, took = await self.resources.fetch(request.url, self.host, request.headers)
            return resource
        except DownloadTimeoutError:
            took = self.options.seconds * RESOURCE_SHARE
            raise
        finally:
            self.watch.start(took)


async def _close(popup: Page) -> None:
    with suppress(Error):
        await popup.close()


def _document_headers(plain: Response) -> dict[str, str]:
    """What matters of a plain response's headers to a browser that renders it."""
    kept = ("Content-Type", "Content-Security-Policy", "Content-Language")
    return {name: value.decode("latin-1") for name in kept if (value := plain.headers.get(name)) is not None}
