"""How an interrupted crawl goes on: its journal is replayed into a fresh core, from a snapshot on where one fits.

If the topic has changed in what decides (strategy, keywords, scope, ...), or its model was trained anew, everything is replayed
from the first event, the pages read again from the repository: what waits is rescored as if the crawl had had the new rules when
it saw each page.
"""

from __future__ import annotations

import json
import logging
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from operator import attrgetter
from typing import Any

from focused import __version__
from focused.collection.collection import Collection
from focused.collection.repository import PageRepository
from focused.collection.store import Event, Row, Store, link_rows
from focused.crawl.admission import Drop
from focused.crawl.crawl import Arrival, Crawl
from focused.crawl.standing_orders import Order
from focused.crawl.teaching import JUDGED, SAID
from focused.exceptions import StorageError
from focused.live.last_run import LastRun, flat_keywords, last_run
from focused.live.outage import is_silent
from focused.live.rereading import Rereading
from focused.live.snapshots import fits, take_up
from focused.page.page import Link, Page
from focused.page.reader import Reader
from focused.page.urls import Address
from focused.topic.topic import OPTION_TABLES, Topic

logger = logging.getLogger(__name__)

#: Tables of a topic that decide about scores and what waits; a change in one of them replays the whole journal.
DECISIVE_TABLES = ("strategy", "scope", "traps", "relevance", "frontier", "reading", "sources")
DECISIVE_KEYS = ("keywords", "description", "examples")  #: of the table [topic]

#: A change in one of these changes the identity of URLs or the place of pages: such a crawl cannot go on.
FIXED = (
    ("reading", "fold_index"),
    ("reading", "strip_parameters"),
    ("reading", "strip_session_ids"),
    ("storage", "pages"),
)

TRAINED_MODEL = "the trained model"  #: a change of it, under the same name or another

READ_FIRST = 100  #: of the newest pages are read before a crawl goes on: a second at most, where all may take an hour

REPORT_EVERY = 10.0  #: seconds between two lines of progress


@dataclass(slots=True)
class Resumed:
    """What was done to go on."""

    events: int = 0  #: replayed
    rebuilt: bool = False  #: everything was replayed under changed rules
    changes: list[str] = field(default_factory=list)  #: what had changed, such as ``[strategy] name`` in the topic


def resume(crawl: Crawl, reader: Reader, collection: Collection, topic: Topic, model: str = "") -> Resumed:
    """Bring a fresh core to where the journal of a collection ends; a new collection leaves it as it is.

    model : digest of the trained model that the core uses; empty without one
    Raises StorageError when the collection cannot be continued under this topic, or the newest pages are damaged.
    """
    store, resumed = collection.store, Resumed()
    if not store.committed:
        collection.repository.truncate(store.repository_ends())
        return resumed
    before = last_run(store)
    resumed.changes = _changes(before, topic, store, reader)
    if not before.had_model(model):
        resumed.changes.append(TRAINED_MODEL)
    collection.repository.truncate(store.repository_ends())
    for place in store.newest_places(READ_FIRST):  # what a power failure may have torn, though the database knows it
        collection.repository.get(place)
    if not resumed.changes and _can_be_read_back(store, crawl, before.version):
        resumed.events = restore(crawl, reader, store, collection.repository)
        return resumed
    changed = ", ".join(resumed.changes) or "what focused keeps of a crawl"
    logger.info("Rescoring all pages: %s changed", changed)
    resumed.rebuilt = True
    _load(crawl, store)
    reading = Store(store.path, read_only=True)  # sees the journal as it is while the new one is written
    try:
        store.replace_all(_rewritten(Replay(crawl, reader, reading, collection.repository)))
    finally:
        reading.close()
    resumed.events = crawl.events
    return resumed


def restore(crawl: Crawl, reader: Reader, store: Store, repository: PageRepository) -> int:
    """Bring a fresh core to where a journal ends, under the rules it was written by; return the count of events replayed."""
    _load(crawl, store)
    if fits(store, crawl):
        take_up(crawl, store)
    return sum(1 for _ in Replay(crawl, reader, store, repository).events(crawl.events))


def _can_be_read_back(store: Store, crawl: Crawl, version: str) -> bool:
    """Whether the state can be taken from the snapshot, and what came after it from the journal as it is.

    version : of focused, in the last run. Another one may find other links on the pages that came after the snapshot.
    """
    made_by = store.snapshot_version()
    if made_by is not None and made_by != crawl.state_version:
        return False
    return version == __version__ or store.snapshot_event() == store.committed


def _load(crawl: Crawl, store: Store) -> None:
    keys, host_of = store.url_keys()
    crawl.load(keys, host_of, [name for name, _ in store.hosts()])


def _changes(run: LastRun, topic: Topic, store: Store, reader: Reader) -> list[str]:
    """Names of what changed since the last run and decides; raises StorageError for a change that bars going on."""
    before, now = _completed(run.topic), json.loads(json.dumps(topic.as_dict()))
    if not _share_a_word(before["topic"]["keywords"], topic.keywords, reader):
        about = ", ".join(flat_keywords(before["topic"]["keywords"]))
        raise StorageError(
            f"{store.path.parent}: holds a crawl about {about}, and the keywords are now "
            f"{', '.join(topic.keywords)}; give it a name of its own (-a name=NAME), or put the old crawl aside (-a fresh=true)"
        )
    for table, key in FIXED:
        if before[table].get(key) != now[table].get(key):
            raise StorageError(
                f"{store.path.parent}: cannot go on: [{table}] {key} was {json.dumps(before[table].get(key))} and is now "
                f"{json.dumps(now[table].get(key))}; change it back, or start anew with -a fresh=true"
            )
    changed = [f"[topic] {key}" for key in DECISIVE_KEYS if before["topic"].get(key) != now["topic"].get(key)]
    for table in DECISIVE_TABLES:
        keys = before[table].keys() | now[table].keys()
        changed += sorted(f"[{table}] {key}" for key in keys if before[table].get(key) != now[table].get(key))
    return changed


def _completed(topic: dict[str, dict[str, Any]]) -> dict[str, dict[str, Any]]:
    """The tables of a topic as an earlier release kept them, with the defaults of options that came later."""
    return topic | {
        table: model().model_dump(mode="json") | topic.get(table, {}) for table, model in OPTION_TABLES.items()
    }


def _share_a_word(before: Sequence[str] | Mapping[str, Sequence[str]], now: Sequence[str], reader: Reader) -> bool:
    """Whether two lists of keywords have a stem in common."""
    terms = [set(reader.analyser.terms(" ".join(keywords))) for keywords in (flat_keywords(before), now)]
    return not terms[0] or not terms[0].isdisjoint(terms[1])


class Replay:
    """Gives the events of a journal to a core once more, without fetching."""

    def __init__(self, crawl: Crawl, reader: Reader, store: Store, repository: PageRepository) -> None:
        self.crawl, self.reader, self.store, self.repository = crawl, reader, store, repository
        self._said = time.monotonic()
        self._pages = Rereading(crawl, reader, store, repository)

    def events(self, after: int) -> Iterator[tuple[Event, Arrival | list[Drop] | None]]:
        """Replay from event ``after`` + 1 on; yield each with what came of it."""
        for _, rows in groupby(self.store.events(after), key=attrgetter("seq")):
            event, *others = rows
            if event.kind == "seed":
                self.crawl.start([self.store.address(seed.url) for seed in (event, *others)])
            elif event.kind == "backlinks":
                named = [row.final_url for row in (event, *others) if row.final_url is not None]
                yield event, self.crawl.backlinks(event.url, [self.store.address(url) for url in named])
            else:
                yield event, self._apply(event)
                self._report(event)

    def _apply(self, event: Event) -> Arrival | list[Drop] | None:
        crawl = self.crawl
        match event.kind:
            case "pick":
                crawl.pick(event.url)
            case "list" if event.place is None:
                return crawl.gave_no_list(event.url, silent=is_silent(event.reason or ""))
            case "page" | "list":
                page = self._page(event)
                return crawl.fetched(event.url, page, event.bytes or 0) if page else crawl.failed(event.url)
            case "failed":
                return crawl.failed(event.url, silent=is_silent(event.reason or ""))
            case "changed" if (page := self._page(event)) is not None:
                crawl.revisit(event.url)
                return crawl.changed(event.url, page)
            case "changed" | "same" | "gone" | "missed":
                crawl.revisit(event.url)
                crawl.unchanged(event.url, silent=is_silent(event.reason or ""))
            case "probe":
                crawl.probed(event.url, self._page(event))
            case "alias":
                crawl.alias(event.url, self.store.address(event.final_url or 0))
            case "request":
                crawl.request(self.store.address(event.url), event.score or 0.0)
            case "steer" if event.asked is not None:
                return self._steer(event.url, *event.asked)
        return None

    def _page(self, event: Event) -> Page | None:
        """Read a stored page once more; None where changed rules of reading no longer make a page of it."""
        if event.place is None or event.final_url is None:
            return None
        return self._pages.page(event.final_url, event.place)

    def _steer(self, url: int, kind: str, argument: str, value: str) -> list[Drop]:
        """Ask once more what a person asked, or tell what they said."""
        if kind == JUDGED:
            place = self._pages.first_place(url)
            page = self._pages.page(url, place) if place else None
            self.crawl.judged(url, page, next(said for said, word in SAID.items() if word == value))
            return []
        address = self.store.address(url) if url >= 0 else None
        return self.crawl.steer(Order(kind, address, argument if address is None else "", value))

    def _report(self, event: Event) -> None:
        if time.monotonic() - self._said > REPORT_EVERY:
            self._said = time.monotonic()
            logger.info("Going on: event %d of %d read again", event.seq, self.store.committed)


def _rewritten(replay: Replay) -> Iterator[tuple[str, list[Row]]]:
    """Replay everything under new rules; yield the statements that write what they say of links, drops and relevance."""
    yield "DELETE FROM links", [()]
    yield "DELETE FROM drops", [()]
    yield "DELETE FROM snapshots", [()]
    for event, outcome in replay.events(0):
        if isinstance(outcome, Arrival):
            yield from _rows_of(event, outcome, replay.crawl)
        drops = outcome.drops if isinstance(outcome, Arrival) else outcome or []
        yield "INSERT OR REPLACE INTO drops VALUES (?, ?, ?)", [(url, why, event.seq) for url, why in drops]


def _rows_of(event: Event, arrival: Arrival, crawl: Crawl) -> Iterator[tuple[str, list[Row]]]:
    visit, host_of, names = arrival.visit, crawl.urls.host, crawl.hosts.names
    # A changed reading may find more links, and changed defences may ask for other pages that cannot be.
    found: list[tuple[int, Link | Address]] = [(int(visit.targets[i]), visit.links[i]) for i in arrival.new]
    if arrival.probe is not None:
        found.append((crawl.urls.find(arrival.probe.key), arrival.probe))
    found += [(crawl.urls.find(address.key), address) for address in arrival.lists]
    hosts = [(host, names[host]) for url, _ in found for host in [int(host_of[url])]]
    yield "INSERT OR IGNORE INTO hosts VALUES (?, ?, NULL)", hosts
    yield (
        "INSERT OR IGNORE INTO urls VALUES (?, ?, ?, ?)",
        [(url, link.key, int(host_of[url]), link.url) for url, link in found],
    )
    yield "INSERT INTO links VALUES (?, ?, ?, ?, ?)", link_rows(arrival)
    yield (
        "UPDATE fetches SET relevance = ?, relevant = ?, duplicate_of = ?, verdict = ?, kind = ? WHERE seq = ?",
        [
            (
                visit.relevance,
                int(visit.counts),
                arrival.duplicate_of,
                visit.verdict or None,
                visit.kind or None,
                event.seq,
            )
        ],
    )
