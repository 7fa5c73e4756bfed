"""The topics that are crawled in one process, and what they share: hosts and their wishes, robots.txt, places among all.

Each topic is crawled as if it were alone: by its own engine, session and collection. So one that fails takes no other with it.

Pages that one topic has fetched, for the others of the process: each page is asked for once and judged by all.

A topic takes a page over at once where its own page model finds it relevant and nothing bars it: it is picked before its turn.
Any other page is remembered by where it is kept, so that a topic that picks it later in this run gets it from there.
"""

from __future__ import annotations

import time
from collections import OrderedDict, deque
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any, Self

from scrapy import Request
from scrapy.crawler import Crawler
from scrapy.exceptions import NotConfigured
from scrapy.http import Headers, Response
from scrapy.responsetypes import responsetypes
from scrapy.settings import BaseSettings
from scrapy.utils.defer import maybe_deferred_to_future
from twisted.internet.defer import Deferred

from focused.collection.repository import Place, Stored
from focused.crawl.events import Pick, Picked
from focused.crawl.politeness import Traffic
from focused.crawl.url_table import State
from focused.exceptions import FocusedError, StorageError
from focused.live.courtesy import HostLimits
from focused.live.rendering_outcome import RenderingOutcome
from focused.live.responses import FLAGS, OUTCOME, TAKEN
from focused.live.robots.content_signals import missing_signal
from focused.live.robots.known import A_DAY
from focused.live.robots.requesting import Heard
from focused.live.session import Session
from focused.live.shared_run import SharedPage, SharedRun, shared_run_of
from focused.page.page import Page
from focused.page.reader import Reader
from focused.page.urls import Address
from focused.topic.mistakes import shown


class AnswerFromOthers:
    """Comes before robots.txt, delays and the downloader, for nobody is asked."""

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Raises NotConfigured for a topic that is crawled alone."""
        if shared_run_of(crawler) is None:
            raise NotConfigured
        return cls()

    def process_request(self, request: Request) -> Response | None:
        """The page as a response, where the scheduler has found one."""
        fetched = request.meta.get(TAKEN)
        if not isinstance(fetched, SharedPage):
            return None
        stored = fetched.stored
        headers = Headers()
        for name, value in stored.headers:
            headers.appendlist(name, value)
        if fetched.rendering is not None:
            request.meta[OUTCOME] = fetched.rendering
        kind = responsetypes.from_args(headers=headers, url=stored.url, body=stored.body)
        flags = ["taken over", FLAGS[stored.truncated]] if stored.truncated else ["taken over"]
        return kind(stored.url, status=stored.status, headers=headers, body=stored.body, flags=flags)


MOST_PLACES = 200_000  #: pages that are remembered by where they are kept; those fetched longest ago go first
MOST_ON_THEIR_WAY = 50  #: pages that are remembered in memory until the pipelines have kept them
MOST_OFFERED = 20  #: pages that wait in memory to be taken over by a topic; others wait in its frontier


class PageTaker:
    """What one topic of several takes over.

    session : of the topic
    awake : lets its driver look whether there is something to take over
    """

    def __init__(self, session: Session, awake: Callable[[], None]) -> None:
        self.session, self._awake = session, awake
        self._offered: deque[tuple[int, SharedPage]] = deque(maxlen=MOST_OFFERED)

    @property
    def has_room(self) -> bool:
        """Whether the topic may take anything over now."""
        session = self.session
        return not (session.error or session.ended or session.orders.paused or session.crawl.budget_is_taken)

    def offer(self, fetched: SharedPage) -> None:
        """Let the topic judge a page. A bug in its strategy ends that topic alone, and is told."""
        session = self.session
        try:
            url = self._wanted(fetched.page)
        except Exception:
            return
        if url is not None and url not in session.own_requests:
            self._offered.append((url, fetched))
            self._awake()

    def next(self) -> tuple[Pick, SharedPage] | None:
        """The next page to take over, which is picked by this; None where there is none, or none may be taken now."""
        while self._offered:
            url, fetched = self._offered.popleft()
            if self._may_take(url):
                return self.session.apply(Picked(url)).picked, fetched
        return None

    def _wanted(self, page: Page) -> int | None:
        """Let a page wait, if it would count here; return its id, or None where it would not."""
        session, crawl = self.session, self.session.crawl
        address = Address(page.key, page.host, page.url)
        relevance = crawl.wants(address, page)
        if relevance is None:
            return None
        known = crawl.urls.find(address.key)
        waits = known >= 0 and crawl.urls.state[known] == State.WAITING
        if waits:
            return known
        outcome = session.request(address, relevance, None)
        return None if outcome is None or outcome.drops else outcome.urls[0]

    def _may_take(self, url: int) -> bool:
        """Whether a URL still waits and may be taken before its turn."""
        session = self.session
        if url in session.own_requests or session.outage.suspicion or session.stop() is not None:
            return False
        return self.has_room and session.crawl.urls.state[url] == State.WAITING


class PagesFetched:
    """What all topics of a process have fetched in this run."""

    def __init__(self) -> None:
        self._takers: list[PageTaker] = []
        # By the key of the page: where it is kept, with the Content Signals of its origin.
        self._places: dict[int, tuple[Session, tuple[Place, str | None]]] = {}
        self._on_their_way: dict[
            int, tuple[Session, SharedPage]
        ] = {}  # to the collection of the topic that fetched them

    def join(self, session: Session, awake: Callable[[], None]) -> PageTaker:
        self._takers.append(PageTaker(session, awake))
        return self._takers[-1]

    def leave(self, session: Session) -> None:
        self._takers = [taker for taker in self._takers if taker.session is not session]

    def arrived(self, owner: Session, fetched: SharedPage, content_type: str, robots_tag: str) -> None:
        """Offer a page that a server has just sent to all other topics; it is read again only where one reads otherwise."""
        self._on_their_way[fetched.page.key] = owner, fetched
        _forget_oldest(self._on_their_way, MOST_ON_THEIR_WAY)
        read: list[tuple[Reader, Page | None]] = [(owner.reader, fetched.page)]
        for taker in self._takers:
            if taker.session is owner or not _fetch_alike(taker.session, owner) or not taker.has_room:
                continue
            if missing_signal(taker.session.topic.scope, fetched.signals):
                continue
            with taker.session.cpu:
                page = _page_for(taker.session.reader, read, fetched.stored, content_type, robots_tag)
                if page is not None:
                    taker.offer(replace(fetched, page=page))

    def kept(self, owner: Session, key: int, place: Place, signals: str | None) -> None:
        """Remember where the page of a key is kept, which is no rendered one."""
        self._places[key] = owner, (place, signals)
        _forget_oldest(self._places, MOST_PLACES)
        self._on_their_way.pop(key, None)

    def find(self, session: Session, key: int) -> SharedPage | None:
        """The page of a key for a topic, where another has fetched it in this run and its bytes are still there."""
        owner, known = self._on_their_way.get(key) or self._places.get(key) or (session, None)
        if known is None or owner is session or not _fetch_alike(owner, session):
            return None
        fetched: SharedPage | None
        if not isinstance(known, SharedPage):
            try:
                place, signals = known
                fetched = _read_again(owner.repository.get(place), session.reader, signals=signals)
            except StorageError:
                return None
        elif session.reader.reads_like(owner.reader):
            fetched = known
        else:
            fetched = _read_again(known.stored, session.reader, known.rendering, known.signals)
        if (
            fetched is None
            or fetched.page.key != key
            or missing_signal(session.topic.scope, fetched.signals)
            or session.crawl.admission.against_type(fetched.page.content_type)
        ):
            return None
        return fetched


def _read_again(
    stored: Stored, reader: Reader, rendering: RenderingOutcome | None = None, signals: str | None = None
) -> SharedPage | None:
    page = reader.read(stored.url, stored.body, stored.content_type, stored.header("X-Robots-Tag"))
    return SharedPage(stored, page, rendering, signals) if isinstance(page, Page) else None


def _forget_oldest(remembered: dict[int, Any], most: int) -> None:
    if len(remembered) > most:
        del remembered[next(iter(remembered))]


def _fetch_alike(one: Session, other: Session) -> bool:
    """Whether what came of a page for one topic, and what a browser made of it, is what the other would get."""
    is_as_long = one.topic.reading.first_bytes == other.topic.reading.first_bytes
    return is_as_long and one.topic.rendering.mode == other.topic.rendering.mode


def _page_for(
    reader: Reader, read: list[tuple[Reader, Page | None]], stored: Stored, content_type: str, robots_tag: str
) -> Page | None:
    """A page as a topic reads it; ``read`` holds how others have, and is added to."""
    for other, page in read:
        if reader.reads_like(other):
            return page
    made = reader.read(stored.url, stored.body, content_type, robots_tag)
    read.append((reader, made if isinstance(made, Page) else None))
    return read[-1][1]


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
        self.wishes: dict[str, HostLimits] = {}
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
        for name in (name for name in OF_ALL if str(said[name]) != str(self._settings[name])):
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
