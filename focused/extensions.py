"""Extensions: the session that all other components share, the Crawl-delay of robots.txt, and the types of content fetched."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import Any, Self

from scrapy import Request, signals
from scrapy.crawler import Crawler
from scrapy.exceptions import CloseSpider, NotConfigured, StopDownload
from scrapy.http import Headers
from scrapy.robotstxt import RobotParser
from scrapy.utils.asyncio import create_looping_call
from scrapy.utils.httpobj import urlparse_cached

from focused.errors import StorageError
from focused.items import PageItem
from focused.session import Session
from focused.spiders.topical import TopicalSpider

logger = logging.getLogger(__name__)

ID = "focused_id"  #: request.meta key: id of the URL that was picked; retries and redirects carry it on
STOP_STAT = "focused/stop_reason"
ERROR_STAT = "focused/error"


class CrawlSession:
    """Owns the session: opens it before anything is fetched, commits about once a second, ends it with its reason."""

    def __init__(self, crawler: Crawler, session: Session) -> None:
        self.crawler, self.session = crawler, session
        self._commits = create_looping_call(self.commit)
        self._interval = crawler.settings.getfloat("FOCUSED_COMMIT_SECONDS")

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Raises StorageError when the collection cannot be used, NotConfigured for a spider that has no topic."""
        spider, settings = crawler.spider, crawler.settings
        if not isinstance(spider, TopicalSpider):
            raise NotConfigured("the spider has no topic")
        session = Session(
            spider.topic,
            Path(settings["FOCUSED_DATA_DIR"]) / spider.topic.name,
            fresh=spider.fresh,
            user_agent=settings["USER_AGENT"],
            snapshot_every=settings.getint("FOCUSED_SNAPSHOT_PAGES"),
        )
        spider.session = session
        extension = cls(crawler, session)
        connect = crawler.signals.connect
        connect(extension.opened, signals.spider_opened)
        connect(extension.idle, signals.spider_idle)
        connect(extension.closed, signals.spider_closed)
        connect(extension.item_lost, signals.item_dropped)
        connect(extension.item_lost, signals.item_error)
        return extension

    def opened(self) -> None:
        self._commits.start(self._interval, now=False)

    def idle(self) -> None:
        """Close the spider with the reason why nothing is left to do."""
        raise CloseSpider(self.session.stop_reason() or "finished")

    def commit(self) -> None:
        """Commit; a collection that can no longer be written to ends the crawl with one clear line."""
        try:
            self.session.commit()
        except StorageError as error:
            self.fail(error)

    def fail(self, error: StorageError) -> None:
        """Stop the crawl: what was committed is safe, what came later is fetched again by the next run."""
        if self.session.error is None:
            self.session.error = str(error)
            logger.error("%s", error)

    def item_lost(self, item: Any, **kwargs: Any) -> None:
        """A pipeline gave up an item: a page is written down all the same, unless the disk is what failed."""
        if isinstance(item, PageItem):
            failure = kwargs.get("failure")
            if failure is not None and isinstance(failure.value, StorageError):
                self.fail(failure.value)
            else:
                self.session.write(item.record)

    def closed(self, reason: str) -> None:
        if self._commits.running:
            self._commits.stop()
        reason = self.session.error or reason
        self.session.close(reason)
        self.crawler.stats.set_value(STOP_STAT, reason)
        if self.session.error:
            self.crawler.stats.set_value(ERROR_STAT, self.session.error)


def session_of(crawler: Crawler) -> Session:
    """The session of a crawl.

    Raises NotConfigured where the spider has no topic, so that the components of focused leave other spiders alone.
    """
    spider = crawler.spider
    if not isinstance(spider, TopicalSpider):
        raise NotConfigured("the spider has no topic")
    return spider.session


class CrawlDelay:
    """Obeys Crawl-delay in robots.txt, which Scrapy reads but does not apply, and keeps it for later runs."""

    def __init__(self, crawler: Crawler, session: Session) -> None:
        self.crawler, self.session = crawler, session
        self.longest = crawler.settings.getfloat("FOCUSED_MAX_CRAWL_DELAY")
        self.agent = crawler.settings["ROBOTSTXT_USER_AGENT"] or crawler.settings["USER_AGENT"]
        self._delays = {name: delay for name, delay in session.store.hosts() if delay}

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        if not crawler.settings.getbool("ROBOTSTXT_OBEY"):
            raise NotConfigured("ROBOTSTXT_OBEY is off")
        extension = cls(crawler, session_of(crawler))
        crawler.signals.connect(extension.opened, signals.spider_opened)
        crawler.signals.connect(extension.parsed, signals.robots_parsed)
        crawler.signals.connect(extension.left, signals.request_left_downloader)
        return extension

    def opened(self) -> None:
        for host in self._delays:
            self._apply(host)

    def parsed(self, robotparser: RobotParser, request: Request) -> None:
        """Take the delay from a robots.txt; a change is written down."""
        delay = robotparser.crawl_delay(self.agent)
        host = urlparse_cached(request).hostname or ""
        if not delay:
            return
        if delay > self.longest:
            logger.warning("%s asks for a Crawl-delay of %g s; %g s are kept", host, delay, self.longest)
        delay = min(float(delay), self.longest)
        if self._delays.get(host) != delay:
            self._delays[host] = delay
            self.session.crawl_delay(host, delay)
        self._apply(host)

    def left(self, request: Request) -> None:
        """AutoThrottle may have pulled the delay down after a response."""
        if self._delays:
            self._apply(urlparse_cached(request).hostname or "")

    def _apply(self, host: str) -> None:
        delay, downloader = self._delays.get(host), self.crawler.engine.downloader
        if delay is None:
            return
        known = downloader.per_slot_settings.setdefault(host, {})
        known["delay"] = max(delay, float(known.get("delay", self.crawler.settings.getfloat("DOWNLOAD_DELAY"))))
        known.setdefault("jitter", 0.0)
        slot = downloader.slots.get(host)
        if slot is not None and slot.delay < delay:
            slot.delay = delay


class ContentTypes:
    """Stops a download whose header tells a content type outside the topic's scope, before its body arrives."""

    def __init__(self, types: tuple[str, ...]) -> None:
        self.types = types

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        types = session_of(crawler).topic.scope.content_types
        if not types:
            raise NotConfigured("all content types are in scope")
        extension = cls(types)
        crawler.signals.connect(extension.arrived, signals.headers_received)
        return extension

    def arrived(self, headers: Headers, request: Request) -> None:
        """Raises StopDownload for a page (not a robots.txt, not a redirect's or an error's body) of another type."""
        content_type = headers.get("Content-Type")
        if content_type is None or ID not in request.meta or "Location" in headers:
            return
        media_type = content_type.decode("latin-1").partition(";")[0].strip().lower()
        if media_type and media_type not in self.types:
            raise StopDownload(fail=True)
