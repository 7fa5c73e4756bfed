"""Lets Scrapy connect only to what a topic's scope allows; judges the very IP address that Scrapy connects to. Answers are taken
as browsers take them (see `lenient_http`).

`WithinReach` judges the text of a URL before Scrapy asks for it. `JudgedConnections` judges the address that its name resolves to
when a connection is opened: a DNS answer that changes in between (rebinding) changes nothing. A proxy resolves names by itself,
so behind one only the first check works.
"""

from __future__ import annotations

import logging
from typing import Any, Self

from ada_url import URL
from scrapy import Request
from scrapy.core.downloader.handlers.http11 import HTTP11DownloadHandler
from scrapy.crawler import Crawler
from scrapy.exceptions import DownloadFailedError, IgnoreRequest, NotConfigured
from scrapy.http import Response
from scrapy.utils.httpobj import urlparse_cached
from zope.interface import directlyProvides, providedBy

from focused.crawl.scope import Reach
from focused.live.lenient_http import EXCHANGE, BrokenAnswer, Exchange, LenientEndpoint
from focused.live.responses import CUT
from focused.topic.topic import Topic
from focused.topic.topic_tables import IF_MEANT

logger = logging.getLogger(__name__)

NOT_OF_THE_WEB = "not an http(s) URL"
SCHEMES = ("http", "https")
HANDLER = "focused.live.connections.JudgedConnections"  #: as the settings name it
NAMED = "focused_named_origin"  #: of a request: the origin that a person has named, which may be asked wherever it lies


class ConnectionBarred(IgnoreRequest):
    """The scope bars this connection; the message is the reason for the history."""


def reach_of(crawler: Crawler) -> Reach | None:
    """The reach that a spider's topic allows it; None for a spider without a topic, such as one of the user's own."""
    topic = getattr(crawler.spider, "topic", None)
    return Reach(topic.scope, topic.seeds) if isinstance(topic, Topic) else None


def is_named(request: Request) -> bool:
    """Whether a person has named the origin that a request goes to; a redirect to another origin does not count."""
    named = request.meta.get(NAMED)
    try:
        return named is not None and URL(request.url).origin == named
    except ValueError:
        return False


class WithinReach:
    """Downloader middleware that refuses URLs by their text: of pages, robots.txt, redirects and scripts alike."""

    def __init__(self, reach: Reach) -> None:
        self.reach = reach

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        reach = reach_of(crawler)
        if reach is None:
            raise NotConfigured
        handlers = crawler.settings.getwithbase("DOWNLOAD_HANDLERS")
        others = {str(handlers.get(scheme)) for scheme in SCHEMES} - {HANDLER}
        if others and not reach.allows_private:
            logger.warning(
                "DOWNLOAD_HANDLERS: a name may lead %s into a private network: it does not judge the addresses that it connects to",
                " and ".join(sorted(others)),
            )
        return cls(reach)

    def process_request(self, request: Request) -> None:
        """Raises ConnectionBarred."""
        try:
            url = URL(request.url)
        except ValueError:
            raise ConnectionBarred(NOT_OF_THE_WEB) from None
        if url.protocol.removesuffix(":") not in SCHEMES:  # such as a file of this machine
            raise ConnectionBarred(NOT_OF_THE_WEB)
        if is_named(request):
            return
        if reason := self.reach.bars_url(url.origin, url.hostname):
            raise ConnectionBarred(reason)


class JudgedConnections:
    """Scrapy's download handler that judges its connections, except those to a proxy or to an origin that a person named."""

    lazy = True

    def __init__(self, crawler: Crawler) -> None:
        self._told = False
        self._direct, self._of_the_user = HTTP11DownloadHandler(crawler), HTTP11DownloadHandler(crawler)
        for handler in (self._direct, self._of_the_user):
            handler._pool.retryAutomatically = False  # Twisted would ask again at once; Scrapy's retries keep the delay
            reach = reach_of(crawler) if handler is self._direct else None
            handler._pool = _JudgedPool(handler._pool, reach)  # type: ignore[assignment]

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        return cls(crawler)

    async def download_request(self, request: Request) -> Response:
        """Raises ConnectionBarred for an address outside the public Web, BrokenAnswer, and whatever Scrapy's handler raises."""
        is_users = request.meta.get("proxy") or is_named(request)
        exchange = Exchange()
        EXCHANGE.set(exchange)
        try:
            response = await (self._of_the_user if is_users else self._direct).download_request(request)
        except DownloadFailedError as failed:
            reasons = getattr(failed.__cause__, "reasons", ())
            if broken := next((reason.value for reason in reasons if isinstance(reason.value, BrokenAnswer)), None):
                raise broken from None
            raise
        except ConnectionBarred as refused:
            if not self._told:
                self._told = True
                logger.warning(
                    "%s: %s: nothing is asked there; %s", urlparse_cached(request).hostname, refused, IF_MEANT
                )
            raise
        if exchange.is_overlong:
            response.flags.append(CUT)
        return response

    async def close(self) -> None:
        await self._direct.close()
        await self._of_the_user.close()


class _JudgedPool:
    """Twisted's pool of connections, all of them lenient; where there is a reach, a judging reactor opens each new one."""

    def __init__(self, pool: Any, reach: Reach | None) -> None:
        self._pool, self._reach = pool, reach

    def getConnection(self, key: Any, endpoint: Any) -> Any:  # noqa: N802  (Twisted's name)
        if self._reach is not None:
            named = getattr(endpoint, "_wrappedEndpoint", endpoint)  # TLS wraps the endpoint that resolves the name
            named._reactor = _JudgingReactor(named._reactor, self._reach)
        exchange = EXCHANGE.get()

        def begin(client: Any) -> Any:
            client.transport.begin(exchange)
            return client

        return self._pool.getConnection(key, LenientEndpoint(endpoint)).addCallback(begin)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._pool, name)


class _JudgingReactor:
    """Twisted's reactor, which connects to public addresses only. A name is resolved before it comes here."""

    def __init__(self, reactor: Any, reach: Reach) -> None:
        self._reactor, self._reach = reactor, reach
        directlyProvides(self, providedBy(reactor))

    def connectTCP(self, host: str, *arguments: Any, **named: Any) -> Any:  # noqa: N802  (Twisted's name)
        """Raises ConnectionBarred, which fails the attempt at this address; Twisted tries the others of the same name."""
        if reason := self._reach.bars_address(host):
            raise ConnectionBarred(reason)
        return self._reactor.connectTCP(host, *arguments, **named)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._reactor, name)
