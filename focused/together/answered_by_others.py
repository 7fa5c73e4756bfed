"""Downloader middleware: a request for a page that another topic of the process has fetched is answered by that."""

from __future__ import annotations

from typing import Self

from scrapy import Request
from scrapy.crawler import Crawler
from scrapy.exceptions import NotConfigured
from scrapy.http import Headers, Response
from scrapy.responsetypes import responsetypes

from focused.live.responses import OUTCOME
from focused.live.shared_run import TAKEN, Fetched, shared_run_of


class AnswerFromOthers:
    """Comes before robots.txt, delays and the downloader, for nobody is asked."""

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Raises NotConfigured for a topic that is crawled alone."""
        if shared_run_of(crawler) is None:
            raise NotConfigured
        return cls()

    def process_request(self, request: Request) -> Response | None:
        """The page as a response, where the scheduler has found one."""
        fetched = request.meta.get(TAKEN)
        if not isinstance(fetched, Fetched):
            return None
        stored = fetched.stored
        headers = Headers()
        for name, value in stored.headers:
            headers.appendlist(name, value)
        if fetched.rendering is not None:
            request.meta[OUTCOME] = fetched.rendering
        kind = responsetypes.from_args(headers=headers, url=stored.url, body=stored.body)
        return kind(stored.url, status=stored.status, headers=headers, body=stored.body, flags=["taken over"])
