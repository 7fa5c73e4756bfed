"""The journal of a crawl: whatever the core decides becomes rows of crawl.db, and pages go to the repository before them.

Every event of the core is one unit of rows. Units are committed together and in order, about once a second: what was not
committed never happened.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from time import monotonic
from typing import Any

from focused.collection.repository import PageRepository, Place, Stored
from focused.collection.store import INSERT, LIST, Row, Store, Unit, link_rows
from focused.crawl.admission import Drop
from focused.crawl.crawl import Arrival, Crawl, Pick
from focused.crawl.standing_orders import Order
from focused.crawl.stopping import Stop
from focused.crawl.teaching import JUDGED, SAID, Lesson
from focused.live.own_fields import MOST_FIELDS, Field, as_json, checked
from focused.live.reasons import kind_of
from focused.live.rendering_outcome import Outcome
from focused.live.stopwatch import Stopwatch
from focused.page.plain_text import LONGEST_REASON, plain
from focused.page.urls import Address

#: Ends the URL under which a rendered page is kept; a canonical URL has no fragment, so no page is called so.
RENDERED_SUFFIX = "#rendered"
#: Seconds for which commits wait for a page that is on its way through the spider's callback and the pipelines.
PATIENCE = 2.0


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
    outcome: str = "page"  #: or that of a page that was asked for once more
    held_since: float | None = None  #: when a commit first found it unwritten, by the clock of the journal
    fields: dict[str, Field] = field(default_factory=dict)  #: of the spider's own
    in_callback: bool = False  #: the spider's callback is under way, and may add fields
    is_through: bool = False  #: the pipelines are done with it
    is_for_all: bool = False  #: topics that are crawled together may take it over


class Journal:
    """Writes down one run of a crawl.

    store, repository : where to; the core must stand where the journal in the store ends
    clock : in seconds; tells how long pages have been on their way through the pipelines
    """

    def __init__(
        self, store: Store, repository: PageRepository, crawl: Crawl, clock: Callable[[], float] = monotonic
    ) -> None:
        self.store, self.repository, self.crawl, self.clock = store, repository, crawl, clock
        self._new_urls: list[Row] = []
        self._hosts_written, self._urls_written = len(crawl.hosts), len(crawl.urls)
        self._unwritten: dict[int, Record] = {}  # pages on their way through the pipelines, by event
        #: each gives statements that belong to the next commit, beside the events
        self.notes: list[Callable[[], Iterable[tuple[str, Row]]]] = []
        self._delays: dict[str, float | None] = {}  # Crawl-delays to be written with the next commit
        self._late_fields: dict[int, str] = {}  # of the spider's own, that came after their page was written, by event
        self._seconds_before: float = sum(row[0] for row in store.execute("SELECT seconds FROM runs"))
        self._watch = Stopwatch()
        self._run = 0
        #: by kind of reason, over all runs
        self.failures = self._counted("SELECT reason, count(*) FROM failures GROUP BY reason")
        self.drops = self._counted("SELECT reason, count(*) FROM dropped GROUP BY reason")
        self.arrivals_before, self.picks_before = crawl.frontier.arrivals, crawl.world.picks

    @property
    def seconds(self) -> float:
        """Time spent crawling, all runs together."""
        return self._seconds_before + self._run_seconds()

    def pause(self) -> None:
        """Let the time stand; what is spent from here on is not spent crawling."""
        self._watch.stop()

    def go_on(self) -> None:
        self._watch.start()

    def begin(self, *, version: str, strategy: str, topic: str, model: str) -> None:
        """Begin a run. ``topic`` is all of it as JSON, ``model`` the digest of the trained model."""
        cursor = self.store.execute(
            "INSERT INTO runs (started, version, strategy, topic, model) VALUES (?, ?, ?, ?, ?)",
            (now(), version, strategy, topic, model),
        )
        self._run = int(cursor.lastrowid or 0)

    def end(self, stop: Stop) -> None:
        """End the run: everything on disk, its reason in the database."""
        self.commit(patience=0.0)
        values = (now(), self._run_seconds(), stop.sentence, stop.slug, self._run)
        self.store.execute("UPDATE runs SET ended = ?, seconds = ?, reason = ?, stop = ? WHERE id = ?", values)

    def seeded(self, seeds: Sequence[Address]) -> None:
        """The core has started from these seeds."""
        ids = [self.crawl.urls.find(seed.key) for seed in seeds]
        self.learn(ids, seeds)
        self._write([("seeds", [(self.crawl.events, url) for url in ids])])

    def requested(self, url: int, address: Address, score: float, saved: str | None) -> None:
        """A request of the user's own waits; ``saved`` rebuilds it."""
        self.learn([url], [address])
        self._write([("requests", [(self.crawl.events, url, score, saved)])])

    def picked(self, pick: Pick) -> None:
        parts = json.dumps(dict(zip(self.crawl.strategy.parts, pick.parts, strict=True)))
        source = pick.source if pick.source >= 0 else None
        row = (pick.event, self._run, pick.id, now(), pick.score, parts, source, pick.depth, pick.passed_over)
        self._write([("picks", [row])])

    def arrived(self, arrival: Arrival, pick: Pick, stored: Stored, rendering: Outcome | None = None) -> Record:
        """The core has taken in a page; it is written when it has come through the pipelines (`write`)."""
        page, targets = arrival.visit.page, arrival.visit.targets
        self.learn([arrival.visit.id], [Address(page.key, page.host, page.url)])
        links = [page.links[position] for position in arrival.new]
        self.learn(targets[arrival.new].tolist(), [Address(link.key, link.host, link.url) for link in links])
        if arrival.probe is not None:
            self.learn([self.crawl.urls.find(arrival.probe.key)], [arrival.probe])
        self.learn([self.crawl.urls.find(address.key) for address in arrival.lists], arrival.lists)
        unit = [*self._addresses(), ("links", link_rows(arrival)), ("drops", self._drop_rows(arrival.drops))]
        fetched_at = datetime.now(UTC)
        record = Record(
            self.crawl.events, arrival, pick, replace(stored, url=page.url), fetched_at, unit, rendering=rendering
        )
        if arrival.is_list:
            record.outcome = LIST
        self._unwritten[record.event] = record
        return record

    def keep(self, record: Record) -> None:
        """Put a page into the repository, once. Raises StorageError where the disk does not take it.

        What was rendered comes after the response it was made of, under a URL of its own.
        """
        if record.place is not None:  # a commit was faster than the pipelines
            return
        page, plain = record.stored, record.rendering.plain if record.rendering else None
        if plain is not None:
            record.plain_place = self.repository.put(replace(plain, url=page.url), record.fetched_at)
            page = replace(page, url=page.url + RENDERED_SUFFIX)
        record.place = self.repository.put(page, record.fetched_at)

    def write(self, record: Record) -> None:
        """Write a page's history, once; it is on disk after the next `commit`. Errors are those of `keep`.

        While the spider's callback is under way, that waits for `answered`: page and fields belong together.
        """
        record.is_through = True
        if record.event not in self._unwritten or record.in_callback:
            return
        self.keep(record)  # if a pipeline before ours gave the page up
        arrival, visit, place = record.arrival, record.arrival.visit, record.place
        assert place is not None  # by `keep`
        page, rendering, plain = visit.page, record.rendering, record.plain_place
        reason, status = rendering and rendering.reason and _short(rendering.reason), record.stored.status
        row = (
            *(record.event, self._run, record.pick.event, record.pick.id, visit.id, record.outcome, reason, status),
            *(iso(record.fetched_at), len(record.stored.body), page.content_type, page.language, page.title),
            *(visit.relevance, int(visit.counts), page.content_hash, arrival.duplicate_of),
            *(int(page.noindex), int(page.truncated), place.file, place.offset, place.length),
            int(rendering.rendered) if rendering else None,
            *((plain.file, plain.offset, plain.length) if plain else (None, None, None)),
            visit.verdict or None,
            visit.kind or None,
        )
        own: list[Row] = [(record.event, as_json(record.fields))] if record.fields else []
        self.store.add(record.event, [*record.unit, ("fetches", [row]), ("own_fields", own)])
        del self._unwritten[record.event]

    def answered(self, record: Record) -> None:
        """The spider's callback has come to its end. Errors are those of `keep`."""
        record.in_callback = False
        if record.is_through:
            self.write(record)

    def add_fields(self, record: Record, fields: Mapping[str, Any]) -> None:
        """Keep fields of the spider's own with a page. Raises ValueError, or TypeError, for what cannot be kept."""
        merged = record.fields | checked(fields)
        if len(merged) > MOST_FIELDS:
            raise ValueError(f"{record.stored.url}: these are more than {MOST_FIELDS} fields")
        record.fields = merged
        if record.event not in self._unwritten:
            self._late_fields[record.event] = as_json(merged)

    def failed(self, pick: Pick, reason: str, status: int | None, drops: Sequence[Drop]) -> None:
        """A pick gave no page."""
        self.failures[kind_of(_short(reason))] += 1
        self._write([self._fetch(pick, None, "failed", reason, status), ("drops", self._drop_rows(drops))])

    def gave_no_list(self, pick: Pick, reason: str, status: int | None, drops: Sequence[Drop]) -> None:
        """A pick gave no list, as which it was asked for."""
        self._write([self._fetch(pick, None, LIST, reason, status), ("drops", self._drop_rows(drops))])

    def probed(self, pick: Pick, reason: str | None, stored: Stored | None) -> None:
        """A host has answered for a page that cannot be: with one (``stored``), or none and why. Errors are those of `keep`."""
        if stored is None:
            self._write([self._fetch(pick, None, "probe", reason or "", None)])
            return
        place = self.repository.put(stored, datetime.now(UTC))
        self._write([self._fetch(pick, pick.id, "probe", reason or "", stored.status, place)])

    def revisited(self, pick: Pick, outcome: str, reason: str, status: int | None, place: Place | None = None) -> None:
        """A page that was asked for once more brought nothing to keep, but for a note in the repository (``place``)."""
        self._write([self._fetch(pick, None, outcome, reason, status, place)])

    def aliased(self, pick: Pick, known: int, reason: str, status: int | None) -> None:
        """A pick redirects to a URL that was known already."""
        self._write([self._fetch(pick, known, "alias", reason, status)])

    def named(self, url: int, backlinks: Sequence[Address], drops: Sequence[Drop]) -> None:
        """Somebody has said which pages link to a URL."""
        ids = [self.crawl.urls.find(address.key) for address in backlinks]
        self.learn(ids, backlinks)
        rows: list[Row] = [(self.crawl.events, url, backlink) for backlink in dict.fromkeys(ids)] or [
            (self.crawl.events, url, None)
        ]
        self._write([("backlinks", rows), ("drops", self._drop_rows(drops))])

    def steered(self, order: Order, desk: int, drops: Sequence[Drop]) -> None:
        """A person has asked something of the core; ``desk`` is the number of the command."""
        url = None
        if order.address is not None:
            url = self.crawl.urls.find(order.address.key)
            self.learn([url], [order.address])
        argument = order.argument if order.address is None else order.address.url
        row = (self.crawl.events, self._run, now(), order.kind, url, argument, order.value, desk)
        self._write([("steering", [row]), ("drops", self._drop_rows(drops))])

    def judged(
        self, address: Address, desk: int, said: bool | None, lesson: Lesson | None, changed: tuple[int, int, int]
    ) -> None:
        """A person has said of a page whether it is on topic.

        desk : number of the verdict
        changed : where something was learned, how many of the newest pages were looked at, and how many it gains and loses
        """
        event, time = self.crawl.events, now()
        row = (event, self._run, time, JUDGED, self.crawl.urls.find(address.key), address.url, SAID[said], desk)
        learned: list[Row] = []
        if lesson is not None:
            figures = (lesson.judged, lesson.yes, lesson.before, lesson.after, int(lesson.kept))
            learned = [(event, self._run, time, *figures, *changed)]
        self._write([("steering", [row]), ("lessons", learned)])

    def crawl_delay(self, host: str, seconds: float | None) -> None:
        """Remember the Crawl-delay of a host's robots.txt for later runs; None where it has none any more."""
        self._delays[host] = seconds

    def learn(self, ids: Iterable[int], addresses: Iterable[Address]) -> None:
        """Note URLs that may be new, so that the next unit holds them."""
        known = self._urls_written + len(self._new_urls)
        new = {
            url: (url, address.key, int(self.crawl.urls.host[url]), address.url)
            for url, address in zip(ids, addresses, strict=True)
            if url >= known
        }
        rows = list(new.values())  # two addresses may be the same URL: they differ in the order of parameters
        self._new_urls += rows
        self.store.announce(rows)

    def commit(self, patience: float = PATIENCE) -> None:
        """Put on disk all that happened: pages first, then the rows that point to them.

        A page that still has not come through the pipelines ``patience`` seconds after a commit found it there (one of the
        user's own holds it or gave it up) is written all the same: nothing later could be committed without it.
        """
        time = self.clock()
        for record in list(self._unwritten.values()):
            if record.held_since is None:
                record.held_since = time
            if time - record.held_since >= patience:
                record.in_callback = False
                self.write(record)
        self.repository.flush()
        values = (self._run_seconds(), json.dumps(self._status()), self._run)
        extra: list[tuple[str, Row]] = [("UPDATE runs SET seconds = ?, status = ? WHERE id = ?", values)]
        extra += [
            ("UPDATE hosts SET crawl_delay = ? WHERE name = ?", (delay, host)) for host, delay in self._delays.items()
        ]
        extra += [statement for note in self.notes for statement in note()]
        late = {event: own for event, own in self._late_fields.items() if event <= self.store.committed}
        extra += [(INSERT["own_fields"], row) for row in late.items()]
        self.store.commit(extra)
        self._late_fields = {event: own for event, own in self._late_fields.items() if event not in late}
        written = self._hosts_written  # a host that no event has named yet has no row
        self._delays = {host: delay for host, delay in self._delays.items() if self.crawl.hosts.find(host) >= written}

    def _write(self, unit: Unit) -> None:
        self.store.add(self.crawl.events, [*self._addresses(), *unit])

    def _addresses(self) -> Unit:
        """Rows of hosts and URLs that no unit holds yet."""
        hosts = [(i, self.crawl.hosts.names[i], None) for i in range(self._hosts_written, len(self.crawl.hosts))]
        urls, self._new_urls = self._new_urls, []
        self._hosts_written += len(hosts)
        self._urls_written += len(urls)
        return [("hosts", hosts), ("urls", urls)]

    def _drop_rows(self, drops: Sequence[Drop]) -> list[Row]:
        self.drops.update(kind_of(_short(reason)) for _, reason in drops)
        return [(url, _short(reason), self.crawl.events) for url, reason in drops]

    def _counted(self, query: str) -> Counter[str]:
        found: Counter[str] = Counter()
        for reason, count in self.store.execute(query):
            found[kind_of(reason or "")] += count
        return found

    def _fetch(
        self, pick: Pick, final: int | None, outcome: str, reason: str, status: int | None, place: Place | None = None
    ) -> tuple[str, list[Row]]:
        """The row of a pick that gave no page; ``place`` is where its answer is kept all the same."""
        head = (self.crawl.events, self._run, pick.event, pick.id, final, outcome, _short(reason), status, now())
        kept = (place.file, place.offset, place.length) if place else (None, None, None)
        return "fetches", [(*head, *[None] * 10, *kept, *[None] * 6)]

    def _status(self) -> dict[str, Any]:
        """What nobody can read from the rows: see the column ``status`` of the table ``runs``."""
        crawl = self.crawl
        told = crawl.strategy.told()
        return {
            "waiting": len(crawl.frontier),
            "hosts_waiting": crawl.frontier.hosts_waiting,
            "best_score": crawl.frontier.next_score,
            "under_way": len(crawl.in_flight),
            "paused": not self._watch.runs,
            "budget": {"pages": crawl.budget.pages, "hours": crawl.budget.hours},
            **({"strategy": told} if told else {}),
        }

    def _run_seconds(self) -> float:
        return self._watch.seconds


def _short(reason: str) -> str:
    """A reason as it is kept: a server may have had a part in it."""
    return plain(reason, LONGEST_REASON)


def iso(when: datetime) -> str:
    return when.isoformat(timespec="milliseconds")


def now() -> str:
    return iso(datetime.now(UTC))
