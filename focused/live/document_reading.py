"""Downloader middleware: reads PDF documents in a separate process before they reach the crawl, which goes on meanwhile."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Self

from scrapy import Request, signals
from scrapy.crawler import Crawler
from scrapy.exceptions import NotConfigured
from scrapy.http import Response
from scrapy.utils.defer import maybe_deferred_to_future
from twisted.internet.defer import Deferred

from focused.live.responses import DOCUMENT, ID, TAKEN, headers_of
from focused.live.session import session_of
from focused.page.documents import LIVE_SECONDS, Document, read_document
from focused.page.media_types import PDF, media_type
from focused.page.page import Unreadable


class ReadDocuments:
    """Reads one document at a time, and leaves the result in ``request.meta`` for the `Reader`."""

    def __init__(self) -> None:
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="documents")

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Raises NotConfigured for a topic that reads no documents."""
        if not session_of(crawler).topic.reading.documents:
            raise NotConfigured
        middleware = cls()
        crawler.signals.connect(middleware.closed, signals.engine_stopped)
        return middleware

    async def process_response(self, request: Request, response: Response) -> Response:
        is_fetched = ID in request.meta and TAKEN not in request.meta and response.status == 200
        if is_fetched and media_type(headers_of(response)[0], response.body) == PDF:
            request.meta[DOCUMENT] = await maybe_deferred_to_future(self._read(response.body))
        return response

    def closed(self) -> None:
        self._thread.shutdown(wait=False, cancel_futures=True)

    def _read(self, body: bytes) -> Deferred[Document | Unreadable]:
        from twisted.internet import reactor

        read: Deferred[Document | Unreadable] = Deferred()

        def tell() -> None:
            try:
                document = read_document(body, LIVE_SECONDS)
            except Exception as error:
                reactor.callFromThread(read.errback, error)
            else:
                reactor.callFromThread(read.callback, document)

        self._thread.submit(tell)
        return read
