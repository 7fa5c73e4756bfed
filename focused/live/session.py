"""One run of a crawl. A session puts the parts together: pages go to the core, and the core's decisions into the journal.

The Scrapy components (scheduler, middlewares, pipelines, extensions) all work on the one `Session` that an extension opens.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from pathlib import Path

from scrapy.crawler import Crawler
from scrapy.exceptions import NotConfigured

from focused import __version__
from focused.collection.collection import Collection
from focused.collection.desk import Desk
from focused.collection.repository import Stored
from focused.collection.sqlite_errors import BusyError, damage_is_told
from focused.collection.store import CHANGED, LOCK_SECONDS
from focused.crawl import events
from focused.crawl.answers import answer, barred_before, failure, redirection
from focused.crawl.budget import FINISHED, Stop
from focused.crawl.scope import seed_addresses
from focused.crawl.url_table import State
from focused.exceptions import StorageError
from focused.live.assemble import assemble, model_of, tell_what_is_asked
from focused.live.clocks import CpuTime
from focused.live.commits import Commits
from focused.live.courtesy import Courtesy
from focused.live.event_sink import EventSink
from focused.live.forms import Rereading, now
from focused.live.journal import Journal, Record
from focused.live.lessons import Verdicts
from focused.live.orders import LOCK_SECONDS as DESK_SECONDS
from focused.live.orders import STOPPED, Orders
from focused.live.outage import LED_ELSEWHERE, NO_ANSWER, Driver, Outage, Witnesses, is_silent
from focused.live.own_requests import OwnRequests
from focused.live.rendering_outcome import RenderingOutcome
from focused.live.resume import resume
from focused.live.revisiting import NOT_MODIFIED, Revisiting
from focused.live.snapshots import Snapshots
from focused.page.documents import Document
from focused.page.media_types import ATOM, declared_type
from focused.page.page import Page, Unreadable
from focused.page.urls import Address
from focused.topic.topic import Topic

logger = logging.getLogger(__name__)

A_PROBE = "the answer for a page that cannot be"  #: why the answer to a probe is no page of the collection
#: Requests of the user's own that have no answer yet.
OPEN_REQUESTS = "SELECT url, request FROM requests WHERE url NOT IN (SELECT url FROM fetches) ORDER BY seq"


class Session(EventSink):
    """An open crawl of a topic.

    Parameters
    ----------
    topic : what to crawl
    folder : of its collection
    fresh : put the earlier collection aside and start anew
    snapshot_every : pages between two snapshots of the core's state, which bound what a crash makes it read again
    lock_seconds : how long to wait for another process that locks the database
    models : folder of trained models, which come before those of the package
    commit_seconds, commit_requests : as in `Commits`

    Attributes
    ----------
    driver : sends the requests; None before `drive_with`, and in tests
    interrupted : picks that an earlier run left under way; they are fetched first
    ended : why the run has ended
    seed_fates : each seed and why it gave no page, after a run that collected nothing
    commits : bounds what the crawl sends between two commits
    outage : whether the network is down; the crawl picks nothing while it asks witnesses
    cut_off : the last run was killed
    orders : what people ask of the crawl while it runs
    cpu : CPU time of the core, of reading and of the stores in this run
    questions_asked : number of questions to searches, all runs together

    Raises StorageError when the collection cannot be used or cannot be continued, ModelError for a trained model that does
    not fit.
    """

    def __init__(
        self,
        topic: Topic,
        folder: Path,
        *,
        fresh: bool = False,
        user_agent: str = "",
        robot: str = "",
        snapshot_every: int = 1000,
        models: Path | None = None,
        lock_seconds: float = LOCK_SECONDS,
        commit_seconds: float = 1.0,
        commit_requests: int = 50,
    ) -> None:
        self.topic, self.folder = topic, folder
        self.ended: Stop | None = None
        self._over: Stop | None = None
        self.driver: Driver | None = None
        self.commits = Commits(self._commit_or_end, commit_seconds, commit_requests)
        self.questions_asked = 0
        self.seed_fates: list[tuple[str, str]] = []
        self.cpu = CpuTime()
        self._told = set()
        #: tells a person how to let the next run go on where this one ends
        self.going_on = "the same command without -a fresh=true goes on" if fresh else "the same command goes on"
        self.reader, self.crawl = assemble(topic, models=models, robot=robot)
        model = model_of(topic, models)
        kind = topic.storage.pages
        self.collection = Collection(folder, pages=kind, fresh=fresh, user_agent=user_agent, lock_seconds=lock_seconds)
        self.store, self.repository = self.collection.store, self.collection.repository
        self._threads = ThreadPoolExecutor(1, thread_name_prefix="rescoring")
        self.crawl.rescorings.submit = lambda job: self._threads.submit(self.cpu.around(job)).result
        tell_what_is_asked(self.crawl, topic)
        try:
            with damage_is_told(self.store.path, f", or the strategy {topic.strategy} fails on what was fetched"):
                self._go_on(topic, model, snapshot_every)
        except BaseException:
            self._threads.shutdown(cancel_futures=True)
            self.collection.close()
            raise

    def _go_on(self, topic: Topic, model: str, snapshot_every: int) -> None:
        """Resume the crawl where its collection ends, and begin a run."""
        self.resumed = self.store.committed > 0
        is_rebuilt = resume(self.crawl, self.reader, self.collection, topic, model)
        self.own_requests = OwnRequests(dict(self.store.execute(OPEN_REQUESTS).fetchall()), self.reader.rules)
        self.journal = Journal(self.store, self.repository, self.crawl)
        self._begin(model)
        if not self.crawl.world.answers:
            self._answer_for_nobody()
        self.interrupted: list[events.Pick] = list(self.crawl.in_flight.values())
        self.outage = Outage(self, Witnesses.of(self.store), self.crawl.in_flight)
        self.revisiting = Revisiting(topic, self.reader, self)
        self._snapshots = Snapshots(
            self.store, self.crawl, snapshot_every, changed=lambda: self.revisiting.counts[CHANGED]
        )
        if is_rebuilt:
            self._snapshots.take_soon()
        desk, rules = Desk(self.folder, DESK_SECONDS), self.reader.rules
        verdicts = Verdicts(desk, self, rules, Rereading(self.crawl, self.reader, self.store, self.repository))
        self.orders = Orders(desk, self, rules, verdicts, denied=self._leave_denied_alone)
        self._leave_denied_alone()
        self.commit()

    def _begin(self, model: str) -> None:
        """Begin a run in the journal, and start from the seeds that no earlier run has used."""
        cut_off = self.store.execute("SELECT id FROM runs WHERE ended IS NULL").fetchall()
        for row in cut_off:
            logger.info("Run %d was cut off; it goes on from its last second", row[0])
            self.store.execute("UPDATE runs SET ended = ?, reason = 'cut off' WHERE id = ?", (now(), row[0]))
        topic = json.dumps(self.topic.as_dict(), sort_keys=True)
        self.cut_off = bool(cut_off)
        self.journal.run.begin(version=__version__, strategy=self.topic.strategy, topic=topic, model=model)
        started = {row[0] for row in self.store.execute("SELECT url FROM seeds")}
        seeds = seed_addresses(self.topic, self.reader.rules)
        seeds = [seed for seed in seeds if self.crawl.urls.find(seed.key) not in started]
        if seeds:
            event = events.Started(seeds)
            outcome = self.crawl.apply(event)
            self.journal.write(event, outcome)
            self.has_dropped(outcome)

    def _answer_for_nobody(self) -> None:
        """Answer the questions of an earlier run, and those that follow, with no backlinks: the topic has no provider any more."""
        self.crawl.world.answers = True  # until then: no question may stay open
        while (url := next(iter(self.crawl.asking), None)) is not None:
            self.apply(events.BacklinksNamed(url, ()))
        self.crawl.world.answers = False

    def drive_with(self, driver: Driver) -> None:
        """Let a driver send the requests from now on."""
        self.driver = driver

    @property
    def courtesy(self) -> Courtesy | None:
        """The limits that hosts have set, which the driver keeps."""
        return None if self.driver is None else self.driver.courtesy

    def stop(self) -> Stop | None:
        """Why the crawl fetches nothing more; None while there is something to do."""
        if self.error or self._over or self.orders.stopping:
            return self.error or self._over or STOPPED
        if self.revisiting:
            return None
        return self.crawl.stop(self.journal.run.seconds)

    def wait_no_more(self, stop: Stop) -> None:
        """Let this run end though URLs wait: the driver waits no longer for their hosts."""
        self._over = stop

    def next(self) -> events.Pick | None:
        """The next URL to fetch, written down as a pick; None when none may be fetched now."""
        if self.outage.suspicion or self.orders.paused or self.orders.stopping:
            return None
        pick = self._choose()
        if pick is None and self.outage.is_all_that_is_left:
            self.outage.settle()
            pick = None if self.error or self.outage.suspicion else self._choose()
        return pick

    def _choose(self) -> events.Pick | None:
        """Pick a page to re-fetch, or the next URL."""
        may_ask = None if self.driver is None else self.driver.may_ask
        with self._a_bug_ends_the_crawl(lambda: "choosing the next URL"):
            again = self.revisiting.next(may_ask)
            if again is not None or self.crawl.stop(self.journal.run.seconds) is not None:
                return again
            event = self.crawl.choose(may_ask, self.journal.run.seconds)
        return None if event is None else self.apply(event).pick

    def fetched(
        self,
        url: int,
        response: Stored,
        content_type: str,
        x_robots_tag: str = "",
        rendering: RenderingOutcome | None = None,
        document: Document | Unreadable | None = None,
        read: Page | None = None,
    ) -> Record | str:
        """Take in the response to a pick; return the record to store, or why it is no page (then it counts as failed).

        read : the page, if another topic had fetched it, so that no server was asked
        """
        if self.driver is not None:
            self.driver.leave(url)
        if self.error:  # the crawl is ending: the next run fetches it again
            return self.error.sentence
        if read is None:
            self.outage.heard(response.url)
        if url in self.crawl.revisiting and response.status == NOT_MODIFIED:
            return self._asked_again(lambda: self.revisiting.not_modified(url, response))
        found = read or self._read(url, response, content_type, x_robots_tag, document)
        if isinstance(found, Page):
            found.truncated |= bool(response.truncated)
        match answer(self.crawl, url, found, len(response.body), response.status):
            case events.PageArrived(page=page) if url in self.crawl.revisiting:
                return self._asked_again(lambda: self.revisiting.arrived(url, page, response, rendering))
            case events.PageArrived() as event:
                return self._page_arrived(event, response, rendering)
            case events.ProbeAnswered() as event:
                with self.writing():
                    place = None if event.page is None else self.repository.put(response, datetime.now(UTC))
                    self.apply(event, place)
                return A_PROBE
            case events.Failed(reason=reason):
                self.failed(url, reason, response.status)
                return reason

    def _read(
        self, url: int, response: Stored, content_type: str, x_robots_tag: str, document: Document | Unreadable | None
    ) -> Page | Unreadable:
        if why := barred_before(self.crawl, url, declared_type(content_type)):
            return Unreadable(why)
        return self.reader.read(response.url, response.body, content_type, x_robots_tag, document)

    def _page_arrived(
        self, event: events.PageArrived, response: Stored, rendering: RenderingOutcome | None = None
    ) -> Record | str:
        outcome = self.take_in(event)
        with self.recording():
            record = self.journal.arrived(outcome, response, rendering)
        if not record.arrival.is_list:
            return record
        with self.writing():
            self.journal.keep(record)
            self.journal.finish(record)
        return f"a {event.page.kind}, of which only the links are taken"

    def _asked_again(self, take_in: Callable[[], Record | str]) -> Record | str:
        """Take in the answer to a re-fetch; if the disk does not take it, the next run asks again."""
        with self.writing():
            return take_in()
        assert self.error is not None  # by the disk
        return self.error.sentence

    def found(self, address: Address, feed: bytes) -> None:
        """Take in links that a search or the like has named; do nothing if this was done before.

        address : where the answer is kept; no address of the Web (`.invalid`)
        feed : the links as an Atom feed (see `focused.page.link_lists`)
        """
        outcome = self.request(address, 0.0, None)
        if outcome is None:
            return
        [url] = outcome.urls
        self.apply(events.Picked(url))
        response = Stored(address.url, 200, (("Content-Type", ATOM),), feed)
        page = self.reader.read(address.url, feed, ATOM)
        assert isinstance(page, Page)
        self._page_arrived(events.PageArrived(url, page, len(feed)), response)

    def count_questions(self, asked: int) -> None:
        """Note how many questions the crawl has asked searches, all runs together."""
        self.questions_asked = asked

    def failed(self, url: int, reason: str, status: int | None = None, host: str = "") -> None:
        """Note that a pick gave no page, and why. A pick without an answer is in doubt until another fetch gets an answer.

        host : the host asked last, if redirects led to another than the URL's
        """
        if reason not in NO_ANSWER or url in self.crawl.traps.probes:
            if url not in self.crawl.traps.probes:
                self.outage.answered()
            self.give_up(url, reason, status)
            return
        again = url in self.crawl.revisiting
        own = self.revisiting.host_of(url) if again else self.crawl.hosts.names[self.crawl.in_flight[url].host]
        self.outage.doubt(url, host or own, reason if host in ("", own) else f"{LED_ELSEWHERE}: {reason}")

    def give_up(self, url: int, reason: str, status: int | None = None) -> None:
        """Close a pick that gave no page, for good."""
        if url in self.crawl.revisiting:
            self.revisiting.ended(url, reason, status)
        else:
            self.apply(failure(self.crawl, url, reason, status, silent=is_silent(reason)))

    def redirected(self, url: int, target: str, status: int | None) -> str | None:
        """Take in that a pick redirects to ``target``; return None to follow, or why the pick is closed.

        The crawl does not fetch a target a second time that was fetched, is under way or waits: the pick becomes its alias.
        """
        match redirection(self.crawl, self.reader.rules, url, target, status):
            case Address() as address:
                self.crawl.reserve(url, address)
                return None
            case events.Aliased() as event if url in self.crawl.revisiting:
                return self.revisiting.redirected(url, event)
            case events.Failed(reason=reason):
                self.failed(url, reason, status)
                return reason
            case events.Aliased(reason=reason) | events.ProbeAnswered(reason=reason) as event:
                self.apply(event)
                return reason

    def request(self, address: Address, score: float, saved: str | None) -> events.Outcome | None:
        """Put a request of the user's own code into the frontier, unless that is full; None for a URL that is done or under way.

        ``score`` is finite; ``saved`` is what rebuilds it after a restart.
        """
        known = self.crawl.urls.find(address.key)
        if known >= 0 and self.crawl.urls.state[known] in (State.PICKED, State.DONE):
            return None
        return self.apply(events.Requested(address, score, saved))

    def commit(self) -> bool:
        """Put on disk all that happened, and now and then a snapshot. Raises StorageError.

        False if another process has locked the database; the next try may work.
        """
        self.store.patient = False
        try:
            self._take_orders()
            self.journal.commit()
            self._snapshots.take_if_due()
        except BusyError as error:
            self.store.patience.met(error)
            return False
        finally:
            self.store.patient = True
        self.store.patience.over()
        self.orders.answer()
        return True

    def _commit_or_end(self) -> bool:
        """Commit; if the collection can no longer be written to, end the crawl with one clear line. False: not now."""
        with self.cpu, self.writing():
            return self.commit()
        return False

    def _take_orders(self) -> None:
        if self.error or self.ended:
            return
        try:
            self.orders.take()
        except BusyError:
            raise
        except StorageError as error:
            self.cannot_write(error)
        except Exception:
            if self.error is None:  # else the strategy failed, which was told already
                raise

    def _leave_denied_alone(self) -> None:
        """Stop fetching from hosts that a person has denied."""
        self.revisiting.waiting.leave_out(self.crawl.admission.is_denied)
        if self.driver is not None:
            self.driver.leave_denied_alone()

    def close(self, stop: Stop = FINISHED) -> None:
        """End the run: everything on disk, its reason in the database. The next run fetches again what was under way."""
        self.ended = self.error or stop
        try:
            with self.writing():
                self.journal.end(self.ended)
                self.orders.answer()
                self._snapshots.take()
            self.ended = self.error or self.ended
            if not self.crawl.totals.pages:
                self.seed_fates = fates_of_seeds(self)
        finally:
            self._threads.shutdown(wait=False, cancel_futures=True)
            self.collection.close()


def fates_of_seeds(session: Session) -> list[tuple[str, str]]:
    """Each seed of the topic, and why it gave no page."""
    store, rules = session.store, session.reader.rules
    fates = dict(store.execute("SELECT url, coalesce(reason, outcome) FROM history").fetchall())
    pending = {store.url(url): f"{reason}; the next run asks again" for url, reason in session.outage.reasons()}
    seeds = seed_addresses(session.topic, rules)
    return [(seed.url, pending.get(seed.url) or fates.get(seed.url, "was not asked for")) for seed in seeds]


def session_of(crawler: Crawler) -> Session:
    """The session of a crawl.

    Raises NotConfigured for a spider without a topic, so that the components of focused leave other spiders alone.
    """
    session = getattr(crawler.spider, "session", None)
    if not isinstance(session, Session):
        raise NotConfigured  # without a word: every `scrapy shell` would show it
    return session
