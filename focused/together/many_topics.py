"""Crawls several topics in one process: opens one after the other, lets them begin together, and tells how they stand.

For a script of your own::

    process = AsyncCrawlerProcess(get_project_settings())
    topics = ManyTopics(process, TopicalSpider, {"solar": "solar", "wind": "topics/wind.toml"}, {"pages": "500"})
    topics.start()
    process.start()
    topics.end()
"""

from __future__ import annotations

import logging
import sys
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scrapy import signals
from scrapy.crawler import Crawler
from scrapy.utils.asyncio import call_later, create_looping_call
from scrapy.utils.defer import deferred_from_coro

from focused.crawl.budget import Stop
from focused.exceptions import FocusedError
from focused.explain.harvest_watch import HarvestWatch
from focused.explain.plain_output import TableColumn, table_text
from focused.explain.strangers import StrangerWatch
from focused.live.session import Session
from focused.live.shared_run import TAKEN_OVER
from focused.live.starting import ERROR_STAT, begin_crawl
from focused.page.plain_text import plain
from focused.spiders.topical import TopicalSpider
from focused.together.together import TopicsTogether

if TYPE_CHECKING:
    from scrapy.crawler import CrawlerProcessBase

MOST_ROWS = 10  #: of the table beside the line of progress
REQUESTS = "downloader/request_count"


@dataclass(frozen=True, slots=True)
class TopicStatus:
    """How one topic stands.

    requests : that the process sent for it, those for robots.txt included
    free : its pages that another topic had fetched, so that no request was sent
    cpu : seconds, of its core, its reading and its stores
    megabytes : of the tables of URLs and hosts of its core; what its strategy learned comes on top
    ended : why it has; empty while it goes on
    """

    topic: str
    pages: int = 0
    relevant: int = 0
    harvest: float = 0.0
    requests: int = 0
    free: int = 0
    cpu: float = 0.0
    megabytes: float = 0.0
    waiting: int = 0
    ended: str = ""


COUNTED = ("pages", "relevant", "requests", "free", "cpu", "megabytes", "waiting")


def standing_of(crawler: Crawler, session: Session) -> TopicStatus:
    """How a topic stands now; its crawler has opened its session."""
    totals, stats = session.crawl.totals, crawler.stats
    return TopicStatus(
        session.topic.name,
        totals.pages,
        totals.relevant,
        totals.harvest,
        stats.get_value(REQUESTS, 0),
        stats.get_value(TAKEN_OVER, 0),
        session.cpu.seconds,
        (session.crawl.urls.columns.bytes + session.crawl.hosts.columns.bytes) / 1e6,
        len(session.crawl.frontier),
        plain(session.ended.sentence) if session.ended else "",
    )


def progress_of(standings: Sequence[TopicStatus], pages_a_second: float) -> str:
    """One line for the process, and below it the first topics that go on."""
    total, going = total_of(standings), [standing for standing in standings if not standing.ended]
    line = (
        f"{len(going):,} of {len(standings):,} topics go on | {total.pages:,} pages, {pages_a_second:.1f}/s | "
        f"{total.requests:,} requests, {total.free:,} pages taken over | {total.waiting:,} wait | {memory():,.0f} MB"
    )
    headings: list[TableColumn | str] = ["topic", *map(_number, ("pages", "harvest", "wait"))]
    rows = [(one.topic, one.pages, f"{one.harvest:.0%}", one.waiting) for one in going[:MOST_ROWS]]
    more = [f"... and {len(going) - MOST_ROWS:,} more"] if len(going) > MOST_ROWS else []
    return "\n".join([line, *table_text(headings, rows).splitlines(), *more])


def table_of(standings: Sequence[TopicStatus]) -> str:
    """Every topic with what it collected and what it cost, and the sums."""
    numbers = ("pages", "relevant", "harvest", "requests", "taken over", "CPU s", "MB of URLs")
    rows: Iterable[TopicStatus] = [*standings, total_of(standings)]
    cells = [
        (
            *(one.topic, one.pages, one.relevant, f"{one.harvest:.1%}", one.requests, one.free),
            *(f"{one.cpu:.1f}", f"{one.megabytes:.1f}", one.ended),
        )
        for one in rows
    ]
    return table_text(["topic", *map(_number, numbers), "ended"], cells)


def total_of(standings: Sequence[TopicStatus]) -> TopicStatus:
    """The sums; the harvest is that of all pages of all topics together, a page counting once for each topic that has it."""
    sums = {name: sum(getattr(one, name) for one in standings) for name in COUNTED}
    return TopicStatus("all", harvest=sums["relevant"] / sums["pages"] if sums["pages"] else 0.0, **sums)


def memory() -> float:
    """MB that this process has in memory; the most it ever had where the system does not say."""
    try:
        line = next(line for line in Path("/proc/self/status").read_text().splitlines() if line.startswith("VmRSS"))
        return int(line.split()[1]) / 1e3
    except (OSError, StopIteration):
        import resource  # Windows has none

        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1e6 if sys.platform == "darwin" else 1e3)


def _number(heading: str) -> TableColumn:
    return TableColumn(heading, is_number=True)


logger = logging.getLogger(__name__)

ABOVE_ALL = 100  #: as a priority of settings


class ManyTopics:
    """The topics of one process.

    Parameters
    ----------
    process : which runs the crawlers
    spider : that crawls each
    called : by the name of a topic, what ``-a topic=`` calls it
    arguments : of the spider, for all topics
    tell : says to a person why a topic could not be crawled

    Attributes
    ----------
    refused : why topics could not be opened, or broke off, by name
    """

    def __init__(
        self,
        process: CrawlerProcessBase,
        spider: type[TopicalSpider],
        called: Mapping[str, str],
        arguments: Mapping[str, str],
        tell: Callable[[str], None] = logger.error,
    ) -> None:
        self.process, self.spider, self.arguments, self._tell = process, spider, arguments, tell
        self.together = TopicsTogether()
        self.together.end_all = self._end_all
        self.refused: dict[str, str] = {}
        self._called = dict(called)
        self._next = iter(called)
        self._crawlers: dict[str, Crawler] = {}
        self._watches: dict[str, HarvestWatch] = {}
        self._strangers: dict[str, StrangerWatch] = {}
        self._is_stopped = False
        self._loop = create_looping_call(self.show)
        self._last = time.monotonic(), 0

    @property
    def failed(self) -> bool:
        """Whether a topic was refused, failed, or collected nothing."""
        return bool(self.refused) or any(crawler.stats.get_value(ERROR_STAT) for crawler in self._opened().values())

    def start(self) -> None:
        """Open the first topic; the others follow once the process runs."""
        logging.getLogger("scrapy.core.engine").addFilter(_is_no_matter_of_course)
        self._open_next()

    def end(self) -> None:
        """Say what became of all, once the process has come to its end."""
        self.together.end()
        logging.getLogger("scrapy.core.engine").removeFilter(_is_no_matter_of_course)
        standings = self.standings()
        logger.info("All topics have ended; the process has %.0f MB in memory\n%s", memory(), table_of(standings))
        if self.process.settings.getbool("STATS_DUMP"):
            logger.info("Stats:\n%s", "\n".join(f"{name}: {value}" for name, value in self.stats().items()))

    def standings(self) -> list[TopicStatus]:
        """How each topic stands, in the order given."""
        opened = self._opened()
        return [
            standing_of(opened[name], self.together.sessions[name])
            if name in opened
            else TopicStatus(name, ended="refused" if name in self.refused else "not opened")
            for name in self._called
        ]

    def stats(self) -> dict[str, Any]:
        """Scrapy's stats of each topic, after its name and a slash; those of all begin with ``all/``."""
        told = {name: sorted(crawler.stats.get_stats().items()) for name, crawler in self._opened().items()}
        of_each = {f"{name}/{key}": value for name, stats in told.items() for key, value in stats}
        total = total_of(self.standings())
        of_all = {name: getattr(total, name) for name in ("pages", "relevant", "requests", "free", "cpu")}
        return of_each | {f"all/{name}": value for name, value in of_all.items()}

    def show(self) -> None:
        """Log how far all have come."""
        standings, now = self.standings(), time.monotonic()
        pages, (then, before) = total_of(standings).pages, self._last
        self._last = now, pages
        logger.info("%s", progress_of(standings, (pages - before) / max(now - then, 1e-9)))
        for name, session in self._going().items():
            for fall in self._watches[name].follow(session.crawl.totals):
                logger.warning("%s", fall.warning_of(name))
            self._strangers[name].look(session.crawl.totals.relevant)

    def _open_next(self) -> None:
        name = None if self._is_stopped else next(self._next, None)
        if name is None:
            self._begin()
            return
        crawler = self.process.create_crawler(self.spider)
        crawler.settings.set("STATS_DUMP", False, ABOVE_ALL)  # told for all at the end
        crawler.signals.connect(self._has_opened, signals.spider_opened)
        crawler.signals.connect(self._is_closing, signals.spider_closed)
        self._crawlers[name] = crawler
        arguments = {**self.arguments, "topic": self._called[name], "together": self.together}
        begin_crawl(self.process, crawler, arguments, partial(self._has_ended, name))

    def _has_opened(self, spider: TopicalSpider) -> None:
        name = spider.topic_name
        session = self.together.sessions[name]
        totals = session.crawl.totals
        self._strangers[name], self._watches[name] = StrangerWatch(session.folder), HarvestWatch()
        self._watches[name].follow(totals)  # a fall before this run was told then
        logger.info("%s: %s", name, f"goes on after {totals.pages:,} pages" if totals.pages else "begins")
        call_later(0, self._open_next)

    def _begin(self) -> None:
        if self._going():
            self._last = time.monotonic(), total_of(self.standings()).pages
            self._loop.start(self.process.settings.getfloat("FOCUSED_PROGRESS_SECONDS", 10.0), now=False)
        self.together.begin()

    def _is_closing(self, reason: str) -> None:
        self._is_stopped |= reason == "shutdown"

    def _tell_end(self, name: str, session: Session) -> None:
        totals = session.crawl.totals
        if watch := self._strangers.get(name):
            watch.end(totals.relevant)
        logger.info(  # what stopped it has been told as an error when it happened
            "%s has ended: %s; %d pages, harvest rate %.0f%%%s",
            *(name, session.ended.sentence if session.ended else "cut off", totals.pages, 100 * totals.harvest),
            f"; {session.going_on} once the cause is fixed" if session.error else "",
        )
        for url, why in session.seed_fates[:1]:
            logger.warning("%s collected nothing, of %d seeds: %s: %s", name, len(session.seed_fates), url, why)

    def _has_ended(self, name: str, error: BaseException | None) -> None:
        """A crawler has come to its end, perhaps before it had opened its topic."""
        session = self.together.sessions.get(name)
        if error is not None:
            why = str(error) if isinstance(error, FocusedError) else f"{type(error).__name__}: {error}"
            self.refused[name] = why
            self._tell(f"{name}: {why.removeprefix(f'{name}: ')}")
            if not isinstance(error, FocusedError):
                logger.critical("%s ended by an unexpected exception", name, exc_info=error)
            if session is not None and session.ended is None:  # what came after it could not be opened
                session.fail(Stop("failed", why))
                session.close()
        if session is not None:
            self._tell_end(name, session)
        if self._loop.running and not self._going():
            self._loop.stop()
        if name not in self._watches:
            self._open_next()

    def _going(self) -> dict[str, Session]:
        return {name: session for name, session in self.together.sessions.items() if not session.ended}

    def _opened(self) -> dict[str, Crawler]:
        return {name: self._crawlers[name] for name in self.together.sessions}

    def _end_all(self) -> None:
        self._is_stopped = True
        for crawler in self._crawlers.values():
            if crawler.crawling:
                deferred_from_coro(crawler.stop_async())


def _is_no_matter_of_course(record: logging.LogRecord) -> bool:
    """Each engine says three times that it opens and closes a spider, and not of which topic."""
    return record.levelno > logging.INFO
