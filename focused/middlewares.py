"""Spider middleware: makes a Page of every response, scores it, and passes it to the pipelines, and its links to the frontier."""

from __future__ import annotations

from collections.abc import AsyncIterator
from functools import partial
from http import HTTPStatus
from typing import Any, Self

from scrapy.crawler import Crawler
from scrapy.exceptions import IgnoreRequest
from scrapy.http import Response
from scrapy.statscollectors import StatsCollector

from focused.items import PageItem, page_item
from focused.live.journal import Record
from focused.live.own_fields import KEEP_FIELDS
from focused.live.responses import (
    DOCUMENT,
    ENDED,
    ID,
    ITEM,
    OUTCOME,
    PAGE,
    PLAIN,
    SIGNALS,
    TAKEN,
    headers_of,
    stored,
)
from focused.live.session import Session, session_of
from focused.live.shared_run import TAKEN_OVER, SharedPage, SharedRun, shared_run_of


class NotAPage(IgnoreRequest):
    """The response is no page; the journal has its reason already."""


class FrontierMiddleware:
    """Reads each response once, gives the page to the core, and yields its item before what the callback yields.

    The callback finds the page as ``response.meta["page"]``.
    """

    def __init__(
        self, session: Session, together: SharedRun | None = None, stats: StatsCollector | None = None
    ) -> None:
        self.session, self.together, self.stats = session, together, stats

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        return cls(session_of(crawler), shared_run_of(crawler), crawler.stats)

    def process_spider_input(self, response: Response) -> None:
        """Raises NotAPage, which the request's errback gets, for a response that gives no page."""
        url = response.meta.get(ID)
        if url is None or url not in self.session.crawl.in_flight:
            return
        with self.session.cpu:
            record = self._take_in(url, response)
        if self.together:
            self._share(self.together, record, response)

    def _take_in(self, url: int, response: Response) -> Record:
        content_type, robots_tag = headers_of(response)
        rendering = response.meta.get(OUTCOME)
        document = response.meta.pop(DOCUMENT, None)
        taken: SharedPage | None = response.meta.pop(TAKEN, None)
        read = taken.page if taken else None
        record = self.session.fetched(url, stored(response), content_type, robots_tag, rendering, document, read)
        if isinstance(record, str):
            raise NotAPage(record)
        record.signals = taken.signals if taken else response.meta.get(SIGNALS)
        if taken and self.stats:
            self.stats.inc_value(TAKEN_OVER)
        response.meta[ENDED] = response.meta.pop(ID)
        source = record.pick.source
        found_on = self.session.store.url(source) if source >= 0 else None
        response.meta[PAGE] = record.arrival.visit.page
        response.meta[KEEP_FIELDS] = partial(self.session.journal.add_fields, record)
        response.meta[ITEM] = page_item(record, self.session.store.url(url), found_on)
        return record

    def _share(self, together: SharedRun, record: Record, response: Response) -> None:
        """Let the other topics judge a page that a server has sent."""
        if response.meta.get(PLAIN) and response.status == HTTPStatus.OK and record.outcome == "page":
            record.is_for_all = record.rendering is None or not record.rendering.rendered
            fetched = SharedPage(record.stored, record.arrival.visit.page, record.rendering, record.signals)
            together.pages.arrived(self.session, fetched, *headers_of(response))

    async def process_spider_output(self, response: Response, result: AsyncIterator[Any]) -> AsyncIterator[Any]:
        item: PageItem | None = response.meta.pop(ITEM, None)
        if item is None:
            async for output in result:
                yield output
            return
        item.record.in_callback = True
        try:
            yield item
            async for output in result:
                yield output
        finally:
            with self.session.writing():
                self.session.journal.answered(item.record)
