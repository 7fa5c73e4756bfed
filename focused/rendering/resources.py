"""Fetches what the scripts of a page ask for. The browser itself has no network: every request of a page is answered here.

So what holds for pages holds for their scripts and data: robots.txt, the delay and one request at a time per host, proxy,
user agent, size and time limits; each goes through Scrapy's downloader like any other request.
"""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from typing import Any

from scrapy import Request
from scrapy.crawler import Crawler
from scrapy.http import Response
from scrapy.http.request import NO_CALLBACK

from focused.crawl.domains import parts_of
from focused.crawl.scope import lies_on
from focused.page.urls import host_of
from focused.topic.topic import Topic

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


class Refused(Exception):  # noqa: N818  (an answer, not a mistake)
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
            raise Refused("host denied")
        if host != page_host and site(host) != site(page_host) and not lies_on(host, self.options.other_hosts):
            raise Refused("third party")

    async def fetch(self, url: str, page_host: str, headers: dict[str, str]) -> tuple[Resource, float]:
        """Fetch a resource, redirects included; return it, and the seconds that the servers took.

        Raises Refused for a foreign host, and whatever Scrapy's downloader raises (robots.txt, a timeout, ...).
        """
        seconds = 0.0
        first, headers = url, {name: value for name, value in headers.items() if _is_passed_on(name.lower())}
        for _ in range(MOST_HOPS):
            self.refuse_foreign(url, page_host)
            response = await self._download(url, headers)
            seconds += response.meta.get("download_latency", 0.0)
            location = response.headers.get("Location")
            if response.status not in REDIRECTS or location is None:
                resource = Resource(response.status, _headers(response), response.body)
                self._keep(first, resource)
                return resource, seconds
            url = response.urljoin(location.decode("latin-1"))
        raise Refused("too many redirects")

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


def _is_passed_on(name: str) -> bool:
    return name not in _DROPPED and not name.startswith("sec-")


def _headers(response: Response) -> dict[str, str]:
    names = ((name.decode("latin-1").lower(), name) for name in response.headers)
    return {
        name: b", ".join(response.headers.getlist(raw)).decode("latin-1") for name, raw in names if name not in _HIDDEN
    }
