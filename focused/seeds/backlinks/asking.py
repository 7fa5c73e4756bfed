"""The extension that answers a strategy's questions for backlinks while a crawl goes on: in a thread, never in its way."""

from __future__ import annotations

import logging
import threading
from typing import Self

from scrapy import signals
from scrapy.crawler import Crawler
from scrapy.exceptions import DontCloseSpider, NotConfigured
from scrapy.utils.asyncio import create_looping_call
from twisted.internet.threads import deferToThread
from twisted.python.failure import Failure

from focused.collection.collection import data_folder
from focused.crawl.backlinks import Backlinks
from focused.crawl.events import BacklinksNamed
from focused.exceptions import FocusedError
from focused.live.robots.robot import obedient_as
from focused.live.scrapy_engine import ScrapyEngine
from focused.live.session import Session, session_of

logger = logging.getLogger(__name__)

INTERVAL = 1.0  #: seconds between two looks at what the strategy wants to know


class AskForBacklinks:
    """Asks the topic's provider, one question at a time; each answer is an event of the crawl.

    A question without an answer when the crawl ends is asked again by the next run. One that the provider fails to answer is
    answered with nothing.
    """

    def __init__(self, crawler: Crawler, session: Session, provider: Backlinks, stopped: threading.Event) -> None:
        self.crawler, self.session, self.provider = crawler, session, provider
        self._stopped = stopped
        self._loop = create_looping_call(self.ask)
        self._under_way: list[int] = []  # ids of the URLs that the provider is being asked about
        self._warned = False

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Raises BacklinkError or StorageError where the provider cannot be opened, NotConfigured where there is none."""
        session, stopped = session_of(crawler), threading.Event()
        if session.topic.backlinks.provider == "none":
            raise NotConfigured
        from focused.seeds.backlinks.providers import open_backlinks  # which few topics need

        settings = crawler.settings
        provider = open_backlinks(
            session.topic,
            session.reader.rules,
            data_folder(settings),
            user_agent=settings["USER_AGENT"],
            robot=obedient_as(settings),
            pause=stopped.wait,
        )
        assert provider is not None
        extension = cls(crawler, session, provider, stopped)
        crawler.signals.connect(extension.opened, signals.spider_opened)
        crawler.signals.connect(extension.idle, signals.spider_idle)
        crawler.signals.connect(extension.closed, signals.spider_closed)
        return extension

    def opened(self) -> None:
        self._loop.start(INTERVAL, now=True)

    def idle(self) -> None:
        """Keep the spider open as long as an answer may bring something to fetch."""
        if self.session.crawl.asking and self.session.stop() is None:
            raise DontCloseSpider

    def closed(self) -> None:
        self._stopped.set()
        if self._loop.running:
            self._loop.stop()

    def ask(self) -> None:
        """Begin to ask for what is wanted, unless the last question is still open."""
        crawl = self.session.crawl
        if self._under_way or not crawl.asking or self._stopped.is_set() or self.session.error:
            return
        self._under_way = list(crawl.asking)[: self.provider.batch]
        urls = [self.session.store.url(url) for url in self._under_way]
        answer = deferToThread(self.provider.backlinks_of, urls)
        answer.addErrback(self._failed, urls)
        answer.addCallback(self._answered, urls)

    def _failed(self, failure: Failure, urls: list[str]) -> dict[str, list[str]]:
        """An answer with nothing in it; any other error than those of a provider is a bug, and told as one."""
        if not isinstance(failure.value, FocusedError):
            logger.error("Asking for backlinks failed", exc_info=(failure.type, failure.value, failure.tb))  # type: ignore[arg-type]
        elif not self._warned:
            logger.warning("No backlinks: %s. The crawl goes on; further failures are not shown", failure.value)
        self._warned = True
        return {url: [] for url in urls}

    def _answered(self, found: dict[str, list[str]], urls: list[str]) -> None:
        asked, self._under_way = self._under_way, []
        if self._stopped.is_set():
            return
        rules = self.session.reader.rules
        for url, text in zip(asked, urls, strict=True):
            self.session.apply(BacklinksNamed(url, [rules.address(canonical) for canonical in found[text]]))
        ScrapyEngine(self.crawler).look_again()
        self.ask()
