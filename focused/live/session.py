"""One run of a crawl. A session puts the parts together: what is read goes to the core, and what the core decides to the journal.

The Scrapy components (scheduler, middlewares, pipelines, extensions) all work on the one `Session` that an extension opens.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

from scrapy.crawler import Crawler
from scrapy.exceptions import NotConfigured

from focused import __version__
from focused.collection.collection import Collection
from focused.collection.desk import Desk
from focused.collection.repository import Stored
from focused.collection.sqlite_errors import BusyError, damage_is_told
from focused.collection.store import CHANGED, LOCK_SECONDS
from focused.crawl.crawl import Pick
from focused.crawl.redirects import judge_redirect
from focused.crawl.seeds import seed_addresses
from focused.crawl.stopping import FINISHED, Stop
from focused.crawl.url_table import State
from focused.exceptions import StorageError
from focused.live.assemble import assemble, model_of, tell_what_is_asked
from focused.live.commits import Commits
from focused.live.courtesy import Courtesy
from focused.live.cpu_time import CpuTime
from focused.live.journal import Journal, Record, now
from focused.live.lessons import Verdicts
from focused.live.orders import LOCK_SECONDS as DESK_SECONDS
from focused.live.orders import STOPPED, Orders
from focused.live.outage import LED_ELSEWHERE, NO_ANSWER, Doubts, is_silent
from focused.live.own_requests import OwnRequests
from focused.live.rendering_outcome import Outcome
from focused.live.rereading import Rereading
from focused.live.resume import resume
from focused.live.revisiting import NOT_MODIFIED, Revisiting
from focused.live.snapshots import Snapshots
from focused.live.witnesses import Witnesses
from focused.page.decoding import declared_type
from focused.page.documents import Document
from focused.page.link_lists import ATOM
from focused.page.page import Page, Unreadable
from focused.page.urls import Address
from focused.topic.topic import Topic

logger = logging.getLogger(__name__)

NO_LIST = "neither a sitemap nor a feed"  #: what a host has given that was asked for one
#: Requests of the user's own that have no answer yet.
OPEN_REQUESTS = "SELECT url, request FROM requests WHERE url NOT IN (SELECT url FROM fetches) ORDER BY seq"


class Session:
    """An open crawl of a topic.

    Parameters
    ----------
    topic : what to crawl
    folder : of its collection
    fresh : put what was collected before aside and start anew
    snapshot_every : pages between two snapshots of the core's state, which bound what a crash makes it read again
    lock_seconds : how long a lock of another process on the database is waited for
    models : folder of trained models, which come before those of the package

    Attributes
    ----------
    interrupted : picks that an earlier run left under way; they are fetched first
    error : what stopped the crawl before its time
    ended : why the run has ended
    seed_fates : each seed and why it gave no page, once a run has ended that collected nothing
    commits : sees to it that what is sent between two commits is bounded; whoever commits sets it
    leave_place : told of a pick whose answer has arrived, so that its host may be asked again; the scheduler sets it
    ask_witnesses : told URLs of hosts that answered before, one of which is to answer (`witnesses_said`) before the network is said
        to be down; the scheduler sets it
    may_ask : a last question about the host of a URL that is about to be picked; the scheduler sets it
    leave_denied_alone : told that a person has denied a host: what waits to be sent there is given up; the scheduler sets it
    courtesy : what hosts asked of us; the scheduler sets it
    cut_off : the last run was killed
    orders : what people ask of the crawl while it runs
    cpu : time that the core, reading and the stores have taken in this run
    questions_asked : of searches, all runs together; whoever asks them counts
    over : why the driver has nothing more to ask for in this run, though URLs wait
    suspicion : what speaks for an outage, while witnesses are asked: nothing is picked meanwhile

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
        snapshot_every: int = 1000,
        models: Path | None = None,
        lock_seconds: float = LOCK_SECONDS,
    ) -> None:
        self.topic, self.folder = topic, folder
        self.error: Stop | None = None
        self.ended: Stop | None = None
        self.leave_place: Callable[[int], None] | None = None
        self.commits = Commits(lambda: True)
        self.ask_witnesses: Callable[[list[str]], None] | None = None
        self.questions_asked = 0
        self.suspicion = ""
        self.over: Stop | None = None
        self.may_ask: Callable[[str], bool] | None = None
        self.leave_denied_alone: Callable[[], None] | None = None
        self.courtesy: Courtesy | None = None
        self.seed_fates: list[tuple[str, str]] = []
        self.cpu = CpuTime()
        #: what a person is told to do, for the next run to take up where this one ends
        self.going_on = "the same command without -a fresh=true goes on" if fresh else "the same command goes on"
        self.reader, self.crawl = assemble(topic, models=models)
        model = model_of(topic, models)
        kind = topic.storage.pages
        self.collection = Collection(folder, pages=kind, fresh=fresh, user_agent=user_agent, lock_seconds=lock_seconds)
        self.store, self.repository = self.collection.store, self.collection.repository
        self._threads = ThreadPoolExecutor(1, thread_name_prefix="rescoring")
        self.crawl.rescorings.submit = lambda job: self._threads.submit(self.cpu.around(job))
        tell_what_is_asked(self.crawl, topic)
        try:
            with damage_is_told(self.store.path, f", or the strategy {topic.strategy} fails on what was fetched"):
                self._go_on(topic, model, snapshot_every)
        except BaseException:
            self._threads.shutdown(cancel_futures=True)
            self.collection.close()
            raise

    def _go_on(self, topic: Topic, model: str, snapshot_every: int) -> None:
        """Take up the crawl where its collection ends, and begin a run."""
        self.resumed = self.store.committed > 0
        resumed = resume(self.crawl, self.reader, self.collection, topic, model)
        self.own_requests = OwnRequests(dict(self.store.execute(OPEN_REQUESTS).fetchall()), self.reader.rules)
        self._snapshots = Snapshots(self.store, self.crawl, snapshot_every)
        if resumed.rebuilt:
            self._snapshots.take_soon()
        self.journal = Journal(self.store, self.repository, self.crawl)
        self._begin(model)
        if not self.crawl.world.answers:
            self._answer_for_nobody()
        self.interrupted: list[Pick] = list(self.crawl.in_flight.values())
        self._doubts = Doubts(self.crawl.in_flight)
        self.revisiting = Revisiting(topic, self.reader, self.crawl, self.store, self.repository, self.journal)
        self._snapshots.changed = lambda: self.revisiting.counts[CHANGED]
        desk, rules = Desk(self.folder, DESK_SECONDS), self.reader.rules
        pages = Rereading(self.crawl, self.reader, self.store, self.repository)
        verdicts = Verdicts(desk, self.crawl, self.journal, rules, pages)
        self.orders = Orders(desk, self.crawl, self.journal, rules, verdicts)
        self.orders.denied = self._leave_denied_alone
        self._leave_denied_alone()
        self._witnesses = Witnesses.of(self.store)
        self.commit()

    def stop(self) -> Stop | None:
        """Why nothing more is to be fetched; None while there is something to do."""
        if self.error or self.over or self.orders.stopping:
            return self.error or self.over or STOPPED
        if self.revisiting:
            return None
        return self.crawl.stop(self.journal.seconds)

    def next(self) -> Pick | None:
        """The next URL to fetch, written down as a pick; None when none may be fetched now."""
        if self.suspicion or self.orders.paused or self.orders.stopping:
            return None
        pick = self._choose()
        if pick is None and self._doubts and self._nothing_else():
            self.settle()
            pick = None if self.error or self.suspicion else self._choose()
        if pick is not None and pick.id not in self.crawl.revisiting:
            self.journal.picked(pick)
        return pick

    def wants(self, page: Page) -> int | None:
        """Let a page wait that another topic has fetched, if it would count here; return its id, or None where it would not."""
        address = Address(page.key, page.host, page.url)
        with self._a_bug_ends_the_crawl(f"on {page.url}"):
            relevance = self.crawl.wants(address, page)
        if relevance is None:
            return None
        known = self.crawl.urls.find(address.key)
        waits = known >= 0 and self.crawl.urls.state[known] == State.WAITING
        return known if waits else self.request(address, relevance, None)

    def take(self, url: int) -> Pick | None:
        """Take a URL before its turn, written down as a pick; None where it waits no more, or nothing may be taken now."""
        if url in self.own_requests or self.suspicion or self.orders.paused or self.stop() is not None:
            return None
        if self.crawl.budget_is_taken or self.crawl.urls.state[url] != State.WAITING:
            return None
        with self._a_bug_ends_the_crawl("taking a page over"):
            pick = self.crawl.pick(url)
        self.journal.picked(pick)
        return pick

    def fetched(
        self,
        url: int,
        response: Stored,
        content_type: str,
        x_robots_tag: str = "",
        rendering: Outcome | None = None,
        document: Document | Unreadable | None = None,
        read: Page | None = None,
    ) -> Record | str:
        """Take in the response to a pick; return what is to be stored, or why it is no page (then it counts as failed).

        read : the page, where no server was asked: another topic had fetched it
        """
        if read is None:
            self.heard(response.url)
        if url in self.crawl.revisiting and response.status == NOT_MODIFIED:
            return self._asked_again(lambda: self.revisiting.not_modified(url, response))
        page = read or self._read(url, response, content_type, x_robots_tag, document)
        if url in self.crawl.traps.probes:
            return self._probed(url, page, response)
        if self.crawl.is_no_list(url, page if isinstance(page, Page) else None):
            reason = page.reason if isinstance(page, Unreadable) else NO_LIST
            self.failed(url, reason, response.status)
            return reason
        if isinstance(page, Unreadable):
            self.failed(url, page.reason, response.status)
            return page.reason
        if url in self.crawl.revisiting:
            with self._a_bug_ends_the_crawl(f"on {page.url}"):
                return self._asked_again(lambda: self.revisiting.arrived(url, page, response, rendering))
        return self._taken_in(url, page, response, rendering)

    def found(self, address: Address, feed: bytes) -> None:
        """Take in links that somebody has named, such as a search; nothing where this was done before.

        address : under which the answer is kept, one that nobody has on the Web (`.invalid`)
        feed : the links as an Atom feed (see `focused.page.link_lists`)
        """
        url = self.request(address, 0.0, None)
        if url is None:
            return
        self.journal.picked(self.crawl.pick(url))
        response = Stored(address.url, 200, (("Content-Type", ATOM),), feed)
        page = self.reader.read(address.url, feed, ATOM)
        assert isinstance(page, Page)
        self._taken_in(url, page, response)

    def _taken_in(self, url: int, page: Page, response: Stored, rendering: Outcome | None = None) -> Record | str:
        pick = self.crawl.in_flight[url]
        with self._a_bug_ends_the_crawl(f"on {page.url}"):
            arrival = self.crawl.fetched(url, page, len(response.body))
        record = self.journal.arrived(arrival, pick, response, rendering)
        if not arrival.is_list:
            return record
        self.keep(record)
        self.write(record)
        return f"a {page.kind}, of which only the links are taken"

    def keep(self, record: Record) -> None:
        """Put a page into the repository, once; a disk that does not take it ends the crawl."""
        with self._a_full_disk_ends_the_crawl():
            self.journal.keep(record)

    def write(self, record: Record) -> None:
        """Write a page's history, once; it is on disk after the next `commit`."""
        with self._a_full_disk_ends_the_crawl():
            self.journal.write(record)

    def answered(self, record: Record) -> None:
        """The spider's callback for a page has come to its end; until then its page is not written."""
        with self._a_full_disk_ends_the_crawl():
            self.journal.answered(record)

    def failed(self, url: int, reason: str, status: int | None = None, host: str = "") -> None:
        """Note that a pick gave no page, and why. One that got no answer is in doubt until something else gets one.

        host : the one asked last, where redirects led to another than the URL's
        """
        if url in self.crawl.traps.probes:
            self._probed(url, Unreadable(reason))
            return
        if reason not in NO_ANSWER:
            self._answered()
            self._fail(url, reason, status)
            return
        again = url in self.crawl.revisiting
        own = self.revisiting.host_of(url) if again else self.crawl.hosts.names[self.crawl.in_flight[url].host]
        self._doubts.add(url, host or own, reason if host in ("", own) else f"{LED_ELSEWHERE}: {reason}")
        self._judge_outage(nothing_else=False)

    def give_up(self, url: int, reason: str) -> None:
        """Close a pick that is not asked for any more, though nothing speaks against its host."""
        if url in self.crawl.traps.probes:
            self._probed(url, Unreadable(reason))
        else:
            self._fail(url, reason, None)

    def heard(self, url: str) -> None:
        """A host has answered, whatever it says: the network is not down, and this host can witness it later."""
        self._witnesses.note(url)
        self._answered()

    def settle(self) -> None:
        """Nothing is left to fetch but what is in doubt: it has failed, or the network is down, or witnesses are to tell."""
        if not self._judge_outage(nothing_else=True):
            self._answered()

    def witnesses_said(self, *, answered: bool) -> None:
        """Hosts that answered before were asked: if one did so again, what is in doubt has failed, else the network is down."""
        suspicion, self.suspicion = self.suspicion, ""
        if self.ended:
            return
        if answered:
            self._answered()
        elif suspicion:
            self._is_out(suspicion)

    def redirected(self, url: int, target: str, status: int | None) -> str | None:
        """Say what becomes of a pick that redirects to ``target``: None to follow, else the pick is closed and this is why.

        A target already fetched, under way or waiting is not fetched a second time: the pick becomes its alias.
        """
        if url in self.crawl.traps.probes:
            return self._probed(url, Unreadable("redirected"))
        found = judge_redirect(self.crawl, self.reader.rules, url, target)
        if found.fate == "alias" and url in self.crawl.revisiting:
            return self.revisiting.redirected(url, found, status)
        if found.address is None or found.fate == "fail" or (found.fate == "alias" and url in self.crawl.lists):
            self.failed(url, found.reason, status)
            return found.barred or found.reason
        if found.fate == "follow":
            self.journal.learn([self.crawl.reserve(url, found.address)], [found.address])
            return None
        pick = self.crawl.in_flight[url]
        with self._a_bug_ends_the_crawl(f"on {target}"):
            known = self.crawl.alias(url, found.address)
        self.journal.aliased(pick, known, found.reason, status)
        return found.reason

    def request(self, address: Address, score: float, saved: str | None) -> int | None:
        """Let a request of the user's own code wait in the frontier; return its id, or None for a URL that is already done.

        ``score`` is finite; ``saved`` is what rebuilds it after a restart.
        """
        known = self.crawl.urls.find(address.key)
        if known >= 0 and self.crawl.urls.state[known] in (State.PICKED, State.DONE):
            return None
        url = self.crawl.request(address, score)
        self.journal.requested(url, address, score, saved)
        return url

    def backlinks(self, url: int, found: Sequence[str]) -> None:
        """Take in the answer to a question of the strategy (`Crawl.asking`): canonical URLs of pages that link to a URL."""
        addresses = [self.reader.rules.address(canonical) for canonical in found]
        with self._a_bug_ends_the_crawl(f"on {self.store.url(url)}"):
            drops = self.crawl.backlinks(url, addresses)
        self.journal.named(url, addresses, drops)

    @property
    def has_driver(self) -> bool:
        """Our scheduler drives the crawl."""
        return self.leave_place is not None

    def came(self, url: int) -> None:
        """The answer to a pick has arrived: its host may be asked again."""
        if self.leave_place is not None:
            self.leave_place(url)

    @property
    def unanswered(self) -> int:
        """Fetches that got no answer and are not given up yet: the network may be down."""
        return len(self._doubts)

    def commit(self) -> bool:
        """Put on disk all that happened, and now and then a snapshot. Raises StorageError.

        False where another process has locked the database, and the same may work in a moment.
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

    def _take_orders(self) -> None:
        if self.error or self.ended:
            return
        try:
            with self._a_bug_ends_the_crawl("on what a person asked"):
                self.orders.take()
        except BusyError:
            raise
        except StorageError as error:
            self.cannot_write(error)
        except Exception:  # told, and not the caller's
            return

    def _leave_denied_alone(self) -> None:
        """Ask no more for pages of hosts that a person has denied."""
        self.revisiting.waiting.leave_out(self.crawl.admission.is_denied)
        if self.leave_denied_alone is not None:
            self.leave_denied_alone()

    def fail(self, stop: Stop) -> None:
        """Stop the crawl: what was committed is safe, what came later is fetched again by the next run."""
        if self.error is None:
            self.error = stop
            logger.error("%s", stop.sentence)

    def cannot_write(self, error: StorageError) -> None:
        """A disk or database that does not take what is to be kept ends the crawl."""
        self.fail(Stop("storage_error", str(error)))

    def close(self, stop: Stop = FINISHED) -> None:
        """End the run: everything on disk, its reason in the database. What was under way is fetched again next time."""
        self.ended = self.error or stop
        try:
            with self._a_full_disk_ends_the_crawl():
                self.journal.end(self.ended)
                self.orders.answer()
                self._snapshots.take()
            self.ended = self.error or self.ended
            if not self.crawl.totals.pages:
                self.seed_fates = self._fates_of_seeds()
        finally:
            self._threads.shutdown(wait=False, cancel_futures=True)
            self.collection.close()

    def _fates_of_seeds(self) -> list[tuple[str, str]]:
        """Each seed of the topic, and why it gave no page."""
        fates = dict(self.store.execute("SELECT url, coalesce(reason, outcome) FROM history").fetchall())
        pending = {self.store.url(url): f"{reason}; the next run asks again" for url, reason in self._doubts.reasons()}
        seeds = seed_addresses(self.topic, self.reader.rules)
        return [(seed.url, pending.get(seed.url) or fates.get(seed.url, "was not asked for")) for seed in seeds]

    def _begin(self, model: str) -> None:
        """Begin a run in the journal, and start from the seeds that no earlier run has started from."""
        cut_off = self.store.execute("SELECT id FROM runs WHERE ended IS NULL").fetchall()
        for row in cut_off:
            logger.info("Run %d was cut off; it goes on from its last second", row[0])
            self.store.execute("UPDATE runs SET ended = ?, reason = 'cut off' WHERE id = ?", (now(), row[0]))
        topic = json.dumps(self.topic.as_dict(), sort_keys=True)
        self.cut_off = bool(cut_off)
        self.journal.begin(version=__version__, strategy=self.topic.strategy, topic=topic, model=model)
        started = {row[0] for row in self.store.execute("SELECT url FROM seeds")}
        seeds = seed_addresses(self.topic, self.reader.rules)
        seeds = [seed for seed in seeds if self.crawl.urls.find(seed.key) not in started]
        if seeds:
            self.crawl.start(seeds)
            self.journal.seeded(seeds)

    def _answer_for_nobody(self) -> None:
        """What an earlier run asked, and what is asked on hearing this, has no answer: there is nobody to give one any more."""
        self.crawl.world.answers = True  # until then: no question may be left open
        while (url := next(iter(self.crawl.asking), None)) is not None:
            self.backlinks(url, ())
        self.crawl.world.answers = False

    def _choose(self) -> Pick | None:
        """A page that is asked for once more, or the next URL."""
        with self._a_bug_ends_the_crawl("choosing the next URL"):
            again = self.revisiting.next(self.may_ask)
            if again is not None or self.crawl.stop(self.journal.seconds) is not None:
                return again
            return self.crawl.next(self.may_ask, self.journal.seconds)

    def _read(
        self, url: int, response: Stored, content_type: str, x_robots_tag: str, document: Document | Unreadable | None
    ) -> Page | Unreadable:
        as_list = url in self.crawl.lists
        if not as_list and (why := self.crawl.bars_answer(declared_type(content_type))):
            return Unreadable(why)
        page = self.reader.read(response.url, response.body, content_type, x_robots_tag, document)
        if not as_list and isinstance(page, Page) and (why := self.crawl.bars_page(page)):
            return Unreadable(why)
        return page

    def _asked_again(self, take_in: Callable[[], Record | str]) -> Record | str:
        """What becomes of a page that was asked for once more; where the disk does not take that, the next run asks again."""
        with self._a_full_disk_ends_the_crawl():
            return take_in()
        assert self.error is not None  # by the disk
        return self.error.sentence

    def _probed(self, url: int, page: Page | Unreadable, response: Stored | None = None) -> str:
        """Take in what a host answers for a page that cannot be; return what it is, which is no page of the collection."""
        pick = self.crawl.in_flight[url]
        reason = page.reason if isinstance(page, Unreadable) else None
        self.crawl.probed(url, None if isinstance(page, Unreadable) else page)
        with self._a_full_disk_ends_the_crawl():
            self.journal.probed(pick, reason, None if reason else response)
        return "the answer for a page that cannot be"

    def _fail(self, url: int, reason: str, status: int | None) -> None:
        if url in self.crawl.revisiting:
            self.revisiting.ended(url, reason, status)
            return
        pick = self.crawl.in_flight[url]
        with self._a_bug_ends_the_crawl(f"on {self.store.url(url)}, which gave no page"):
            if url in self.crawl.lists:
                drops = self.crawl.gave_no_list(url, silent=is_silent(reason))
                self.journal.gave_no_list(pick, reason, status, drops)
                return
            drops = self.crawl.failed(url, silent=is_silent(reason))
        self.journal.failed(pick, reason, status, drops)

    def _judge_outage(self, *, nothing_else: bool) -> bool:
        """Whether nothing may be given up yet: the network is down, or hosts that answered before are asked whether it is."""
        if self.suspicion or self.error:
            return True
        witnesses = self._witnesses.to_ask(self._doubts.hosts, self._wants_rest) if self.ask_witnesses else []
        outage = self._doubts.outage(
            self.crawl.frontier.hosts_waiting,
            collected=self.crawl.totals.pages > 0,
            nothing_else=nothing_else,
            witnessed=bool(witnesses),
        )
        if outage and self.ask_witnesses and witnesses:
            self.suspicion = outage
            self.ask_witnesses(witnesses)
        elif outage:
            self._is_out(outage)
        return outage is not None

    def _wants_rest(self, host: str) -> bool:
        return self.courtesy is not None and self.courtesy.is_left_alone(host)

    def _is_out(self, outage: str) -> None:
        self.fail(Stop("outage", f"{outage}; {self.going_on} with these URLs"))

    def _answered(self) -> None:
        self.suspicion = ""
        for url, reason in self._doubts.answered():
            self._fail(url, reason, None)

    def _nothing_else(self) -> bool:
        crawl = self.crawl
        return len(self._doubts) == len(crawl.in_flight) - len(crawl.put_off) and (
            crawl.is_spent or crawl.budget_is_taken or crawl.waits_for_arrivals
        )

    @contextmanager
    def _a_bug_ends_the_crawl(self, where: str) -> Iterator[None]:
        """What a strategy that fails leaves half done must not be written down; a crawl that went on would lose all later."""
        try:
            yield
        except Exception as error:
            logger.error("The strategy %s failed", self.topic.strategy, exc_info=True)
            what = f"the strategy {self.topic.strategy} failed {where}: {type(error).__name__}: {error}"
            self.fail(Stop("strategy_error", what))
            raise

    @contextmanager
    def _a_full_disk_ends_the_crawl(self) -> Iterator[None]:
        try:
            yield
        except StorageError as error:
            self.cannot_write(error)


def session_of(crawler: Crawler) -> Session:
    """The session of a crawl.

    Raises NotConfigured where the spider has no topic, so that the components of focused leave other spiders alone.
    """
    session = getattr(crawler.spider, "session", None)
    if not isinstance(session, Session):
        raise NotConfigured  # without a word: every `scrapy shell` would show it
    return session
