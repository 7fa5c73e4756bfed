"""What a crawl shares with crawls of other topics in its process. The wing `focused.together` makes it; most crawls run alone."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Protocol

from scrapy.crawler import Crawler
from scrapy.settings import BaseSettings

from focused.collection.repository import Place, Stored
from focused.crawl.events import Pick
from focused.crawl.politeness import Traffic
from focused.live.courtesy import HostLimits
from focused.live.rendering_outcome import RenderingOutcome
from focused.live.robots.requesting import Heard
from focused.live.session import Session
from focused.page.page import Page

TAKEN_OVER = "focused/taken_over"  #: among stats: pages that another topic had fetched
TAKEN = "focused_taken"  #: of a request: the `SharedPage` that answers it
#: Of a request: it asks for a page as anybody would, so that others may take over what comes; one of the user's own may not.
PLAIN = "focused_plain"


@dataclass(slots=True, frozen=True)
class SharedPage:
    """A page that another topic has fetched, as a topic would have read it."""

    stored: Stored
    page: Page
    rendering: RenderingOutcome | None = None


class Taker(Protocol):
    """What one topic of several takes over."""

    def next(self) -> tuple[Pick, SharedPage] | None:
        """The next page to take over, which is picked by this; None where there is none, or none may be taken now."""


class SharedPages(Protocol):
    """The pages that each topic has fetched, for the others."""

    def join(self, session: Session, awake: Callable[[], None]) -> Taker:
        """Let a topic take pages over; ``awake`` lets its driver look whether there is one."""

    def leave(self, session: Session) -> None:
        """A topic has come to its end. What it has fetched can still be taken over."""

    def arrived(self, owner: Session, fetched: SharedPage, content_type: str, robots_tag: str) -> None:
        """A server has sent a page."""

    def kept(self, owner: Session, key: int, place: Place) -> None:
        """The page of a key, which is no rendered one, is kept there."""

    def find(self, session: Session, key: int) -> SharedPage | None:
        """The page of a key for a topic, where another has fetched it in this run."""


class SharedRun(ABC):
    """What all crawls of a process work on.

    Attributes
    ----------
    traffic, wishes : of hosts, for all (see `Politeness`, `Courtesy`)
    pages : what each has fetched, for the others
    has_dashboard : one is started for all
    is_open : requests may be sent: all topics are there
    end_all : brings all crawls to their end, in order
    at_end : called when all have ended
    """

    traffic: Traffic
    wishes: dict[str, HostLimits]
    pages: SharedPages
    is_open: bool
    has_dashboard: bool
    end_all: Callable[[], object]
    at_end: list[Callable[[], object]]

    @abstractmethod
    def admit(self, topic: str, settings: BaseSettings) -> None:
        """Raise FocusedError for a topic whose settings say of hosts what those of the first topic do not."""

    @abstractmethod
    def opened(self, session: Session) -> None:
        """The session of a topic is open."""

    @abstractmethod
    def when_open(self, awake: Callable[[], None]) -> None:
        """Let a driver know when requests may be sent."""

    @abstractmethod
    async def ask_robots(self, origin: str, ask: Callable[[str], Awaitable[Heard]]) -> Heard:
        """What the server of an origin said of robots, or says now. Raises what ``ask`` raises."""


def shared_run_of(crawler: Crawler) -> SharedRun | None:
    """What a crawl shares with others in this process; None for one that runs alone."""
    found = getattr(crawler.spider, "together", None)
    return found if isinstance(found, SharedRun) else None
