"""Imports ahead what a crawl needs: this takes longer than to fetch the first pages, so a waiting process can do it before."""

from __future__ import annotations

import importlib
from contextlib import suppress

from scrapy.utils.misc import walk_modules_iter

from focused.topic.project_settings import COMPONENTS, values

#: What a topical crawl imports beside the components in its settings. None of it may choose the reactor of Twisted.
MODULES = (
    "scrapy.core.engine",
    "scrapy.core.downloader.handlers.http11",
    "focused.scheduler",
    "focused.spiders.topical",
    "focused.topic.topic_arguments",
    "focused.strategies.adaptive",
)
#: Scrapy looks at all of these for the command that is meant.
COMMANDS = ("scrapy.commands", "focused.commands")


def import_all() -> None:
    """Import all these modules and all commands, except those of extras that are not installed."""
    ours = values()
    components = {
        path.rpartition(".")[0] for table in COMPONENTS for path in ours[table] if path.startswith("focused.")
    }
    for module in (*MODULES, *sorted(components)):
        with suppress(ImportError):
            importlib.import_module(module)
    for package in COMMANDS:
        for _ in walk_modules_iter(package):
            pass
