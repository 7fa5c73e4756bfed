"""Starts a crawler of a process and tells when it has ended, for both kinds of process that Scrapy makes."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from scrapy.crawler import Crawler
from twisted.internet.defer import Deferred

if TYPE_CHECKING:
    from scrapy.crawler import CrawlerProcessBase


STOP_STAT = "focused/stop_reason"
ERROR_STAT = "focused/error"  #: what went wrong; not set where nothing did


def begin_crawl(
    process: CrawlerProcessBase,
    crawler: Crawler,
    arguments: Mapping[str, Any],
    ended: Callable[[BaseException | None], None],
) -> None:
    """Start a crawler; call ``ended`` at its end with the error that ended it, or None."""
    running = process.crawl(crawler, **arguments)
    if isinstance(running, asyncio.Task):
        running.add_done_callback(lambda task: ended(None if task.cancelled() else task.exception()))
    elif isinstance(running, Deferred):  # FORCE_CRAWLER_PROCESS
        running.addCallbacks(lambda _: ended(None), lambda failure: ended(failure.value))
