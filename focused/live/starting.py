"""Lets a crawler of a process begin, and tells when it has come to its end, whichever kind of process Scrapy made."""

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
    """Let a crawler begin; what it ended with, if not as it should, is told to ``ended``."""
    running = process.crawl(crawler, **arguments)
    if isinstance(running, asyncio.Task):
        running.add_done_callback(lambda task: ended(None if task.cancelled() else task.exception()))
    elif isinstance(running, Deferred):  # FORCE_CRAWLER_PROCESS
        running.addCallbacks(lambda _: ended(None), lambda failure: ended(failure.value))
