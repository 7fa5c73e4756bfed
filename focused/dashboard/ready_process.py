"""``python -m focused.dashboard.ready_process``: a `scrapy` that has imported all it needs and waits to be told what to do.

To import Scrapy and ourselves takes longer than to fetch the first pages. So a dashboard starts one of these when a person is about
to ask for a crawl; it ends when nobody tells it anything.
"""

from __future__ import annotations

import importlib
import json
import os
import sys
from contextlib import suppress

from scrapy.cmdline import execute
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
COMMAND = "command"  #: fields of what it is told, as JSON: the words of a command line,
LOG = "log"  #: and a file for what it says


def told(line: str) -> tuple[list[str], str] | None:
    """What a line tells; None for none."""
    if not line.strip():
        return None
    asked = json.loads(line)
    return [str(word) for word in asked[COMMAND]], str(asked[LOG])


def import_all() -> None:
    for module in MODULES:
        with suppress(ImportError):  # of an extra that is not installed: whoever needs it says so
            importlib.import_module(module)
    for package in COMMANDS:
        for _ in walk_modules_iter(package):
            pass


def main() -> None:
    import_all()
    asked = told(sys.stdin.readline())
    if asked is None:
        return
    command, log = asked
    target = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644)
    nothing = os.open(os.devnull, os.O_RDONLY)
    for source, to in ((nothing, 0), (target, 1), (target, 2)):
        os.dup2(source, to)
    sys.argv = ["scrapy", *command]
    execute(sys.argv)


if __name__ == "__main__":
    main()
