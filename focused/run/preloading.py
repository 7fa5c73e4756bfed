"""What a crawl imports. It takes longer than to fetch the first pages, so a process that is to crawl soon can do it ahead."""

from __future__ import annotations

import importlib
from contextlib import suppress

from scrapy.utils.misc import walk_modules_iter

#: What a topical crawl imports. None of it may choose the reactor of Twisted.
MODULES = (
    "scrapy.core.engine",
    "scrapy.core.downloader.handlers.http11",
    "focused.scheduler",
    "focused.middlewares",
    "focused.pipelines",
    "focused.feeds",
    "focused.extensions",
    "focused.spiders.topical",
    "focused.run.robots.obeying",
    "focused.run.throttling",
    "focused.run.web_encoding",
    "focused.run.document_reading",
    "focused.run.ipv6_literals",
    "focused.rendering.middleware",
    "focused.run.remote_control",
    "focused.run.together.answered_by_others",
    "focused.backlinks.asking",
    "focused.searching.asking_again",
    "focused.searching.search_options",
    "focused.reporting.progress",
    "focused.dashboard.beside",
    "focused.topic.topic_arguments",
    "focused.strategies.adaptive",
)
#: Scrapy looks at all of these for the command that is meant.
COMMANDS = ("scrapy.commands", "focused.commands")


def import_all() -> None:
    """Import all of these and all commands, but for what belongs to an extra that is not installed."""
    for module in MODULES:
        with suppress(ImportError):
            importlib.import_module(module)
    for package in COMMANDS:
        for _ in walk_modules_iter(package):
            pass
