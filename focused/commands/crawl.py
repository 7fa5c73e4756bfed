"""`scrapy crawl`: Scrapy's own, but a mistake ends in one clear line and a non-zero exit instead of a traceback."""

from __future__ import annotations

import argparse
import logging
import os
import re
import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from pathlib import Path
from typing import Any, NoReturn

from scrapy.addons import AddonManager
from scrapy.commands.crawl import Command as ScrapyCrawl
from scrapy.crawler import Crawler, CrawlerProcessBase
from scrapy.exceptions import UsageError
from scrapy.settings import BaseSettings, Settings
from scrapy.spiderloader import get_spider_loader

from focused import wings
from focused.exceptions import FocusedError, TopicError
from focused.explain.command import leave_out_what_scrapy_says
from focused.live.starting import ERROR_STAT, begin_crawl
from focused.page.plain_text import LINES, printable
from focused.spiders.topical import SEVERAL, TopicalSpider
from focused.topic.project_settings import add_own_defaults

#: What Scrapy says of -o pages.parquet, below its usage.
STRANGE_FORMAT = re.compile(r"Unrecognized output format '([^']*)'")

logger = logging.getLogger(__name__)


class Command(ScrapyCrawl):
    """Runs a topical spider; exits with 1 when the crawl could not start, could not go on, or collected nothing.

    Any other spider is Scrapy's business, as if this command were not there.
    """

    settings: Settings  # Scrapy sets both before it calls any method
    crawler_process: CrawlerProcessBase

    def long_desc(self) -> str:
        return (
            "Run a spider of the project. The topical spider takes a topic file or keywords and seeds. Example: "
            "scrapy crawl topical -a topic=solar -a pages=500 -o pages.jsonl. "
            'Without a file: scrapy crawl topical -a keywords="perovskite solar cells" '
            "-a seeds=https://a.example,https://b.example. "
            "The same command goes on where it was stopped; -a fresh=true starts anew, and -a recrawl=7d asks once more for pages "
            "that answered a week ago. Several topics in one process: -a topics=FOLDER, or -a topics=solar,wind."
        )

    def process_options(self, args: list[str], opts: argparse.Namespace) -> None:
        """Leave out what Scrapy says of itself before a crawl starts, some seventy lines, unless a log level is asked for."""
        targets = [*(opts.output or ()), *(opts.overwrite_output or ())]
        try:
            super().process_options(args, opts)
        except UsageError as error:
            if not (strange := STRANGE_FORMAT.match(str(error))):
                raise
            formats = [name for name, exporter in self.settings.getwithbase("FEED_EXPORTERS").items() if exporter]
            given = ", ".join(targets)
            refuse(f"-o {given}: no feed can be written as {strange[1]}; there are: {', '.join(formats)}")
        for target in targets:
            if why := why_not_writable(target):
                refuse(f"-o {target}: {why}")
        if args and is_ours(args[0], self.settings):
            leave_out_what_scrapy_says(self.settings)

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        if len(args) != 1:
            raise UsageError("one spider is run at a time, for example: scrapy crawl topical -a topic=solar")
        import_early()
        try:
            spider = self.crawler_process.spider_loader.load(args[0])
        except KeyError:
            spiders = self.crawler_process.spider_loader.list()
            there = f"there are: {', '.join(spiders)}" if spiders else "the project has none"
            hint = self._hint(args[0])
            print(f"scrapy crawl: no spider {args[0]!r}; {there}{hint}", file=sys.stderr)
            self.exitcode = 1
            return
        if not issubclass(spider, TopicalSpider):
            super().run(args, opts)
            return
        self._run_topical(spider, opts.spargs)

    def _hint(self, name: str) -> str:
        """What a person may have meant by the name of a spider that is not there."""
        from focused.topic.topic_file import topic_files

        if name == "topical":
            return "; to add ours, write ADDONS = {'focused.Addon': 300} into its settings"
        is_topic = name in topic_files(self.settings.get("FOCUSED_TOPICS_DIR") or None)
        return f"; did you mean: scrapy crawl topical -a topic={name}" if is_topic else ""

    def _run_topical(self, spider: type[TopicalSpider], arguments: Mapping[str, str]) -> None:
        """Search for seeds if the arguments ask for it, then crawl; set the exit code."""
        process = self.crawler_process
        mistakes: list[FocusedError] = []
        crawlers: list[Crawler] = []

        def note(error: BaseException | None) -> None:
            if isinstance(error, FocusedError):
                mistakes.append(error)
            elif error is not None:
                logger.critical("The crawl failed", exc_info=error)

        if SEVERAL in arguments:
            self._run_several(spider, arguments)
            return

        def crawl(error: BaseException | None = None) -> None:
            """Once the search is over, if there is one."""
            note(error)
            try:
                if words is not None and words.search is not None:
                    words.write()
                if not mistakes:
                    crawlers.append(process.create_crawler(spider))
            except FocusedError as mistake:
                note(mistake)
            if not mistakes:
                given = arguments if words is None else words.arguments
                begin_crawl(process, crawlers[0], given, note)

        words = self._words(arguments, note)
        if words is not None and words.search is not None:
            search = process.create_crawler(words.spider)
            begin_crawl(process, search, {"search": words.search}, crawl)
        elif not mistakes:
            crawl()
        if not mistakes:
            process.start()
        for mistake in mistakes:
            print(f"scrapy crawl: {printable(str(mistake), LINES)}", file=sys.stderr)
            settings = crawlers[0].settings if crawlers else self.settings
            if settings["LOG_FILE"]:  # all that is seen of a job of scrapyd
                logger.error("%s", mistake)
        failed = any(_ended_badly(crawler) for crawler in crawlers)
        if mistakes or failed or not crawlers or process.bootstrap_failed:
            self.exitcode = 1

    def _words(self, arguments: Mapping[str, str], note: Callable[[BaseException | None], None]) -> Any:
        """The search that comes before the crawl; None where the arguments ask for none, or have mistakes."""
        from focused.topic.topic_arguments import is_words

        if "search" not in arguments and not is_words(arguments.get("topic", "")):
            return None
        settings = self.settings.copy()
        add_own_defaults(settings)
        try:
            return wings.borrow("seeds.searching.new_topic", "-a search").from_words(arguments, settings, _tell)
        except FocusedError as error:
            note(error)
            return None

    def _run_several(self, spider: type[TopicalSpider], arguments: Mapping[str, str]) -> None:
        """Crawl several topics in this process; set the exit code, which is 1 if one of them could not be crawled."""
        from focused.topic.topic_arguments import topics_called

        settings = self.settings.copy()
        add_own_defaults(settings)
        rest = dict(arguments)
        try:
            together = wings.borrow("together.many_topics", f"-a {SEVERAL}")
            called = topics_called(rest.pop(SEVERAL), settings["FOCUSED_TOPICS_DIR"] or None)
            refuse_what_is_of_one(rest, settings)
        except FocusedError as mistake:
            _tell(f"scrapy crawl: {mistake}")
            self.exitcode = 1
            return

        def tell(why: str) -> None:
            _tell(f"scrapy crawl: {why}")
            if settings["LOG_FILE"]:
                logger.error("%s", why)

        topics = together.ManyTopics(self.crawler_process, spider, called, rest, tell)
        topics.start()
        self.crawler_process.start()
        topics.end()
        if topics.failed:
            self.exitcode = 1


def import_early() -> None:
    """Import two modules of Scrapy that look at every module for each frame of the stack, while there are few of both.

    It is their `create_deprecated_class`, which takes a quarter of a second where Scrapy itself would import them.
    """
    for name in ("tls", "contextfactory"):  # each by itself, so that no frames of the other lie below it
        import_module(f"scrapy.core.downloader.{name}")


def _ended_badly(crawler: Crawler) -> bool:
    began = getattr(crawler.spider, "session", None) is not None
    return bool(began and crawler.stats is not None and crawler.stats.get_value(ERROR_STAT))


def refuse_what_is_of_one(arguments: Mapping[str, str], settings: BaseSettings) -> None:
    """Raise TopicError for arguments, or a feed, that several topics cannot share."""
    from focused.topic.topic_arguments import OF_ONE_TOPIC

    own = [name for name in (*OF_ONE_TOPIC, "search") if name in arguments]
    if own:
        raise TopicError(
            f"-a {own[0]}: belongs to one topic; leave it out beside -a {SEVERAL}, or write it in the topic files"
        )
    for feed in settings.getdict("FEEDS"):
        if "%(" not in str(feed):
            raise TopicError(
                f"-o {feed}: all topics would write into it; name one for each, as in -o '%(topic_name)s.jsonl'"
            )


def _tell(line: str) -> None:
    print(printable(line, LINES), file=sys.stderr, flush=True)


def refuse(why: str) -> NoReturn:
    print(f"scrapy crawl: {why}", file=sys.stderr)
    sys.exit(2)


def why_not_writable(target: str) -> str:
    """Why a feed cannot be written to a file, told before a crawl is spent on it; empty where it can, or is no local file."""
    if "://" in target or target.startswith("-"):
        return ""
    path = Path(target if Path(target).suffix else target.rpartition(":")[0] or target)
    if path.is_dir():
        return "is a folder"
    there = next(folder for folder in (path, *path.absolute().parents) if folder.exists())
    return "" if os.access(there, os.W_OK) else f"{there} cannot be written to"


def is_ours(name: str, settings: BaseSettings) -> bool:
    """Whether the spider of this name is a topical one, or unknown, which is told when it is run."""
    settings = settings.copy()
    AddonManager.load_pre_crawler_settings(settings)  # which bring spiders, such as ours
    try:
        return issubclass(get_spider_loader(settings).load(name), TopicalSpider)
    except KeyError:
        return True
