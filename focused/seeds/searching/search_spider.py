"""Runs a search for seeds in Scrapy's engine, and keeps nothing."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from scrapy import Spider
from scrapy.crawler import AsyncCrawlerProcess, Crawler
from scrapy.settings import BaseSettings, Settings

from focused.collection.collection import data_folder
from focused.collection.trained_model import MODELS
from focused.exceptions import FocusedError, SearchError
from focused.live.logs import write_plain_logs
from focused.live.page_fetching import ABOVE_ALL, KEEPS_NOTHING
from focused.seeds.searching.search_options import SearchBudget
from focused.seeds.searching.search_providers import hubs_of_backlinks, open_providers
from focused.seeds.searching.seed_search import SeedCandidate, SeedJudge, SeedSearch, TellLine, chosen
from focused.seeds.searching.seed_sources import listed_in
from focused.seeds.searching.web_questions import WebQuestions
from focused.topic.project_settings import TOPIC_PRIORITY, add_topical_defaults
from focused.topic.topic import Topic

logger = logging.getLogger(__name__)


@dataclass
class RequestedSearch:
    """A search to be made, and what came of it.

    topic : what it is about; its seeds do not count
    specs : of providers
    sources : that a person has URLs in
    error : why it came to nothing
    """

    topic: Topic
    specs: Sequence[str]
    sources: Sequence[str]
    wish: SearchBudget
    tell: TellLine
    judged: list[SeedCandidate] = field(default_factory=list)
    questions: int = 0
    done: bool = False
    error: FocusedError | None = None

    @property
    def chosen(self) -> list[SeedCandidate]:
        return chosen(self.judged, self.wish)

    @property
    def seeds(self) -> list[SeedCandidate]:
        """The pages that are chosen. Raises SearchError where there are too few, or the search came to no end."""
        if self.error is not None:
            raise self.error
        if not self.done:
            raise SearchError("the search was interrupted; nothing is written")
        if not self.judged:
            raise SearchError("no provider named a page that may be asked; see above")
        seeds = self.chosen
        if len(seeds) < self.wish.least:
            raise SearchError(
                f"{len(seeds)} of {len(self.judged)} pages that were looked at are relevant, and {self.wish.least} are wanted; "
                "nothing is written: try other words, or another provider"
            )
        return seeds


class SeedSearchSpider(Spider):
    """Makes a `RequestedSearch`."""

    name = "seed_search"

    def __init__(self, search: RequestedSearch, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.search, self.topic = search, search.topic

    @classmethod
    def update_settings(cls, settings: BaseSettings) -> None:
        super().update_settings(settings)
        add_topical_defaults(settings)
        settings.setdict({"SCHEDULER": "scrapy.core.scheduler.Scheduler", "LOG_LEVEL": "WARNING"}, "spider")
        settings.setdict(KEEPS_NOTHING, ABOVE_ALL)

    @classmethod
    def from_crawler(cls, crawler: Crawler, *args: Any, **kwargs: Any) -> SeedSearchSpider:
        search: RequestedSearch = kwargs["search"]
        crawler.settings.setdict(search.topic.settings, priority=TOPIC_PRIORITY)
        return super().from_crawler(crawler, *args, **kwargs)

    async def start(self) -> AsyncIterator[Any]:
        write_plain_logs()
        try:
            await self._make()
            self.search.done = True
        except FocusedError as error:
            self.search.error = error
        except asyncio.CancelledError:
            raise
        except Exception:
            logger.exception("The search failed")
            self.search.error = SearchError("the search failed, which is a mistake of focused; the log says where")
        if False:  # a generator, which yields nothing
            yield

    async def _make(self) -> None:
        search, web, data = self.search, WebQuestions(self.crawler), data_folder(self.crawler.settings)
        judge = SeedJudge(search.topic, data / MODELS)
        providers = open_providers(search.specs, web, judge.reader, data)
        providers.hubs += hubs_of_backlinks(self.topic, judge.reader.rules, self.crawler.settings)
        listed = [
            found for one in search.sources if (found := await listed_in(one, data, web, search.tell)) is not None
        ]
        making = SeedSearch(judge, providers, web, search.wish, search.tell)
        search.judged = making.judged
        await making.run(listed)
        search.questions = making.questions


def make_search(search: RequestedSearch, settings: Settings) -> None:
    """Make a search and return when it is over. It starts Twisted's reactor, so that a process can do it once."""
    process = AsyncCrawlerProcess(settings)
    process.crawl(SeedSearchSpider, search=search)
    process.start()
