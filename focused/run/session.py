"""One run of a crawl: the core and the collection together, so that whatever the core decides is written down.

The Scrapy components (scheduler, middlewares, pipelines, progress) all work on the one `Session` that the extension owns.
"""

from __future__ import annotations

import json
import logging
import pickle
import time
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from focused import __version__
from focused.crawl.admission import Drop
from focused.crawl.crawl import Address, Arrival, Pick
from focused.crawl.redirects import judge_redirect
from focused.crawl.totals import reached
from focused.crawl.url_table import State
from focused.exceptions import StorageError
from focused.reading.decoding import declared_type
from focused.reading.page import Page, Unreadable
from focused.reading.urls import host_of
from focused.run.assemble import assemble, model_of
from focused.run.outage import NO_ANSWER, Doubts
from focused.run.rendering_outcome import Outcome
from focused.run.resume import resume, state_version
from focused.storage.collection import Collection
from focused.storage.repository import Place, Stored
from focused.storage.snapshot import encode
from focused.storage.store import Row, Unit, link_rows
from focused.topic.topic import Topic

logger = logging.getLogger(__name__)

#: Requests of the user's own that have no answer yet.
OPEN_REQUESTS = "SELECT url, request FROM requests WHERE url NOT IN (SELECT url FROM fetches) ORDER BY seq"

#: Ends the URL under which a rendered page is kept; a canonical URL has no fragment, so no page is called so.
RENDERED_SUFFIX = "#rendered"


@dataclass(slots=True)
class Record:
    """A fetched page on its way to the collection: what it changed, and what is to be stored."""

    event: int
    arrival: Arrival
    pick: Pick
    stored: Stored
    fetched_at: datetime
    unit: Unit
    place: Place | None = None
    rendering: Outcome | None = None  #: where the topic renders pages
    plain_place: Place | None = None  #: of the response that was rendered
    overdue: bool = False  #: a commit has come and the pipelines had not written it yet


class Session:
    """An open crawl of a topic.

    Parameters
    ----------
    topic : what to crawl
    folder : of its collection
    fresh : put what was collected before aside and start anew
    snapshot_every : pages between two snapshots of the core's state, which bound what a crash makes it read again
    models : folder of trained models, which come before those of the package

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
    ) -> None:
        self.topic, self.folder = topic, folder
        self.reader, self.crawl = assemble(topic, models=models)
        self._model = model_of(topic, models)
        self.collection = Collection(folder, pages=topic.storage.pages, fresh=fresh, user_agent=user_agent)
        self.store, self.repository = self.collection.store, self.collection.repository
        #: what a person is told to do, for the next run to take up where this one ends
        self.going_on = "the same command without -a fresh=true goes on" if fresh else "the same command goes on"
        self.error: str | None = None  #: what stopped the crawl before its time
        self.ended = ""  #: why the run has ended
        self._snapshot_every = snapshot_every
        self._new_urls: list[Row] = []
        self._unwritten: dict[int, Record] = {}  # pages on their way through the pipelines, by event
        self._delays: dict[str, float | None] = {}  # Crawl-delays to be written with the next commit
        self._custom: dict[int, bytes | None] = {}  # requests that the user's own code made, by URL id
        self._threads = ThreadPoolExecutor(1, thread_name_prefix="rescoring")
        self.crawl.rescorings.submit = self._threads.submit
        self.crawl.answers = topic.backlinks.provider != "none"
        try:
            self._seconds_before: float = sum(row[0] for row in self.store.execute("SELECT seconds FROM runs"))
            resumed = resume(self.crawl, self.reader, self.collection, topic, self._model)
            self.resumed = self.store.committed > 0
            if not self.crawl.answers:  # asked in an earlier run, and there is nobody to answer any more
                self.crawl.asking.clear()
            self._hosts_written = len(self.crawl.hosts)
            self._urls_written = len(self.crawl.urls)
            self._custom.update(self.store.execute(OPEN_REQUESTS).fetchall())
            self._snapshot_at = -snapshot_every if resumed.rebuilt else self.crawl.totals.pages
            self._run = self._begin_run()
            self._start_seeds()
            self.interrupted: list[Pick] = list(self.crawl.in_flight.values())
            self._doubts = Doubts(self.crawl.in_flight)
            self.commit()
        except BaseException:
            self._threads.shutdown(cancel_futures=True)
            self.collection.close()
            raise

    @property
    def seconds(self) -> float:
        """Time spent crawling, all runs together."""
        return self._seconds_before + time.monotonic() - self._started

    def address(self, canonical: str) -> Address:
        """A canonical URL with its identity."""
        return Address(self.reader.rules.key(canonical), host_of(canonical), canonical)

    def stop_reason(self) -> str | None:
        """Why nothing more is to be fetched, in words for a person; None while there is something to do."""
        if self.error:
            return self.error
        reason = reached(self.topic.budget, self.crawl.totals, self.seconds)
        if reason is None and self.crawl.exhausted:
            reason = "dead end: no URL is left to fetch"
        return reason

    def next(self) -> Pick | None:
        """The next URL to fetch, written down as a pick; None when none may be fetched now."""
        pick = self._choose()
        if pick is None and self._doubts and self._nothing_else():
            self.settle()
            pick = None if self.error else self._choose()
        if pick is not None:
            parts = json.dumps(dict(zip(self.crawl.strategy.parts, pick.parts, strict=True)))
            source = pick.source if pick.source >= 0 else None
            row = (pick.event, self._run, pick.id, _now(), pick.score, parts, source, pick.depth, pick.passed_over)
            self._write([("picks", [row])])
        return pick

    def _choose(self) -> Pick | None:
        with self._a_bug_ends_the_crawl("choosing the next URL"):
            return self.crawl.next()

    def fetched(
        self,
        url: int,
        response: Stored,
        content_type: str,
        x_robots_tag: str = "",
        rendering: Outcome | None = None,
    ) -> Record | str:
        """Take in the response to a pick; return what is to be stored, or why it is no page (then it counts as failed)."""
        self._answered()
        page = self._read(response, content_type, x_robots_tag)
        if isinstance(page, Unreadable):
            self.failed(url, page.reason, response.status)
            return page.reason
        pick = self.crawl.in_flight[url]
        with self._a_bug_ends_the_crawl(f"on {page.url}"):
            arrival = self.crawl.fetched(url, page, len(response.body))
        self._learn([arrival.visit.id], [Address(page.key, page.host, page.url)])
        self._learn((int(arrival.visit.targets[i]) for i in arrival.new), (page.links[i] for i in arrival.new))
        unit = [*self._addresses(), ("links", link_rows(arrival)), ("drops", self._drop_rows(arrival.drops))]
        stored, now = replace(response, url=page.url), datetime.now(UTC)
        record = Record(self.crawl.events, arrival, pick, stored, now, unit, rendering=rendering)
        self._unwritten[record.event] = record
        return record

    @contextmanager
    def _a_bug_ends_the_crawl(self, where: str) -> Iterator[None]:
        """What a strategy that fails leaves half done must not be written down; a crawl that went on would lose all later."""
        try:
            yield
        except Exception as error:
            logger.error("The strategy %s failed", self.topic.strategy, exc_info=True)
            self.fail(f"the strategy {self.topic.strategy} failed {where}: {type(error).__name__}: {error}")
            raise

    def _read(self, response: Stored, content_type: str, x_robots_tag: str) -> Page | Unreadable:
        if why := self.crawl.bars_type(declared_type(content_type)):
            return Unreadable(why)
        page = self.reader.read(response.url, response.body, content_type, x_robots_tag)
        if isinstance(page, Page) and (why := self.crawl.bars_type(page.content_type)):
            return Unreadable(why)
        return page

    def keep(self, record: Record) -> None:
        """Put a page into the repository, once; a disk that does not take it ends the crawl.

        What was rendered comes after the response it was made of, under a URL of its own.
        """
        if record.place is not None:  # a commit was faster than the pipelines
            return
        page, plain = record.stored, record.rendering.plain if record.rendering else None
        try:
            if plain is not None:
                record.plain_place = self.repository.put(replace(plain, url=page.url), record.fetched_at)
                page = replace(page, url=page.url + RENDERED_SUFFIX)
            record.place = self.repository.put(page, record.fetched_at)
        except StorageError as error:
            self.fail(error)

    def write(self, record: Record) -> None:
        """Write a page's history, once; it is on disk after the next `commit`."""
        if record.event not in self._unwritten:
            return
        self.keep(record)  # if a pipeline before ours gave the page up
        arrival, visit, place = record.arrival, record.arrival.visit, record.place
        if place is None:
            return
        page, rendering, plain = visit.page, record.rendering, record.plain_place
        reason, status = rendering.reason if rendering else None, record.stored.status
        row = (
            *(record.event, self._run, record.pick.event, record.pick.id, visit.id, "page", reason, status),
            *(_iso(record.fetched_at), len(record.stored.body), page.content_type, page.language, page.title),
            *(visit.relevance, int(visit.relevant), page.content_hash, arrival.duplicate_of),
            *(int(page.noindex), int(page.truncated), place.file, place.offset, place.length),
            int(rendering.rendered) if rendering else None,
            *((plain.file, plain.offset, plain.length) if plain else (None, None, None)),
        )
        self.store.add(record.event, [*record.unit, ("fetches", [row])])
        del self._unwritten[record.event]

    def failed(self, url: int, reason: str, status: int | None = None) -> None:
        """Note that a pick gave no page, and why. One that got no answer is in doubt until something else gets one."""
        if reason not in NO_ANSWER:
            self._answered()
            self._fail(url, reason, status)
            return
        self._doubts.add(url, self.crawl.hosts.names[self.crawl.in_flight[url].host], reason)
        self._judge_outage(nothing_else=False)

    def settle(self) -> None:
        """Nothing is left to fetch but what is in doubt: it has failed, or the network is down."""
        if not self._judge_outage(nothing_else=True):
            self._answered()

    def _judge_outage(self, *, nothing_else: bool) -> bool:
        outage = self._doubts.outage(
            self.crawl.frontier.hosts_waiting, collected=self.crawl.totals.pages > 0, nothing_else=nothing_else
        )
        if outage:
            self.fail(f"{outage}: {self.going_on} with these URLs")
        return outage is not None

    def _answered(self) -> None:
        for url, reason in self._doubts.answered():
            self._fail(url, reason, None)

    def _nothing_else(self) -> bool:
        return len(self._doubts) == len(self.crawl.in_flight) and (
            not len(self.crawl.frontier) or self.crawl.budget_is_taken
        )

    def _fail(self, url: int, reason: str, status: int | None) -> None:
        pick = self.crawl.in_flight[url]
        drops = self.crawl.failed(url)
        fetch = self._fetch_row(pick, None, "failed", reason, status)
        self._write([("fetches", [fetch]), ("drops", self._drop_rows(drops))])

    def redirected(self, url: int, target: str, status: int | None) -> str | None:
        """Say what becomes of a pick that redirects to ``target``: None to follow, else the pick is closed and this is why.

        A target already fetched, under way or waiting is not fetched a second time: the pick becomes its alias.
        """
        found = judge_redirect(self.crawl, self.reader.rules, url, target)
        if found.address is None or found.fate == "fail":
            self.failed(url, found.reason, status)
            return found.barred or found.reason
        if found.fate == "follow":
            ids, _ = self.crawl.reserve(url, found.address)
            self._learn(ids.tolist(), [found.address])
            return None
        pick = self.crawl.in_flight[url]
        known = self.crawl.alias(url, found.address)
        self._write([("fetches", [self._fetch_row(pick, known, "alias", found.reason, status)])])
        return found.reason

    def request(self, address: Address, score: float, request: bytes | None) -> bool:
        """Let a request of the user's own code wait in the frontier; return False for a URL that is already done.

        ``score`` is finite; ``request`` is what rebuilds it after a restart (`scrapy.Request.to_dict`, pickled).
        """
        known = self.crawl.urls.find(address.key)
        if known >= 0 and self.crawl.urls.state[known] in (State.PICKED, State.DONE):
            return False
        url = self.crawl.request(address, score)
        self._learn([url], [address])
        self._custom[url] = request
        self._write([("requests", [(self.crawl.events, url, score, request)])])
        return True

    def backlinks(self, url: int, found: Sequence[str]) -> None:
        """Take in the answer to a question of the strategy (`Crawl.asking`): canonical URLs of pages that link to a URL."""
        addresses = [self.address(canonical) for canonical in found]
        with self._a_bug_ends_the_crawl(f"on {self.store.url(url)}"):
            drops = self.crawl.backlinks(url, addresses)
        ids = [self.crawl.urls.find(address.key) for address in addresses]
        self._learn(ids, addresses)
        rows: list[Row] = [(self.crawl.events, url, backlink) for backlink in ids] or [(self.crawl.events, url, None)]
        self._write([("backlinks", rows), ("drops", self._drop_rows(drops))])

    def custom_request(self, url: int) -> dict[str, Any] | None:
        """What rebuilds the request that the user's own code made for a URL; None for any other URL."""
        data = self._custom.pop(url, None)
        request: dict[str, Any] | None = pickle.loads(data) if data else None  # written by this very crawl
        return request

    def crawl_delay(self, host: str, seconds: float | None) -> None:
        """Remember the Crawl-delay of a host's robots.txt for later runs; None where it has none any more."""
        self._delays[host] = seconds

    def commit(self) -> None:
        """Put on disk all that happened: pages first, then the journal that points to them; now and then a snapshot.

        A page that has not come through the pipelines since the last commit (one of the user's own holds it or gave it up)
        is written all the same: nothing later could be committed without it.
        """
        for record in list(self._unwritten.values()):
            if record.overdue:
                self.write(record)
            record.overdue = True
        self.repository.flush()
        extra: list[tuple[str, Row]] = [("UPDATE runs SET seconds = ? WHERE id = ?", (self._run_seconds(), self._run))]
        extra += [
            ("UPDATE hosts SET crawl_delay = ? WHERE name = ?", (delay, host)) for host, delay in self._delays.items()
        ]
        self.store.commit(extra)
        self._delays.clear()
        if self.crawl.totals.pages - self._snapshot_at >= self._snapshot_every:
            self.snapshot()

    def snapshot(self) -> None:
        """Save the core's state where the journal stands, if all events up to now are in it and no rescoring is under way."""
        if self.store.committed != self.crawl.events or self.crawl.rescorings.under_way:
            return
        self._snapshot_at = self.crawl.totals.pages
        state = encode(self.crawl.snapshot())
        self.store.replace_all(
            [
                ("DELETE FROM snapshots", [()]),
                ("INSERT INTO snapshots VALUES (?, ?, ?, ?)", [(self.store.committed, state_version(), _now(), state)]),
            ]
        )

    def fail(self, error: StorageError | str) -> None:
        """Stop the crawl: what was committed is safe, what came later is fetched again by the next run."""
        if self.error is None:
            self.error = str(error)
            logger.error("%s", error)

    def close(self, reason: str) -> None:
        """End the run: everything on disk, its reason in the database. What was under way is fetched again next time."""
        self.ended = self.error or reason
        try:
            self.commit()
            self.commit()  # of pages that no pipeline has written
            self.snapshot()
            values = (_now(), self._run_seconds(), self.ended, self._run)
            self.store.execute("UPDATE runs SET ended = ?, seconds = ?, reason = ? WHERE id = ?", values)
        except StorageError as error:
            self.fail(error)
            self.ended = str(self.error)
        finally:
            self._threads.shutdown(wait=False, cancel_futures=True)
            self.collection.close()

    def _begin_run(self) -> int:
        self._started = time.monotonic()
        for row in self.store.execute("SELECT id FROM runs WHERE ended IS NULL").fetchall():
            logger.info("Run %d was cut off; it goes on from its last second", row[0])
            self.store.execute("UPDATE runs SET ended = ?, reason = 'cut off' WHERE id = ?", (_now(), row[0]))
        topic = json.dumps(self.topic.as_dict(), sort_keys=True)
        cursor = self.store.execute(
            "INSERT INTO runs (started, version, strategy, topic, model) VALUES (?, ?, ?, ?, ?)",
            (_now(), __version__, self.topic.strategy, topic, self._model),
        )
        return int(cursor.lastrowid or 0)

    def _start_seeds(self) -> None:
        """Start from the seeds that no earlier run has started from."""
        started = {row[0] for row in self.store.execute("SELECT url FROM seeds")}
        rules = self.reader.rules
        examples = (example.source for example in self.topic.examples if example.body is None)
        urls = (rules.canonical(url) for url in (*self.topic.seeds, *examples))
        addresses = {address.key: address for url in urls if url for address in [self.address(url)]}
        seeds = [seed for seed in addresses.values() if self.crawl.urls.find(seed.key) not in started]
        if seeds:
            self.crawl.start(seeds)
            ids = [self.crawl.urls.find(seed.key) for seed in seeds]
            self._learn(ids, seeds)
            self._write([("seeds", [(self.crawl.events, url) for url in ids])])

    def _learn(self, ids: Iterable[int], addresses: Iterable[Any]) -> None:
        """Note URLs (anything with key and url) that may be new, so that the next unit holds them."""
        rows = [
            (url, address.key, int(self.crawl.urls.host[url]), address.url)
            for url, address in zip(ids, addresses, strict=True)
        ]
        new = [row for row in rows if row[0] >= self._urls_known]
        self._new_urls += new
        self.store.announce(new)

    @property
    def _urls_known(self) -> int:
        return self._urls_written + len(self._new_urls)

    def _addresses(self) -> Unit:
        """Rows of hosts and URLs that no unit holds yet."""
        hosts = [(i, self.crawl.hosts.names[i], None) for i in range(self._hosts_written, len(self.crawl.hosts))]
        urls, self._new_urls = self._new_urls, []
        self._hosts_written += len(hosts)
        self._urls_written += len(urls)
        return [("hosts", hosts), ("urls", urls)]

    def _write(self, unit: Unit) -> None:
        self.store.add(self.crawl.events, [*self._addresses(), *unit])

    def _drop_rows(self, drops: Sequence[Drop]) -> list[Row]:
        return [(url, reason, self.crawl.events) for url, reason in drops]

    def _fetch_row(self, pick: Pick, final: int | None, outcome: str, reason: str, status: int | None) -> Row:
        head = (self.crawl.events, self._run, pick.event, pick.id, final, outcome, reason, status, _now())
        return (*head, *[None] * 17)

    def _run_seconds(self) -> float:
        return time.monotonic() - self._started


def _iso(when: datetime) -> str:
    return when.isoformat(timespec="milliseconds")


def _now() -> str:
    return _iso(datetime.now(UTC))
