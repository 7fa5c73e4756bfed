"""Runs the agent in Scrapy's engine, which fetches pages ahead as those of a crawl, beside a server for the extension."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator
from typing import Any

import uvicorn
from scrapy import Request, Spider, signals
from scrapy.crawler import AsyncCrawlerProcess, Crawler
from scrapy.exceptions import StopDownload
from scrapy.http import Headers, Response
from scrapy.settings import BaseSettings, Settings

from focused.desk.agent.agent import Agent
from focused.desk.agent.agent_app import agent_app
from focused.desk.agent.common_words import words_of_collection
from focused.desk.agent.links_ahead import Ahead
from focused.desk.agent.looking_ahead import LOOKING_AHEAD, LookingAhead
from focused.desk.agent.pairing import Pairing
from focused.live.courtesy import Courtesy
from focused.live.page_fetching import ABOVE_ALL, KEEPS_NOTHING
from focused.live.plain_logs import write_plain_logs
from focused.live.responses import headers_of
from focused.page.decoding import HTML_TYPES, declared_type
from focused.page.reader import Reader
from focused.topic.project_settings import TOPIC_PRIORITY, add_topical_defaults
from focused.topic.topic import Topic

CONNECTIONS = 64  #: of the extension at a time; it needs two or three
PAGES = (*HTML_TYPES, "text/plain")


class AgentSpider(Spider):
    """Fetches nothing by itself."""

    name = "browsing_agent"

    def __init__(self, agent: Agent, reader: Reader, pairing: Pairing, listener: socket.socket, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.agent, self.reader, self.pairing, self.listener = agent, reader, pairing, listener
        self.topic: Topic = agent.topic

    @classmethod
    def update_settings(cls, settings: BaseSettings) -> None:
        super().update_settings(settings)
        add_topical_defaults(settings)
        settings.setdict({"SCHEDULER": "scrapy.core.scheduler.Scheduler", "LOG_LEVEL": "WARNING"}, "spider")
        settings.setdict(KEEPS_NOTHING, ABOVE_ALL)
        settings.set("CONCURRENT_REQUESTS_PER_DOMAIN", 1, ABOVE_ALL)  # nobody reads faster
        settings.set("HTTPCACHE_ENABLED", False, ABOVE_ALL)  # which would outlive what is forgotten

    @classmethod
    def from_crawler(cls, crawler: Crawler, *args: Any, **kwargs: Any) -> AgentSpider:
        agent: Agent = kwargs["agent"]
        crawler.settings.setdict(agent.topic.settings, priority=TOPIC_PRIORITY)
        spider = super().from_crawler(crawler, *args, **kwargs)
        crawler.signals.connect(spider.headers_came, signals.headers_received)
        return spider

    async def start(self) -> AsyncIterator[Any]:
        write_plain_logs()
        agent, settings = self.agent, self.crawler.settings
        courtesy = Courtesy(
            agent.diary,
            longest_delay=settings.getfloat("FOCUSED_MAX_CRAWL_DELAY"),
            longest_wait=settings.getfloat("FOCUSED_MAX_RETRY_AFTER"),
        )
        agent.looking = LookingAhead(self.crawler, courtesy, agent.diary.execute, self.arrived, agent.redirected)
        background = asyncio.create_task(self.learn_the_background())
        await _serve(agent, self.pairing, self.listener)
        background.cancel()
        nothing: tuple[Any, ...] = ()
        for request in nothing:
            yield request

    async def learn_the_background(self) -> None:
        """Read pages of the collection, in a thread: somebody may be reading already."""
        folder = self.agent.diary.path.parent
        reader = Reader(self.topic.reading, keep=self.topic.keywords_by_language)
        self.agent.knows_words(await asyncio.to_thread(lambda: list(words_of_collection(folder, reader))))

    def arrived(self, link: Ahead, response: Response) -> None:
        self.agent.arrived(link, response.body, *headers_of(response))

    def headers_came(self, headers: Headers, request: Request) -> None:
        """Raises StopDownload for what is no page, before its body arrives."""
        kind = declared_type((headers.get("Content-Type") or b"").decode("latin-1"))
        if LOOKING_AHEAD in request.meta and kind and kind not in PAGES:
            raise StopDownload(fail=False)


async def _serve(agent: Agent, pairing: Pairing, listener: socket.socket) -> None:
    """Answer the extension until Ctrl-C or SIGTERM, which then end the engine too."""
    config = uvicorn.Config(
        agent_app(agent, pairing, listener.getsockname()[1]),
        log_level="warning",
        access_log=False,
        server_header=False,
        lifespan="off",
        ws="none",
        limit_concurrency=CONNECTIONS,
        timeout_graceful_shutdown=1,
    )
    await uvicorn.Server(config).serve(sockets=[listener])


def run_agent(agent: Agent, reader: Reader, pairing: Pairing, listener: socket.socket, settings: Settings) -> None:
    """Run until a person ends it. It starts Twisted's reactor, so that a process can do it once."""
    process = AsyncCrawlerProcess(settings)
    process.crawl(AgentSpider, agent=agent, reader=reader, pairing=pairing, listener=listener)
    process.start()
