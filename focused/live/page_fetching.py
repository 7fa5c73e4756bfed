"""Fetches a few pages for a command, politely and with plain Scrapy; keeps nothing."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Sequence
from typing import Any, ClassVar

from scrapy import Request, Spider
from scrapy.crawler import AsyncCrawlerProcess
from scrapy.http import Response
from scrapy.settings import Settings
from twisted.python.failure import Failure

from focused.live.logs import write_plain_logs
from focused.live.reasons import reason_of
from focused.topic.project_settings import TOPIC_PRIORITY, add_topical_defaults
from focused.topic.topic import Topic

ABOVE_ALL = 100  #: as a priority of settings, above the command line, whose settings must keep no page either
KEEPS_NOTHING: dict[str, Any] = {
    "SPIDER_MIDDLEWARES": {},
    "ITEM_PIPELINES": {},
    "EXTENSIONS": {"focused.extensions.CrawlDelayOfPages": 0, "focused.live.ipv6_literals.ReachIPv6": 0},
    "FEEDS": {},  # one that is overwritten would lose what it holds
}
TakeIn = Callable[[str, Response], None]  #: called with a URL and its response, after redirects
Fail = Callable[[str, str], None]  #: called with a URL and why it gave none


class PageSpider(Spider):
    """Asks for each URL once."""

    name = "page_fetching"
    custom_settings: ClassVar[dict[str, Any]] = {  # type: ignore[misc]  # Scrapy declares it for instances
        "SCHEDULER": "scrapy.core.scheduler.Scheduler",
        "LOG_LEVEL": "WARNING",
    }

    def __init__(self, urls: Sequence[str], topic: Topic, take_in: TakeIn, fail: Fail, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.urls, self.topic, self.take_in, self.fail = urls, topic, take_in, fail

    async def start(self) -> AsyncIterator[Any]:
        write_plain_logs()
        for url in self.urls:
            yield Request(url, self.parse, errback=self.failed, cb_kwargs={"asked": url}, dont_filter=True)

    def parse(self, response: Response, asked: str = "", **kwargs: Any) -> None:
        self.take_in(asked, response)

    def failed(self, failure: Failure) -> None:
        request: Request = failure.request  # type: ignore[attr-defined]
        self.fail(request.cb_kwargs["asked"], reason_of(failure)[0])


def fetch_pages(urls: Sequence[str], topic: Topic, settings: Settings, take_in: TakeIn, fail: Fail) -> None:
    """Fetch canonical URLs with the settings of the project and the topic; returns when all have come to their end.

    It starts Twisted's reactor, so that a process can do it once.
    """
    settings = settings.copy()
    add_topical_defaults(settings)
    settings.setdict(topic.settings, priority=TOPIC_PRIORITY)
    settings.setdict(KEEPS_NOTHING, ABOVE_ALL)
    process = AsyncCrawlerProcess(settings)
    process.crawl(PageSpider, urls=urls, topic=topic, take_in=take_in, fail=fail)
    process.start()
