"""Asks a provider on the Web by Scrapy's downloader, so that robots.txt, delays, proxies and limits hold as for pages.

The address of a provider is a person's own word. So it may lie on this machine or in a private network, and there it is the
person's own, whose robots.txt nobody has to ask. Whatever a redirect or an answer names may lie on the Web only.
"""

from __future__ import annotations

from typing import Any

from ada_url import URL, check_url
from scrapy import Request
from scrapy.crawler import Crawler
from scrapy.http import Response
from scrapy.http.request import NO_CALLBACK
from twisted.python.failure import Failure

from focused.exceptions import SearchError
from focused.live.connections import NAMED
from focused.live.reasons import reason_of
from focused.page.addresses import is_local

MOST_BYTES = 5_000_000  #: of an answer
ANYTHING = (
    "application/json, application/atom+xml, application/rss+xml, application/xml;q=0.9, text/html;q=0.8, */*;q=0.5"
)
IN_WORDS = {
    "robots.txt": "its robots.txt bars the question",
    "too large": f"the answer is longer than {MOST_BYTES:,} bytes",
    "timeout": "no complete answer in time (DOWNLOAD_TIMEOUT)",
}
TOO_MANY, REDIRECTS = 429, (301, 302, 303, 307, 308)


class WebQuestions:
    """Asks by the engine of a crawler, which must be running."""

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = crawler

    async def ask(self, url: str, *, named: str = "", accept: str = ANYTHING) -> Response:
        """The answer to a GET request, of status 200. It is asked once: nothing is tried again.

        named : a URL that a person has given; what lies at its origin may be asked wherever that is

        Raises SearchError, which says why there is none.
        """
        if not check_url(url):
            raise SearchError("the address is not a URL")
        origin = URL(named).origin if named and URL(named).origin == URL(url).origin else ""
        meta: dict[str, Any] = {"dont_retry": True, "download_maxsize": MOST_BYTES}
        if origin:
            meta[NAMED] = origin
            if is_local(URL(named).hostname):
                meta |= {"dont_obey_robotstxt": True, "dont_redirect": True}
        try:
            response = await self.send(
                Request(url, NO_CALLBACK, headers={"Accept": accept}, meta=meta, dont_filter=True)
            )
        except SearchError as error:
            raise SearchError(IN_WORDS.get(str(error), str(error))) from None
        if response.status in REDIRECTS:
            raise SearchError("it redirects elsewhere; give the address that it redirects to")
        if response.status == TOO_MANY:
            raise SearchError("HTTP status 429: it has been asked too often")
        if response.status != 200:
            raise SearchError(f"HTTP status {response.status}")
        return response

    async def send(self, request: Request) -> Response:
        """A response of any status. Raises SearchError where there is none."""
        engine = self._crawler.engine
        assert engine is not None  # nobody asks before it runs
        try:
            return await engine.download_async(request)
        except Exception as error:
            reason = reason_of(Failure(error))[0]  # type: ignore[no-untyped-call]
            raise SearchError(reason) from None
