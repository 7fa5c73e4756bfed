"""Runs the agent in Scrapy's engine, beside a server for the extension, and fetches pages ahead as politely as a crawl.

The same robots.txt, delays, addresses and wishes of hosts hold, by the same code. There is one request in flight per host, and per
machine where several hosts lie on one. What a person has left behind is not looked at any more: the newest page's links go first,
and few wait.
"""

from __future__ import annotations

import asyncio
import logging
import socket
import time
from collections import Counter, deque
from collections.abc import AsyncIterator, Callable, Sequence
from time import monotonic
from typing import Any

import uvicorn
from scrapy import Request, Spider, signals
from scrapy.crawler import AsyncCrawlerProcess, Crawler
from scrapy.exceptions import StopDownload
from scrapy.http import Headers, Response
from scrapy.http.request import NO_CALLBACK
from scrapy.settings import Settings
from twisted.python.failure import Failure

from focused.crawl.politeness import Politeness
from focused.desk.agent.agent import Agent
from focused.desk.agent.agent_app import Pairing, agent_app
from focused.desk.agent.interest import words_of_collection
from focused.desk.agent.links_ahead import Ahead
from focused.exceptions import FocusedError
from focused.live.courtesy import Courtesy, LiveManners, seconds_to_wait
from focused.live.host_addresses import HostAddresses
from focused.live.logs import write_plain_logs
from focused.live.page_fetching import ABOVE_ALL, KEEPS_NOTHING, PageSpider
from focused.live.reasons import kind_of, reason_of
from focused.live.responses import headers_of
from focused.live.scrapy_engine import ScrapyEngine
from focused.page.media_types import HTML_TYPES, declared_type
from focused.page.reader import Reader
from focused.topic.project_settings import TOPIC_PRIORITY, add_topical_defaults
from focused.topic.topic import Topic

logger = logging.getLogger(__name__)

AT_ONCE = 4  #: requests in flight, to all hosts
MOST_WAITING = 40  #: links that wait; the last go
MOST_HOPS = 3
MOST_BYTES = 2_000_000
REDIRECTS, BUSY, TOO_MANY = (301, 302, 303, 307, 308), (429, 503), 429
LOOKING_AHEAD = "focused_looking_ahead"  #: of a request: it is one of ours, of which only pages are downloaded
PER_HOUR = 200  #: requests, those for robots.txt apart
PER_HOST_AND_HOUR = 60
HOUR = 3_600.0  #: seconds
CONNECTIONS = 64  #: of the extension at a time; it needs two or three
PAGES = (*HTML_TYPES, "text/plain")


class LookingAhead:
    """Fetches links for an agent, each once, by the engine of a crawler.

    failures : how many links gave no page, by reason
    """

    def __init__(self, crawler: Crawler, agent: Agent) -> None:
        settings = crawler.settings
        self._crawler, self._engine, self._agent = crawler, ScrapyEngine(crawler), agent
        self._courtesy = Courtesy(
            agent.diary,
            longest_delay=settings.getfloat("FOCUSED_MAX_CRAWL_DELAY"),
            longest_wait=settings.getfloat("FOCUSED_MAX_RETRY_AFTER"),
        )
        self._manners = LiveManners(self._engine, self._courtesy)
        self._politeness = Politeness[Ahead](Held(), self._manners, monotonic, self._plan)
        self._host_addresses = HostAddresses.of(crawler, self._lies_on, AT_ONCE)
        self._busy_seconds = settings.getfloat("FOCUSED_BUSY_SECONDS")
        self._waiting: deque[Ahead] = deque()
        self._tasks: set[asyncio.Task[None]] = set()
        self._hour = LastHour(monotonic)
        self._number = 0
        self._era = 0  # grows when all is given up: what was asked for before is of no interest then
        self.failures: Counter[str] = Counter()
        self._manners.begin()

    @property
    def waiting(self) -> int:
        """Links that wait or are being fetched."""
        return len(self._waiting) + len(self._tasks)

    @property
    def in_the_last_hour(self) -> int:
        """Requests."""
        return len(self._hour)

    def add(self, links: Sequence[Ahead], *, behind: bool = False) -> None:
        """Look at these before those that wait, or behind them."""
        if behind:
            self._waiting.extend(links)
        else:
            self._waiting.extendleft(reversed(links))
        while len(self._waiting) > MOST_WAITING:
            self._waiting.pop()
        self._go_on()

    def give_up(self) -> None:
        """Look at nothing that waits, and take no notice of what is on its way."""
        self._waiting.clear()
        self._era += 1

    def _go_on(self) -> None:
        for link in list(self._waiting):
            if len(self._tasks) >= AT_ONCE:
                return
            if not (self._host_addresses.knows(link.host) and self._politeness.may_ask(link.host)):
                continue
            self._waiting.remove(link)
            if not self._hour.take(link.host):
                self.failures["hourly limit"] += 1
                continue
            self._number += 1
            self._politeness.take(self._number, link.host)
            task = asyncio.get_running_loop().create_task(self._fetch(self._number, link, self._era))
            self._tasks.add(task)
            task.add_done_callback(self._done)

    async def _fetch(self, number: int, link: Ahead, era: int) -> None:
        try:
            response = await self._answer(link)
        finally:
            self._politeness.leave(number)
            for query, values in self._manners.statements():
                if any(values[2:]):  # a host that wants nothing is none of our business once it was asked
                    self._agent.diary.execute(query, values)
        if response is not None and era == self._era:
            self._take_in(link, response)

    async def _answer(self, link: Ahead) -> Response | None:
        engine = self._crawler.engine
        assert engine is not None  # it runs
        meta: dict[str, Any] = {
            LOOKING_AHEAD: True,
            "dont_redirect": True,  # a redirect is a link of its own: to be judged, and with the delay of its host
            "dont_retry": True,
            "download_maxsize": MOST_BYTES,
            "download_warnsize": 0,
        }
        try:
            return await engine.download_async(Request(link.url, NO_CALLBACK, meta=meta, dont_filter=True))
        except Exception as error:
            self.failures[kind_of(reason_of(Failure(error))[0])] += 1  # type: ignore[no-untyped-call]
            return None

    def _take_in(self, link: Ahead, response: Response) -> None:
        if response.status in BUSY:
            self._leave_alone(link.host, response)
        location = (response.headers.get("Location") or b"").decode("latin-1")
        if response.status in REDIRECTS and location and link.hops < MOST_HOPS:
            target = self._agent.redirected(link, response.urljoin(location))
            if target is not None:
                self._waiting.appendleft(target)
        elif response.status == 200:
            self._agent.arrived(link, response.body, *headers_of(response))
        else:
            self.failures[f"http {response.status}"] += 1

    def _leave_alone(self, host: str, response: Response) -> None:
        asked = seconds_to_wait(response.headers.get("Retry-After"), time.time())
        if asked is not None or response.status == TOO_MANY:
            self._engine.keep_delay(host, self._courtesy.slow_down(host, self._engine.delay(host)), 0.0)
        self._courtesy.leave_alone(host, self._busy_seconds if asked is None else asked)
        self._waiting = deque(link for link in self._waiting if link.host != host)

    def _done(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()):
            logger.error("A page ahead: %s", error, exc_info=None if isinstance(error, FocusedError) else error)
        self._go_on()

    def _plan(self, moment: float, host: str) -> None:
        asyncio.get_running_loop().call_later(max(0.0, moment - monotonic()), self._wake, host)

    def _wake(self, host: str) -> None:
        self._politeness.wake(host)
        self._go_on()

    def _lies_on(self, host: str, machine: str | None) -> None:
        if machine is not None:
            self._politeness.lies_on(host, machine)
        asyncio.get_running_loop().call_soon(self._go_on)  # an address in numbers is known at once


class Held:
    """`Holds` of somebody who asks each host only after `Politeness.may_ask`."""

    def hold(self, host: str, *, away: bool = False) -> None:
        pass

    def release(self, host: str) -> None:
        pass

    def lies_on(self, host: str, machine: str) -> None:
        pass


class LastHour:
    """The requests of the last hour.

    clock : seconds; never goes back
    """

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._sent: deque[tuple[float, str]] = deque()

    def __len__(self) -> int:
        while self._sent and self._sent[0][0] <= self._clock() - HOUR:
            self._sent.popleft()
        return len(self._sent)

    def take(self, host: str) -> bool:
        """Note a request to a host; False where it may bring no more."""
        if len(self) >= PER_HOUR or sum(asked == host for _, asked in self._sent) >= PER_HOST_AND_HOUR:
            return False
        self._sent.append((self._clock(), host))
        return True


class AgentSpider(Spider):
    """Fetches nothing by itself."""

    name = "browsing_agent"
    custom_settings = PageSpider.custom_settings

    def __init__(self, agent: Agent, pairing: Pairing, listener: socket.socket, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.agent, self.pairing, self.listener = agent, pairing, listener
        self.topic: Topic = agent.topic

    async def start(self) -> AsyncIterator[Any]:
        write_plain_logs()
        self.crawler.signals.connect(self.headers_came, signals.headers_received)
        self.agent.looking = LookingAhead(self.crawler, self.agent)
        background = asyncio.create_task(self.learn_the_background())
        config = uvicorn.Config(
            agent_app(self.agent, self.pairing, self.listener.getsockname()[1]),
            log_level="warning",
            access_log=False,
            server_header=False,
            lifespan="off",
            ws="none",
            limit_concurrency=CONNECTIONS,
            timeout_graceful_shutdown=1,
        )
        await uvicorn.Server(config).serve(
            sockets=[self.listener]
        )  # until Ctrl-C or SIGTERM, which then end the engine too
        background.cancel()
        if False:  # a generator, which yields nothing
            yield

    async def learn_the_background(self) -> None:
        """Read pages of the collection, in a thread: somebody may be reading already."""
        folder = self.agent.diary.path.parent
        reader = Reader(self.topic.reading, keep=self.topic.keywords_by_language)
        for words in await asyncio.to_thread(lambda: list(words_of_collection(folder, reader))):
            self.agent.knows_words(words)

    def headers_came(self, headers: Headers, request: Request) -> None:
        """Raises StopDownload for what is no page, before its body arrives."""
        kind = declared_type((headers.get("Content-Type") or b"").decode("latin-1"))
        if LOOKING_AHEAD in request.meta and kind and kind not in PAGES:
            raise StopDownload(fail=False)


def run_agent(agent: Agent, pairing: Pairing, listener: socket.socket, settings: Settings) -> None:
    """Run until a person ends it. It starts Twisted's reactor, so that a process can do it once."""
    settings = settings.copy()
    add_topical_defaults(settings)
    settings.setdict(agent.topic.settings, TOPIC_PRIORITY)
    settings.setdict(KEEPS_NOTHING, ABOVE_ALL)
    settings.set("CONCURRENT_REQUESTS_PER_DOMAIN", 1, ABOVE_ALL)  # nobody reads faster
    settings.set("HTTPCACHE_ENABLED", False, ABOVE_ALL)  # which would outlive what is forgotten
    process = AsyncCrawlerProcess(settings)
    process.crawl(AgentSpider, agent=agent, pairing=pairing, listener=listener)
    process.start()
