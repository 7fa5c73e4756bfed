"""One page in the browser: it starts from the plain response, gets what `Resources` fetches, and is read when it is still.

Fetches what the scripts of a page ask for. The browser itself has no network: every request of a page is answered here.

So what holds for pages holds for their scripts and data: robots.txt, the delay and one request at a time per host, proxy,
user agent, size and time limits; each goes through Scrapy's downloader like any other request.
"""

from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from ada_url import URL
from playwright.async_api import Error, Page, Route
from playwright.async_api import Request as BrowserRequest
from scrapy import Request
from scrapy.crawler import Crawler
from scrapy.exceptions import DownloadTimeoutError
from scrapy.http import Response
from scrapy.http.request import NO_CALLBACK

from focused.crawl.scope import lies_on
from focused.crawl.url_forms import parts_of
from focused.live.clocks import Stopwatch
from focused.live.rendering_outcome import NotRendered
from focused.page.urls import host_of
from focused.rendering.asked import Method
from focused.rendering.page_steps import POLL, PageSteps, StepFailed
from focused.topic.topic import Rendering, Topic

logger = logging.getLogger(__name__)

MOST_HOPS = 5  #: redirects followed for one script
CACHED_BYTES = 32 * 2**20  #: of scripts and data kept for the next pages of a crawl
#: Share of a page's seconds that one script may take, so that one that never comes leaves time for others
RESOURCE_SHARE = 0.5
REDIRECTS = frozenset((301, 302, 303, 307, 308))

#: Kinds of requests (Playwright's names) that bring text and links to a page; all others are aborted.
WANTED = frozenset(("script", "xhr", "fetch"))
#: Request headers of the browser that Scrapy sets itself, or that would tell of a person.
_DROPPED = frozenset(("accept-encoding", "connection", "content-length", "cookie", "host", "user-agent"))
# These describe the transfer, which the browser does not see, or would set cookies.
_HIDDEN = frozenset(("connection", "content-encoding", "content-length", "set-cookie", "transfer-encoding"))


class RequestBarred(Exception):  # noqa: N818  (an answer, not a mistake)
    """A request of a page is not made; the message says why."""


@dataclass(frozen=True, slots=True)
class Resource:
    """A script or some data, as the browser gets it."""

    status: int
    headers: dict[str, str]
    body: bytes


class Resources:
    """All resources of a crawl; those of several pages (a site's scripts, mostly) are fetched once."""

    def __init__(self, crawler: Crawler, topic: Topic) -> None:
        self.crawler = crawler
        self.options, self.denied_hosts = topic.rendering, topic.scope.denied_hosts
        self._cache: OrderedDict[str, Resource] = OrderedDict()
        self._cached_bytes = 0

    def cached(self, url: str) -> Resource | None:
        resource = self._cache.get(url)
        if resource is not None:
            self._cache.move_to_end(url)
        return resource

    def refuse_foreign(self, url: str, page_host: str) -> None:
        """Raise Refused for a URL on a host that the page's scripts have no business with."""
        host = host_of(url)
        if lies_on(host, self.denied_hosts):
            raise RequestBarred("host denied")
        if host != page_host and site(host) != site(page_host) and not lies_on(host, self.options.other_hosts):
            raise RequestBarred("third party")

    async def fetch(self, url: str, page_host: str, headers: dict[str, str]) -> tuple[Resource, float]:
        """Fetch a resource, redirects included; return it, and the seconds that the servers took.

        Raises Refused for a foreign host, and whatever Scrapy's downloader raises (robots.txt, a timeout, ...).
        """
        seconds = 0.0
        first, every = url, ((name.lower(), name) for name in headers)
        passed_on = {raw: headers[raw] for name, raw in every if name not in _DROPPED and not name.startswith("sec-")}
        for _ in range(MOST_HOPS):
            self.refuse_foreign(url, page_host)
            response = await self._download(url, passed_on)
            seconds += response.meta.get("download_latency", 0.0)
            location = response.headers.get("Location")
            if response.status not in REDIRECTS or location is None:
                resource = Resource(response.status, _headers(response), response.body)
                self._keep(first, resource)
                return resource, seconds
            url = response.urljoin(location.decode("latin-1"))
        raise RequestBarred("too many redirects")

    async def _download(self, url: str, headers: dict[str, str]) -> Response:
        meta: dict[str, Any] = {
            "dont_redirect": True,
            "dont_retry": True,
            "download_timeout": self.options.seconds * RESOURCE_SHARE,
            "download_maxsize": self.options.max_bytes,
        }
        self.crawler.stats.inc_value("focused/rendering/resources")
        engine = self.crawler.engine
        assert engine is not None  # pages arrive only while it runs
        return await engine.download_async(Request(url, NO_CALLBACK, headers=headers, meta=meta))

    def _keep(self, url: str, resource: Resource) -> None:
        if resource.status != 200 or "no-store" in resource.headers.get("cache-control", ""):
            return
        before = self._cache.pop(url, None)  # two pages may have asked for it at the same time
        self._cache[url] = resource
        self._cached_bytes += len(resource.body) - (len(before.body) if before else 0)
        while self._cached_bytes > CACHED_BYTES:
            self._cached_bytes -= len(self._cache.popitem(last=False)[1].body)


def site(host: str) -> str:
    """The registered domain of a host (``a.b.example.co.uk`` -> ``example.co.uk``); an address of numbers is one itself."""
    found = parts_of(host)
    if found.ipv4 or found.ipv6:
        return host
    return found.top_domain_under_public_suffix or ".".join(host.split(".")[-2:])  # the rule for unknown suffixes


def _headers(response: Response) -> dict[str, str]:
    names = ((name.decode("latin-1").lower(), name) for name in response.headers)
    return {
        name: b", ".join(response.headers.getlist(raw)).decode("latin-1") for name, raw in names if name not in _HIDDEN
    }


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

    leads_to : says of a URL whether a page that navigates there has left itself (else it stays as it is)
    methods : what a request of the user's own does on the page; without any, what the topic says is done
    """

    def __init__(
        self,
        plain: Response,
        resources: Resources,
        options: Rendering,
        leads_to: Callable[[str], bool],
        methods: Sequence[Method] = (),
    ) -> None:
        self.plain, self.resources, self.options, self.leads_to = plain, resources, options, leads_to
        self.host = host_of(plain.url)
        self.page: Page | None = None
        self.methods = methods
        self.target: str | None = None  #: URL that the page navigates to
        self.failed: str | None = None  #: which method did not come to its end
        self.watch = Stopwatch()
        self._served = self._closed = self._stays = False
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
        """Wait until the page is complete and still, do on it what is to be done, or until its time is up; return its markup then.

        Raises NotRendered when it is too large, or no longer the page that was asked for. A page that has a `target` has no
        markup worth reading: the empty string.
        """
        if await self._settle(page):
            await self._work(page)
        if self.target is not None:
            return ""
        markup = await page.evaluate(_READ, [self.options.max_bytes, URL(self.plain.url).origin])
        if markup is False:
            raise NotRendered("it became another page")
        if not isinstance(markup, str):
            raise NotRendered("its rendered markup is too large")
        return markup

    @property
    def _goes_on(self) -> bool:
        return self.watch.seconds < self.options.seconds and self.target is None

    async def _settle(self, page: Page) -> bool:
        """Wait until the page is complete and still; return whether it goes on."""
        seen, still = None, 0
        while still < STILL and self._goes_on:
            await asyncio.sleep(POLL)
            look = await page.evaluate(_LOOK)
            is_still = look == seen and look[0] == "complete" and not self._pending
            seen, still = look, still + 1 if is_still else 0
        return self._goes_on

    async def _work(self, page: Page) -> None:
        """Do what a request asks for; else what the topic says, which keeps the page where it is."""
        steps = PageSteps(page, self.options, lambda: self._goes_on, lambda: self._settle(page))
        if not self.methods:
            self._stays = True
            await steps.as_topic()
            return
        try:
            for method in self.methods:
                if self._goes_on:
                    await steps.do(method)
        except StepFailed as failed:
            if self.target is None:
                self.failed = failed.reason
                logger.info("%s: %s", self.plain.url, failed)

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
            if self.target is None and not self._stays and request.method == "GET" and self.leads_to(request.url):
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
            raise RequestBarred("enough")
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
