"""Downloader middleware: leaves a host that is too busy (429, 503) alone for as long as it asks, and then asks again.

The crawl fetches from other hosts meanwhile. Scrapy's retries, which come after this, would ask again at once.
"""

from __future__ import annotations

import logging
import time
from collections import Counter
from typing import Self

from scrapy import Request
from scrapy.crawler import Crawler
from scrapy.http import Response

from focused.live.courtesy import seconds_to_wait
from focused.live.responses import ID, PUT_OFF, host_of_request
from focused.live.scrapy_engine import ScrapyEngine
from focused.live.session import Session, session_of

logger = logging.getLogger(__name__)

TOO_MANY_REQUESTS, UNAVAILABLE = 429, 503
MOST_DOUBLINGS = 6  #: of the wait for a host that does not say how long


class Throttling:
    """Leaves hosts alone that ask for it.

    A host that says how long (Retry-After), or answers with 429, was asked too often: its crawl delay doubles from now on. A 503
    without Retry-After may be the fault of one page.
    """

    def __init__(self, crawler: Crawler, session: Session) -> None:
        self.session, self.engine = session, ScrapyEngine(crawler)
        self.usual = crawler.settings.getfloat("FOCUSED_BUSY_SECONDS")
        self.most = crawler.settings.getint("FOCUSED_BUSY_TIMES")
        self._in_a_row: Counter[str] = Counter()  # by host, answers that it is too busy

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        return cls(crawler, session_of(crawler))

    def process_request(self, request: Request) -> Request | None:
        """Put off a request that was on its way when its host said that it is too busy, such as by its robots.txt."""
        courtesy = self.session.courtesy
        if ID not in request.meta or courtesy is None or not courtesy.is_left_alone(host_of_request(request)):
            return None
        return request.copy()

    def process_response(self, request: Request, response: Response) -> Request | Response:
        """Return the response, or the request to be sent again later."""
        host = host_of_request(request)
        if response.status not in (TOO_MANY_REQUESTS, UNAVAILABLE) or "cached" in response.flags:
            self._in_a_row.pop(host, None)
            return response
        self.session.outage.heard(response.url)
        self._leave_alone(host, response)
        times = request.meta.get(PUT_OFF, 0) + 1
        if ID not in request.meta or times > self.most or request.meta.get("dont_retry"):
            request.meta["dont_retry"] = True  # nor by Scrapy
            return response
        again = request.copy()
        again.meta[PUT_OFF] = times
        return again

    def _leave_alone(self, host: str, response: Response) -> None:
        courtesy = self.session.courtesy
        if courtesy is None:
            return
        asked = seconds_to_wait(response.headers.get("Retry-After"), time.time())
        told_already = courtesy.is_left_alone(host)  # several requests may have been under way
        if not told_already:
            self._in_a_row[host] += 1
            if asked is not None or response.status == TOO_MANY_REQUESTS:
                self.engine.keep_delay(host, courtesy.slow_down(host, self.engine.delay(host)), 0.0)
        seconds = self.usual * 2.0 ** min(self._in_a_row[host] - 1, MOST_DOUBLINGS) if asked is None else asked
        with self.session.writing():
            courtesy.leave_alone(host, seconds)
        if not told_already:
            logger.info(
                "%s is too busy (http %d): asked again in %.0f s",
                *(host, response.status, min(seconds, courtesy.longest_wait)),
            )
