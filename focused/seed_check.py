"""`scrapy topics check`: fetch a topic's seeds and show what they are worth, before any budget is spent."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass, field
from typing import Any, ClassVar

from scrapy import Request, Spider
from scrapy.crawler import AsyncCrawlerProcess
from scrapy.http import Response
from scrapy.settings import Settings
from twisted.python.failure import Failure

from focused.crawl.assemble import assemble
from focused.crawl.crawl import Address, Crawl
from focused.reading.page import Unreadable
from focused.reading.reader import Reader
from focused.reading.urls import host_of
from focused.reasons import reason_of
from focused.spiders.topical import TOPIC_PRIORITY
from focused.storage.collection import data_folder
from focused.topic import Topic
from focused.trained_model import MODELS

BEST_LINKS = 20  #: links shown


@dataclass(slots=True)
class SeedCheck:
    """What came of fetching the seeds, in a core of its own that nothing is stored from."""

    topic: Topic
    reader: Reader
    crawl: Crawl
    texts: dict[int, str] = field(default_factory=dict)  #: URL of each id
    lines: list[str] = field(default_factory=list)  #: one a seed
    pages: int = 0

    def take_in(self, seed: str, url: int, response: Response) -> None:
        """Read a seed's response and score its links."""
        content_type = (response.headers.get("Content-Type") or b"").decode("latin-1")
        page = self.reader.read(response.url, response.body, content_type)
        if isinstance(page, Unreadable):
            self.fail(seed, url, page.reason)
            return
        arrival = self.crawl.fetched(url, page, len(response.body))
        visit = arrival.visit
        self.pages += 1
        self.texts.update((int(visit.targets[i]), link.url) for i, link in enumerate(page.links))
        followed = int((arrival.scores == arrival.scores).sum())  # NaN, for a link not followed, differs from itself
        verdict = "relevant" if visit.relevant else "NOT RELEVANT"
        moved = f" -> {page.url}" if page.url != seed else ""
        self.lines.append(
            f"  {visit.relevance:.3f}  {verdict:<12}  {len(page.links):>5,} links, {followed:>5,} in scope  {seed}{moved}"
        )

    def fail(self, seed: str, url: int, reason: str) -> None:
        self.crawl.failed(url)
        self.lines.append(f"      -  FAILED        {reason}  {seed}")

    def report(self) -> Iterator[str]:
        """Yield what a person should know before the crawl, line by line."""
        relevance = self.topic.relevance
        yield f"Seeds by relevance ({relevance.model}, threshold {relevance.threshold:g}):"
        yield from sorted(self.lines, reverse=True)
        ids, scores = self.crawl.frontier.waiting()
        yield ""
        yield f"The best of {len(ids):,} links, by {self.topic.strategy}:"
        parts = self.crawl.strategy.parts
        for url, score in zip(ids[:BEST_LINKS].tolist(), scores[:BEST_LINKS].tolist(), strict=True):
            named = zip(parts, self.crawl.frontier.parts(url), strict=True)
            yield f"  {score:.3f}  {self.texts[url]}  ({', '.join(f'{name} {part:.3f}' for name, part in named)})"


class SeedSpider(Spider):
    """Fetches the seeds of a topic, politely and with plain Scrapy; keeps nothing."""

    name = "seed_check"
    custom_settings: ClassVar[dict[str, Any]] = {  # type: ignore[misc]  # Scrapy declares it for instances
        "SCHEDULER": "scrapy.core.scheduler.Scheduler",
        "SPIDER_MIDDLEWARES": {},
        "ITEM_PIPELINES": {},
        "EXTENSIONS": {},
        "LOG_LEVEL": "WARNING",
    }

    def __init__(self, check: SeedCheck, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.check = check

    async def start(self) -> AsyncIterator[Any]:
        rules = self.check.reader.rules
        canonical = dict.fromkeys(url for seed in self.check.topic.seeds if (url := rules.canonical(seed)))
        addresses = [Address(rules.key(url), host_of(url), url) for url in canonical]
        self.check.crawl.start(addresses)
        for address in addresses:
            pick = self.check.crawl.pick(self.check.crawl.urls.find(address.key))
            about = {"seed": address.url, "url": pick.id}
            yield Request(address.url, self.parse, errback=self.failed, cb_kwargs=about, dont_filter=True)

    def parse(self, response: Response, seed: str = "", url: int = 0, **kwargs: Any) -> None:
        self.check.take_in(seed, url, response)

    def failed(self, failure: Failure) -> None:
        request: Request = failure.request  # type: ignore[attr-defined]
        self.check.fail(request.cb_kwargs["seed"], request.cb_kwargs["url"], reason_of(failure)[0])


def check_seeds(topic: Topic, settings: Settings) -> SeedCheck:
    """Fetch the seeds of a topic with the settings of the project and the topic; return what came of it."""
    reader, crawl = assemble(topic, models=data_folder(settings) / MODELS)
    check = SeedCheck(topic, reader, crawl)
    settings = settings.copy()
    settings.setdict(topic.settings, priority=TOPIC_PRIORITY)
    process = AsyncCrawlerProcess(settings)
    process.crawl(SeedSpider, check=check)
    process.start()
    return check
