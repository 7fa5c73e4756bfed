"""Starts a crawler of a process and tells when it has ended, for both kinds of process that Scrapy makes."""

from __future__ import annotations

import asyncio
import traceback
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from scrapy.crawler import Crawler
from twisted.internet.defer import Deferred

from focused.exceptions import FocusedError

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
        running.add_done_callback(lambda task: ended(None if task.cancelled() else in_one_line(task.exception())))
    elif isinstance(running, Deferred):  # FORCE_CRAWLER_PROCESS
        running.addCallbacks(lambda _: ended(None), lambda failure: ended(in_one_line(failure.value)))


def in_one_line(error: BaseException | None) -> BaseException | None:
    """FocusedError for a component that there is not; what goes wrong inside one stays as it is, for its traceback."""
    frames = traceback.walk_tb(error.__traceback__ if error else None)
    last = [frame for frame, _ in frames if "importlib" not in frame.f_code.co_filename][-1:]
    if last and last[0].f_code.co_name == "load_object":
        path = last[0].f_locals["path"]
        return FocusedError(f"{path}: named in the settings, and cannot be imported: {error}")
    return error
