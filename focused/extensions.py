"""Extensions: the session that all other components share, the Crawl-delay of robots.txt, and the types of content fetched."""

from __future__ import annotations

import logging
import math
import signal
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Self

from scrapy import Request, signals
from scrapy.crawler import Crawler
from scrapy.exceptions import CloseSpider, DontCloseSpider, NotConfigured, StopDownload
from scrapy.http import Headers
from scrapy.robotstxt import RobotParser
from scrapy.utils.asyncio import create_looping_call
from scrapy.utils.defer import deferred_from_coro

from focused.collection.collection import data_folder
from focused.collection.trained_model import MODELS
from focused.crawl.answers import barred_before
from focused.crawl.budget import FINISHED, Stop
from focused.exceptions import StorageError
from focused.items import record_of
from focused.live.journal import NO_HISTORY, NO_PAGES, Record
from focused.live.logs import leave_out_plain_lines, write_json_logs, write_plain_logs
from focused.live.orders import STOPPED
from focused.live.responses import ID, host_of_request
from focused.live.robots.known import origin_of
from focused.live.robots.robot import Robot, name_of_robot, obedient_as
from focused.live.scrapy_engine import ScrapyEngine
from focused.live.session import Session, session_of
from focused.live.shared_run import shared_run_of
from focused.live.starting import ERROR_STAT, STOP_STAT
from focused.page.media_types import declared_type, media_type
from focused.spiders.topical import TopicalSpider
from focused.topic.project_settings import check_values
from focused.topic.topic_tables import doubts_about

logger = logging.getLogger(__name__)

#: Scrapy's own reasons to close, for a person.
SENTENCES = {
    "shutdown": "stopped by a signal, such as Ctrl-C",
    "memusage_exceeded": "Scrapy needed more memory than MEMUSAGE_LIMIT_MB allows",
}


class CrawlSession:
    """Owns the session: opens it before anything is fetched, commits while it runs, ends it with its reason."""

    def __init__(self, crawler: Crawler, session: Session) -> None:
        self.crawler, self.session = crawler, session
        self._stop = FINISHED
        self._interval = crawler.settings.getfloat("FOCUSED_COMMIT_SECONDS")
        self._together = shared_run_of(crawler)
        self._timer = create_looping_call(self._tick)

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Raises NotConfigured for a spider without a topic, FocusedError for unusable settings, StorageError for a collection."""
        spider, settings = crawler.spider, crawler.settings
        if not isinstance(spider, TopicalSpider):
            raise NotConfigured
        check_values(settings)
        together = shared_run_of(crawler)
        if together is not None:
            together.admit(spider.topic.name, settings)
        if settings.getbool("FOCUSED_LOG_JSON"):
            leave_out_plain_lines()
        session = Session(
            spider.topic,
            data_folder(settings) / spider.topic.name,
            models=data_folder(settings) / MODELS,
            fresh=spider.fresh,
            user_agent=settings["USER_AGENT"],
            robot=name_of_robot(settings),
            snapshot_every=math.ceil(settings.getfloat("FOCUSED_SNAPSHOT_PAGES")),
            lock_seconds=settings.getfloat("FOCUSED_LOCK_SECONDS"),
            commit_seconds=settings.getfloat("FOCUSED_COMMIT_SECONDS"),
            commit_requests=settings.getint("FOCUSED_COMMIT_REQUESTS"),
        )
        spider.session = session
        session.journal.stores_pages = session.journal.stores_history = False  # until a pipeline says that it does
        if together is not None:
            together.opened(session)
        extension = cls(crawler, session)
        connect = crawler.signals.connect
        connect(extension.opened, signals.spider_opened)
        connect(extension.idle, signals.spider_idle)
        connect(extension.closed, signals.spider_closed)
        connect(extension.went_through, signals.item_scraped)
        connect(extension.was_dropped, signals.item_dropped)
        connect(extension.failed_in_pipeline, signals.item_error)
        return extension

    def opened(self) -> None:
        settings, session = self.crawler.settings, self.session
        if settings["JOBDIR"]:
            logger.info(
                "JOBDIR is not needed: what the crawl keeps lies in %s, and the same command goes on", session.folder
            )
        if settings.getbool("FOCUSED_LOG_JSON"):
            write_json_logs(settings)
        write_plain_logs()
        if session.driver is None:
            wrong = f"SCHEDULER = {settings['SCHEDULER']}: a topical crawl needs focused.scheduler.FrontierScheduler"
            session.fail(Stop("wrong_scheduler", f"{wrong}; leave it out"))
        end_at_hang_up(self._together.end_all if self._together else self._end)
        self._look_at_pipelines()
        for doubt in doubts_about(session.topic):
            logger.warning("%s", doubt)
        self._timer.start(self._interval, now=False)

    def _look_at_pipelines(self) -> None:
        """Say what is not stored because the project has switched one of our item pipelines off."""
        journal = self.session.journal
        off = [why for why, on in ((NO_PAGES, journal.stores_pages), (NO_HISTORY, journal.stores_history)) if not on]
        if off:
            logger.warning(
                "%s: the crawl goes on, and stores no whole page; commands and the dashboard show none", ", ".join(off)
            )

    def went_through(self, item: Any) -> None:
        """Close a page that no StoreHistory has written."""
        self._close(item, lambda record: self.session.journal.drop(record, NO_HISTORY))

    def was_dropped(self, item: Any, exception: Exception) -> None:
        self._close(item, lambda record: self.session.journal.drop(record, f"a pipeline dropped it: {exception}"))

    def failed_in_pipeline(self, item: Any) -> None:
        self._close(item, self.session.journal.write_as_read)

    def _close(self, item: Any, write: Callable[[Record], None]) -> None:
        """Write the page that an item is about, unless that is done."""
        record = record_of(item, self.session.journal)
        if record is not None and not record.is_through:
            with self.session.cpu, self.session.writing():
                write(record)

    def _end(self) -> None:
        deferred_from_coro(self.crawler.stop_async())

    def idle(self) -> None:
        """Close the spider with the reason why nothing is left to do."""
        self.session.outage.settle()
        if self.session.outage.suspicion or self.session.orders.paused:
            raise DontCloseSpider
        self._stop = self.session.stop() or FINISHED
        raise CloseSpider(self._stop.slug)

    def _tick(self) -> None:
        self.session.commits.in_passing()
        self._tell_stats()
        ScrapyEngine(self.crawler).look_again()  # nothing was sent while the database was locked

    def closed(self, reason: str) -> None:
        if self._timer.running:
            self._timer.stop()
        own = self._stop if self._stop.slug == reason else Stop(reason, SENTENCES.get(reason, f"closed: {reason}"))
        stats = self.crawler.stats
        if self.session.error:  # first of all, as what follows may fail where the collection is damaged
            stats.set_value(ERROR_STAT, self.session.error.sentence)
        self.session.close(own)
        self._tell_stats()
        ended = self.session.ended or own
        stats.set_value(STOP_STAT, ended.sentence)
        if self.session.error:
            stats.set_value(ERROR_STAT, self.session.error.sentence)
        elif ended.slug not in ("shutdown", STOPPED.slug) and not self.session.crawl.totals.pages:
            stats.set_value(ERROR_STAT, "no page was collected")

    def _tell_stats(self) -> None:
        """Set Scrapy's stats: the figures of all runs of the crawl; for enqueued and dequeued, those of this run."""
        for name, value in stats_of(self.session).items():
            self.crawler.stats.set_value(name, value)


def end_at_hang_up(stop: Callable[[], object]) -> None:
    """Call ``stop`` in the reactor at the first SIGHUP, which a closing terminal sends, and ignore all later ones.

    A shell and its terminal may both send one. Changes nothing if SIGHUP is ignored (nohup) or other code handles it.
    """
    number = getattr(signal, "SIGHUP", None)  # Windows has none
    if number is None or threading.current_thread() is not threading.main_thread():
        return
    if signal.getsignal(number) is not signal.SIG_DFL:
        return

    from twisted.internet import reactor  # the one that runs: Scrapy has chosen it by now

    def hang_up(_number: int, _frame: object) -> None:
        signal.signal(number, signal.SIG_IGN)
        reactor.callFromThread(stop)

    signal.signal(number, hang_up)


def stats_of(session: Session) -> dict[str, float]:
    """The figures of a crawl, by their names in `crawler.stats`."""
    crawl, journal = session.crawl, session.journal
    totals, lists = crawl.totals, crawl.lists.totals
    figures: dict[str, float] = {
        "scheduler/enqueued": crawl.frontier.arrivals - journal.arrivals_before,
        "scheduler/dequeued": crawl.world.picks - journal.picks_before,
        "focused/pages": totals.pages,
        "focused/relevant": totals.relevant,
        "focused/duplicates": totals.duplicates,
        "focused/stale": totals.stale,
        "focused/harvest_rate": round(totals.harvest, 4),
        "focused/waiting": len(crawl.frontier),
        "focused/hosts": crawl.hosts.visited,
        "focused/failures": totals.failures,
        "focused/unstored": journal.unstored.total(),
        "focused/unanswered": session.outage.doubts,
        "focused/lists/asked": lists.asked,
        "focused/lists/brought": lists.brought,
        "focused/lists/links": lists.links,
        "focused/lists/pages": lists.pages,
        "focused/lists/relevant": lists.relevant,
        "focused/cpu_seconds": round(session.cpu.seconds, 3),
    }
    counted = (
        ("failures", journal.failures),
        ("drops", journal.drops),
        ("unstored", journal.unstored),
        ("revisits", session.revisiting.counts),
    )
    for name, counts in counted:
        figures |= {f"focused/{name}/{kind}": count for kind, count in counts.items()}
    return figures


class CrawlDelayOfPages:
    """Obeys Crawl-delay in robots.txt, which Scrapy reads but does not apply."""

    def __init__(self, crawler: Crawler, robot: Robot) -> None:
        self.engine, self.robot = ScrapyEngine(crawler), robot
        self.usual = crawler.settings.getfloat("DOWNLOAD_DELAY")
        self._delays: dict[str, float] = {}
        # By host, the origin whose robots.txt set its delay: http and https have a robots.txt each.
        self._asked_by: dict[str, str] = {}

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        robot = obedient_as(crawler.settings)
        if robot is None:
            raise NotConfigured("ROBOTSTXT_OBEY is off")
        extension = cls(crawler, robot)
        crawler.signals.connect(extension.opened, signals.spider_opened)
        crawler.signals.connect(extension.parsed, signals.robots_parsed)
        crawler.signals.connect(extension.left, signals.request_left_downloader)
        return extension

    def opened(self) -> None:
        for host in self._delays:
            self._apply(host)

    def parsed(self, robotparser: RobotParser, request: Request) -> None:
        """Take the delay from a robots.txt; keep it if it has changed."""
        host, origin = host_of_request(request), origin_of(request)
        delay, before = self.robot.crawl_delay(robotparser, host), self._delays.get(host, 0.0)
        if delay < before and self._asked_by.get(host, origin) != origin:
            return  # https asks for more than http
        if delay != before:
            self.keep(host, delay or None)
        if delay:  # a host that no longer asks for one gets its wish from the next run on
            self._delays[host], self._asked_by[host] = delay, origin
            self._apply(host)

    def left(self, request: Request) -> None:
        """Set the delay again: AutoThrottle may have lowered it after a response."""
        if self._delays:
            self._apply(host_of_request(request))

    def keep(self, host: str, delay: float | None) -> None:
        """Do nothing: a command that fetches a few pages keeps no delays."""

    def _apply(self, host: str) -> None:
        delay = self._delays.get(host)
        if delay is not None:
            self.engine.keep_delay(host, delay, self.usual)


class CrawlDelay(CrawlDelayOfPages):
    """Keeps the delays of a topical crawl for its later runs."""

    def __init__(self, crawler: Crawler, robot: Robot) -> None:
        super().__init__(crawler, robot)
        self.session = session_of(crawler)
        self._delays = {name: delay for name, delay in self.session.store.hosts() if delay}

    def keep(self, host: str, delay: float | None) -> None:
        """Commit the delay: if this run is killed before the next commit, the next run must not ask too soon."""
        self.session.journal.crawl_delay(host, delay)
        with suppress(StorageError):  # the next commit will tell
            self.session.commit()


UNTYPED = "focused_untyped"  #: of a request: the header of its answer says no type, and its body has not begun


class ContentTypes:
    """Stops a download whose header declares a content type outside of the topic's scope, before its body arrives."""

    def __init__(self, session: Session) -> None:
        self.session = session

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        session = session_of(crawler)
        if not session.topic.scope.content_types:
            raise NotConfigured("all content types are in scope")
        extension = cls(session)
        crawler.signals.connect(extension.arrived, signals.headers_received)
        crawler.signals.connect(extension.began, signals.bytes_received)
        return extension

    def arrived(self, headers: Headers, request: Request) -> None:
        """Raises StopDownload for a barred type. The response goes on without its body: its status still decides first."""
        kind = declared_type((headers.get("Content-Type") or b"").decode("latin-1"))
        if not kind:  # its first bytes will say more
            request.meta[UNTYPED] = True
        elif self._bars(request, kind):
            raise StopDownload(fail=False)

    def began(self, data: bytes, request: Request) -> None:
        """Raises StopDownload where no header says the type, and the first bytes are those of a barred one."""
        if request.meta.pop(UNTYPED, False) and self._bars(request, media_type("", data)):
            raise StopDownload(fail=False)

    def _bars(self, request: Request, kind: str) -> bool:
        url = request.meta.get(ID)
        return url is not None and bool(barred_before(self.session.crawl, url, kind))
