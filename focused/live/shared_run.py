"""What a crawl shares with crawls of other topics in its process; `focused.together` implements it. Most crawls run alone."""

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

TAKEN_OVER = "focused/taken_over"  #: name of a stat: pages that another topic had fetched


@dataclass(slots=True, frozen=True)
class SharedPage:
    """A page that another topic has fetched, read as for any topic."""

    stored: Stored
    page: Page
    rendering: RenderingOutcome | None = None
    signals: str | None = None  #: as in `Record`


class Taker(Protocol):
    """What one topic of several takes over."""

    def next(self) -> tuple[Pick, SharedPage] | None:
        """Pick the next page to take over; None if there is none, or none may be taken now."""


class SharedPages(Protocol):
    """The pages that each topic has fetched, for the others."""

    def join(self, session: Session, awake: Callable[[], None]) -> Taker:
        """Let a topic take pages over; ``awake`` makes its driver look for one."""

    def leave(self, session: Session) -> None:
        """Note the end of a topic. Others can still take over what it has fetched."""

    def arrived(self, owner: Session, fetched: SharedPage, content_type: str, robots_tag: str) -> None:
        """Take in that a server has sent a page."""

    def kept(self, owner: Session, key: int, place: Place, signals: str | None) -> None:
        """Note where the page of a key is stored; it was not rendered."""

    def find(self, session: Session, key: int) -> SharedPage | None:
        """The page of a key for a topic, if another topic has fetched it in this run."""


class SharedRun(ABC):
    """What all crawls of a process share.

    Attributes
    ----------
    traffic, wishes : of hosts, for all crawls (see `Politeness`, `Courtesy`)
    pages : the pages that each topic has fetched, for the others
    has_dashboard : one dashboard is started for all
    is_open : requests may be sent: all topics are there
    end_all : ends all crawls in order
    at_end : called when all crawls have ended
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
        """Raise FocusedError for a topic whose settings about hosts differ from those of the first topic."""

    @abstractmethod
    def opened(self, session: Session) -> None:
        """Take in the open session of a topic."""

    @abstractmethod
    def when_open(self, awake: Callable[[], None]) -> None:
        """Call ``awake`` when requests may be sent."""

    @abstractmethod
    async def ask_robots(self, origin: str, ask: Callable[[str], Awaitable[Heard]]) -> Heard:
        """The robots.txt of an origin, as heard before or by asking now. Raises what ``ask`` raises."""


def shared_run_of(crawler: Crawler) -> SharedRun | None:
    """What a crawl shares with others in this process; None for a crawl that runs alone."""
    found = getattr(crawler.spider, "together", None)
    return found if isinstance(found, SharedRun) else None
