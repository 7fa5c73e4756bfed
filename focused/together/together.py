"""The topics that are crawled in one process, and what they share: hosts and their wishes, robots.txt, places among all.

Each topic is crawled as if it were alone: by its own engine, session and collection. So one that fails takes no other with it.
"""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from typing import Any

from scrapy.settings import BaseSettings
from scrapy.utils.defer import maybe_deferred_to_future
from twisted.internet.defer import Deferred

from focused.crawl.politeness import Traffic
from focused.exceptions import FocusedError
from focused.live.courtesy import Wish
from focused.live.robots.known import A_DAY
from focused.live.robots.requesting import Heard
from focused.live.session import Session
from focused.live.shared_run import SharedRun
from focused.together.pages_fetched import PagesFetched
from focused.topic.mistakes import shown

SLOTS, HEADERS = TABLES = ("DOWNLOAD_SLOTS", "DEFAULT_REQUEST_HEADERS")
#: Settings that say how the process treats hosts: a server sees one client, whatever it is asked for.
OF_ALL = (
    "CONCURRENT_REQUESTS",
    "CONCURRENT_REQUESTS_PER_DOMAIN",
    "COOKIES_ENABLED",
    "DASHBOARD",
    HEADERS,
    "DOWNLOAD_DELAY",
    "DOWNLOAD_DELAY_JITTER",
    SLOTS,
    "FOCUSED_BUSY_SECONDS",
    "FOCUSED_LOG_JSON",
    "FOCUSED_MAX_CRAWL_DELAY",
    "FOCUSED_MAX_RETRY_AFTER",
    "FOCUSED_POLITE_TO_ADDRESSES",
    "ROBOTSTXT_OBEY",
    "ROBOTSTXT_USER_AGENT",
    "USER_AGENT",
)
MOST_BYTES = 10_000_000  #: of the answers that are remembered; those asked for longest ago go first
PER_ORIGIN = 500  #: bytes that an answer counts besides its body


class TopicsTogether(SharedRun):
    """What several crawls share; `ManyTopics`, which starts them, sets ``end_all``.

    Attributes
    ----------
    robots : what servers said of robots, for all
    sessions : of the topics that could be opened, by name, ended ones included
    """

    def __init__(self) -> None:
        self.traffic, self.robots, self.pages = Traffic(), RobotsHeard(), PagesFetched()
        self.wishes: dict[str, Wish] = {}
        self.sessions: dict[str, Session] = {}
        self.is_open = self.has_dashboard = False
        self.end_all: Callable[[], object] = lambda: None
        self.at_end: list[Callable[[], object]] = []
        self._awake: list[Callable[[], None]] = []
        self._settings: dict[str, Any] = {}
        self._first = ""

    def admit(self, topic: str, settings: BaseSettings) -> None:
        said = {name: settings.getdict(name) if name in TABLES else settings.get(name) for name in OF_ALL}
        if not self._first:
            self._first, self._settings = topic, said
        wrong = [name for name in OF_ALL if str(said[name]) != str(self._settings[name])]
        if wrong:
            name = wrong[0]
            raise FocusedError(
                f"{topic}: {name} = {shown(said[name])}, but {shown(self._settings[name])} for {self._first}: topics that are "
                "crawled together share it; say the same in both, or crawl one alone"
            )

    def opened(self, session: Session) -> None:
        self.sessions[session.topic.name] = session

    def when_open(self, awake: Callable[[], None]) -> None:
        self._awake.append(awake)

    async def ask_robots(self, origin: str, ask: Callable[[str], Awaitable[Heard]]) -> Heard:
        return await self.robots.ask(origin, ask)

    def begin(self) -> None:
        """All topics are there that could be opened."""
        self.is_open = True
        for awake in self._awake:
            awake()

    def end(self) -> None:
        """All crawls have ended."""
        for call in self.at_end:
            call()


class RobotsHeard:
    """Answers by origin.

    vain_seconds : for which an answer that there is none to be had now holds for other topics
    clock : in seconds, never goes back
    """

    def __init__(self, vain_seconds: float = 5.0, clock: Callable[[], float] = time.monotonic) -> None:
        self._vain_seconds, self._clock = vain_seconds, clock
        self._heard: OrderedDict[str, tuple[float, Heard]] = OrderedDict()  # with the time until which it holds
        self._waiting: dict[str, list[Deferred[None]]] = {}  # topics, by the origin that another is asking
        self._size = 0

    async def ask(self, origin: str, ask: Callable[[str], Awaitable[Heard]]) -> Heard:
        """What the server of an origin said, or says now. Raises what ``ask`` raises, for the one topic that asked."""
        while origin in self._waiting:
            answered: Deferred[None] = Deferred()
            self._waiting[origin].append(answered)
            await maybe_deferred_to_future(answered)
        until, heard = self._heard.get(origin, (0.0, None))
        if heard is not None and self._clock() < until:
            self._heard.move_to_end(origin)
            return heard
        self._waiting[origin] = []
        try:
            heard = await ask(origin)
            self._keep(origin, heard)
        finally:
            for waiting in self._waiting.pop(origin):
                waiting.callback(None)
        return heard

    def _keep(self, origin: str, heard: Heard) -> None:
        _, before = self._heard.pop(origin, (0.0, None))
        self._size += _size(heard) - _size(before)
        holds = A_DAY if heard.body is not None else self._vain_seconds
        self._heard[origin] = self._clock() + holds, heard
        while self._size > MOST_BYTES and len(self._heard) > 1:
            _, (_, oldest) = self._heard.popitem(last=False)
            self._size -= _size(oldest)


def _size(heard: Heard | None) -> int:
    return 0 if heard is None else len(heard.body or b"") + PER_ORIGIN
