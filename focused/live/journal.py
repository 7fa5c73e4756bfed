"""The journal of a crawl: the core's decisions become rows of crawl.db; pages go to the repository before their rows.

Every event of the core is one unit of rows. Units are committed together and in order, about once a second: what was not
committed never happened.
"""

from __future__ import annotations

import json
import logging
import zlib
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from time import monotonic
from typing import Any

from focused.collection.repository import PageRepository, Place, Stored
from focused.collection.store import CHANGED, DROPPED, DROPPED_CHANGE, LIST, Row, Rows, Store
from focused.crawl.admission import Drop
from focused.crawl.budget import Stop
from focused.crawl.crawl import Crawl
from focused.crawl.events import Arrival, Event, Failed, NoList, Outcome, Pick
from focused.live.clocks import Stopwatch
from focused.live.forms import Changed, iso, judged, link_rows, now, rows_of, short
from focused.live.own_fields import MOST_FIELDS, Field, as_json, checked
from focused.live.reasons import kind_of
from focused.live.rendering_outcome import RenderingOutcome
from focused.page.plain_text import LONGEST_TITLE, plain

logger = logging.getLogger(__name__)

#: Ends the URL under which a rendered page is kept; a canonical URL has no fragment, so no page is called so.
RENDERED_SUFFIX = "#rendered"
#: Seconds for which commits wait for a page that is on its way through the spider's callback and the pipelines.
PATIENCE = 2.0
#: Fields of an item that a pipeline of the user's may change; all others are the crawl's own.
EDITABLE = ("title", "language", "noindex")
NO_PAGES, NO_HISTORY = "StorePages is off", "StoreHistory is off"  #: why pages are not stored
OWN_FIELDS = "INSERT OR REPLACE INTO own_fields (seq, fields) VALUES (?, ?)"


class RunClock:
    """The row of one run in the database, and the time that it has spent crawling."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._before: float = sum(row[0] for row in store.execute("SELECT seconds FROM runs"))
        self._watch = Stopwatch()
        self.number = 0

    @property
    def seconds(self) -> float:
        """Time spent crawling, all runs together."""
        return self._before + self._watch.seconds

    @property
    def own_seconds(self) -> float:
        """The same for this run."""
        return self._watch.seconds

    @property
    def is_paused(self) -> bool:
        return not self._watch.runs

    def pause(self) -> None:
        """Stop the clock; time from here on does not count as crawling."""
        self._watch.stop()

    def go_on(self) -> None:
        self._watch.start()

    def begin(self, *, version: str, strategy: str, topic: str, model: str) -> None:
        """Begin a run. ``topic`` is all of it as JSON, ``model`` the digest of the trained model."""
        cursor = self._store.execute(
            "INSERT INTO runs (started, version, strategy, topic, model) VALUES (?, ?, ?, ?, ?)",
            (now(), version, strategy, topic, model),
        )
        self.number = int(cursor.lastrowid or 0)

    def end(self, stop: Stop) -> None:
        """Write down when and why the run has ended."""
        values = (now(), self._watch.seconds, stop.sentence, stop.slug, self.number)
        self._store.execute("UPDATE runs SET ended = ?, seconds = ?, reason = ?, stop = ? WHERE id = ?", values)


@dataclass(slots=True)
class Record:
    """A fetched page on its way to the collection: what it changed, and what the journal will store."""

    event: int
    arrival: Arrival
    pick: Pick
    stored: Stored
    fetched_at: datetime
    unit: list[Rows]
    place: Place | None = None
    rendering: RenderingOutcome | None = None  #: where the topic renders pages
    plain_place: Place | None = None  #: of the response that was rendered
    signals: str | None = None  #: Content Signals of its origin; None where no robots.txt was asked for
    outcome: str = "page"  #: or that of a re-fetched page
    held_since: float | None = None  #: when a commit first found it unwritten, by the clock of the journal
    fields: dict[str, Field] = field(default_factory=dict)  #: of the spider's own
    in_callback: bool = False  #: the spider's callback is under way, and may add fields
    is_through: bool = False  #: the pipelines are done with it
    dropped: str = ""  #: why it is not stored as a page, in words
    changed: dict[str, Any] = field(default_factory=dict)  #: by the user's pipelines: columns of `EDITABLE`
    is_for_all: bool = False  #: topics that are crawled together may take it over


class Journal:
    """Writes down one run of a crawl.

    store, repository : the targets; the core must be where the journal in the store ends
    clock : in seconds; measures how long pages have been on their way through the pipelines
    """

    def __init__(self, store: Store, repository: PageRepository, crawl: Crawl) -> None:
        self.store, self.repository, self.crawl = store, repository, crawl
        self.clock: Callable[[], float] = monotonic
        self.run = RunClock(store)
        self._hosts_written = len(crawl.hosts)
        self._unwritten: dict[int, Record] = {}  # pages on their way through the pipelines, by event
        self.stores_pages = self.stores_history = True  #: whether a pipeline does
        self._has_told_of_patience = False
        #: each gives statements that belong to the next commit, beside the events
        self.notes: list[Callable[[], Iterable[tuple[str, Row]]]] = []
        self._delays: dict[str, float | None] = {}  # Crawl-delays to be written with the next commit
        self._late_fields: dict[int, str] = {}  # own fields that came after their page was written, by event
        #: by kind of reason, over all runs
        self.unstored = self._counted(
            f"SELECT reason, count(*) FROM fetches WHERE outcome IN ('{DROPPED}', '{DROPPED_CHANGE}') GROUP BY reason"
        )
        self.failures = self._counted("SELECT reason, count(*) FROM failures GROUP BY reason")
        self.drops = self._counted("SELECT reason, count(*) FROM dropped GROUP BY reason")
        self.arrivals_before, self.picks_before = crawl.frontier.arrivals, crawl.world.picks

    def write(self, event: Event, outcome: Outcome, place: Place | None = None, changed: Changed = (0, 0, 0)) -> None:
        """Write down an event, except one that brought a page; see `rows_of` for the parameters."""
        if isinstance(event, Failed) and not isinstance(event, NoList):
            self.failures[kind_of(short(event.reason))] += 1
        rows = rows_of(event, outcome, self.run.number, self.crawl.strategy.parts, place, changed)
        self.store.add(outcome.seq, [*self._beside(outcome), *rows])

    def arrived(self, outcome: Outcome, stored: Stored, rendering: RenderingOutcome | None = None) -> Record:
        """Keep a record of a page that the core has taken in; `finish` writes it once it has come through the pipelines."""
        arrival = outcome.arrived
        page = replace(stored, url=arrival.visit.page.url)
        unit = [*self._beside(outcome), link_rows(arrival)]
        record = Record(outcome.seq, arrival, outcome.picked, page, datetime.now(UTC), unit, rendering=rendering)
        if arrival.is_list:
            record.outcome = LIST
        self._unwritten[record.event] = record
        return record

    def keep(self, record: Record) -> None:
        """Put a page into the repository, once. Raises StorageError if the disk does not take it.

        A rendered page comes after the response it was made from, under a URL of its own.
        """
        if record.place is not None:  # a commit was faster than the pipelines
            return
        page, plain = record.stored, record.rendering.plain if record.rendering else None
        if plain is not None:
            record.plain_place = self.repository.put(replace(plain, url=page.url), record.fetched_at)
            page = replace(page, url=page.url + RENDERED_SUFFIX)
        record.place = self.repository.put(page, record.fetched_at)

    def finish(self, record: Record) -> None:
        """Write a page's history, once; the next `commit` puts it on disk. Raises what `keep` raises.

        While the spider's callback is under way, wait for `answered`: page and fields belong together.
        """
        record.is_through = True
        if record.event not in self._unwritten or record.in_callback:
            return
        if self.stores_pages or record.arrival.is_list:
            self.keep(record)  # the user may have put our pipelines in another order
            own = [Rows.one("own_fields", seq=record.event, fields=as_json(record.fields))] if record.fields else []
            self._write(record, [self._page_row(record, self._of_people(record)), *own])
        else:
            self._write_unstored(record, NO_PAGES, self._of_people(record))

    def write_as_read(self, record: Record) -> None:
        """Write down a page that the pipelines do not end with: as it was read, for a mistake of the user's loses nothing."""
        if self.stores_history:
            self.finish(record)
        else:
            self.drop(record, NO_HISTORY)

    def drop(self, record: Record, why: str) -> None:
        """Write down, once, that a page was fetched and what it led to, but none of what people read of it."""
        if record.event in self._unwritten:
            self._write_unstored(record, why, {})

    def _write_unstored(self, record: Record, why: str, of_people: Mapping[str, Any]) -> None:
        """Write a page that is not stored, or not all of it; its bytes stay at hand until a snapshot knows what they led to."""
        record.dropped, record.outcome = short(why), DROPPED_CHANGE if record.outcome == CHANGED else DROPPED
        self.unstored[kind_of(record.dropped)] += 1
        rows = [self._page_row(record, of_people)]
        if record.place is None:
            stored = record.stored
            robots, body = stored.header("X-Robots-Tag"), zlib.compress(stored.body, 1)
            rows.append(
                Rows.one("at_hand", seq=record.event, content_type=stored.content_type, robots=robots, body=body)
            )
        self._write(record, rows)

    def _write(self, record: Record, rows: Sequence[Rows]) -> None:
        self.store.add(record.event, [*record.unit, *rows])
        del self._unwritten[record.event]

    def on_its_way(self, event: int) -> Record | None:
        """The record of a page that the pipelines are not done with."""
        return self._unwritten.get(event)

    def fetched_as(self, url: object, fetched_at: object) -> Record | None:
        """The page on its way that was fetched from a URL at a time, as its item says."""
        return next(
            (
                record
                for record in self._unwritten.values()
                if record.stored.url == url and iso(record.fetched_at) == fetched_at
            ),
            None,
        )

    def _of_people(self, record: Record) -> dict[str, Any]:
        """Columns that only people read, as the pipelines have left them."""
        page = record.arrival.visit.page
        columns: dict[str, Any] = {
            "content_type": page.content_type,
            "language": page.language,
            "title": page.title,
            "content_hash": page.content_hash,
            "noindex": int(page.noindex),
            "truncated": int(page.truncated),
            "signals": record.signals,
        }
        return columns | record.changed

    def take_changes(self, record: Record, field_of: Callable[[str], Any]) -> None:
        """Take over what a pipeline of the user's has changed in the item of a page, whose fields a function gives by name."""
        page = record.arrival.visit.page
        for name in EDITABLE:
            value = field_of(name)
            if value == getattr(page, name):
                record.changed.pop(name, None)
            elif name == "noindex":
                record.changed[name] = int(bool(value))
            else:
                record.changed[name] = plain("" if value is None else str(value), LONGEST_TITLE)

    def _page_row(self, record: Record, of_people: Mapping[str, Any]) -> Rows:
        visit, place, before, rendering = record.arrival.visit, record.place, record.plain_place, record.rendering
        return Rows.one(
            "fetches",
            seq=record.event,
            run=self.run.number,
            pick=record.pick.event,
            url=record.pick.id,
            final_url=visit.id,
            outcome=record.outcome,
            reason=record.dropped or (rendering and rendering.reason and short(rendering.reason)),
            status=record.stored.status,
            time=iso(record.fetched_at),
            bytes=len(record.stored.body),
            file=place and place.file,
            offset=place and place.offset,
            length=place and place.length,
            rendered=int(rendering.rendered) if rendering else None,
            plain_file=before and before.file,
            plain_offset=before and before.offset,
            plain_length=before and before.length,
            **judged(record.arrival),
            **of_people,
        )

    def answered(self, record: Record) -> None:
        """Note that the spider's callback has ended. Raises what `keep` raises."""
        record.in_callback = False
        if record.is_through:
            self.finish(record)

    def add_fields(self, record: Record, fields: Mapping[str, Any]) -> None:
        """Keep the spider's own fields with a page. Raises ValueError or TypeError for fields that cannot be kept."""
        merged = record.fields | checked(fields)
        if len(merged) > MOST_FIELDS:
            raise ValueError(f"{record.stored.url}: these are more than {MOST_FIELDS} fields")
        record.fields = merged
        if record.event not in self._unwritten and not record.dropped:
            self._late_fields[record.event] = as_json(merged)

    def crawl_delay(self, host: str, seconds: float | None) -> None:
        """Remember the Crawl-delay of a host's robots.txt for later runs; None if it no longer has one."""
        self._delays[host] = seconds

    def commit(self, patience: float = PATIENCE) -> None:
        """Put on disk all that happened: pages first, then the rows that point to them.

        If a page is still in the pipelines ``patience`` seconds after a commit found it there (a pipeline of the user's holds it),
        it is written as it was read: nothing later could be committed without it.
        """
        time = self.clock()
        for record in list(self._unwritten.values()):
            if record.held_since is None:
                record.held_since = time
            if time - record.held_since >= patience:
                record.in_callback = False
                self._tell_of_patience(record, patience)
                self.write_as_read(record)
        self.repository.flush()
        values = (self.run.own_seconds, json.dumps(self._status()), self.run.number)
        extra: list[tuple[str, Row]] = [("UPDATE runs SET seconds = ?, status = ? WHERE id = ?", values)]
        extra += [
            ("UPDATE hosts SET crawl_delay = ? WHERE name = ?", (delay, host)) for host, delay in self._delays.items()
        ]
        extra += [statement for note in self.notes for statement in note()]
        late = {event: own for event, own in self._late_fields.items() if event <= self.store.committed}
        extra += [(OWN_FIELDS, row) for row in late.items()]
        self.store.commit(extra)
        self._late_fields = {event: own for event, own in self._late_fields.items() if event not in late}
        written = self._hosts_written  # a host that no event has named yet has no row
        self._delays = {host: delay for host, delay in self._delays.items() if self.crawl.hosts.find(host) >= written}

    def _tell_of_patience(self, record: Record, patience: float) -> None:
        if patience and not record.is_through and not self._has_told_of_patience:
            self._has_told_of_patience = True
            logger.warning(
                "%s was in the item pipelines for over %.0f s: such pages are stored as they were read, whatever your pipelines "
                "make of them later",
                record.stored.url,
                patience,
            )

    def end(self, stop: Stop) -> None:
        """End the run: everything on disk, its reason in the database."""
        self.commit(patience=0.0)
        self.run.end(stop)

    def _beside(self, outcome: Outcome) -> list[Rows]:
        """Rows of new hosts and URLs, and of what an event dropped."""
        names = self.crawl.hosts.names
        hosts: list[Row] = list(enumerate(names[self._hosts_written :], self._hosts_written))
        self._hosts_written = len(names)
        self.store.announce((new.id, new.url) for new in outcome.new_urls)
        urls = Rows("urls", ("id", "key", "host", "url"), outcome.new_urls)
        return [Rows("hosts", ("id", "name"), hosts), urls, self._drop_rows(outcome.drops, outcome.seq)]

    def _drop_rows(self, drops: Sequence[Drop], event: int) -> Rows:
        reasons = [(url, short(reason)) for url, reason in drops]
        self.drops.update(kind_of(reason) for _, reason in reasons)
        return Rows("drops", ("url", "reason", "seq"), [(url, reason, event) for url, reason in reasons])

    def _counted(self, query: str) -> Counter[str]:
        found: Counter[str] = Counter()
        for reason, count in self.store.execute(query):
            found[kind_of(reason or "")] += count
        return found

    def _status(self) -> dict[str, Any]:
        """What the rows do not tell: the column ``status`` of the table ``runs``."""
        crawl = self.crawl
        told = crawl.strategy.told()
        return {
            "waiting": len(crawl.frontier),
            "hosts_waiting": crawl.frontier.hosts_waiting,
            "best_score": crawl.frontier.next_score,
            "under_way": len(crawl.in_flight),
            "paused": self.run.is_paused,
            "budget": {"pages": crawl.budget.pages, "hours": crawl.budget.hours},
            **({"strategy": told} if told else {}),
        }
