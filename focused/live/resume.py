"""Resumes an interrupted crawl: replays its journal into a fresh core, from the last snapshot on if that fits.

If the topic has changed in a decisive table (strategy, scope, ...) or key (keywords, ...), or its model was trained anew, all
events are replayed from the first on, with pages from the repository: the frontier gets the scores that it would have if the crawl
had had the new rules from the start.
"""

from __future__ import annotations

import json
import logging
import time
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from focused import __version__
from focused.collection.collection import Collection
from focused.collection.repository import PageRepository
from focused.collection.store import DROPPED, DROPPED_CHANGE, Row, Store
from focused.crawl.crawl import Crawl
from focused.crawl.events import Outcome
from focused.exceptions import StorageError
from focused.live.forms import JournalReader, Rereading, judged, link_rows
from focused.live.last_run import LastRun, flat_keywords, last_run
from focused.live.snapshots import fits, take_up
from focused.page.reader import Reader
from focused.topic.topic import OPTION_TABLES, Topic

logger = logging.getLogger(__name__)

#: Tables of a topic that decide about scores and what waits; a change in one of them replays the whole journal.
DECISIVE_TABLES = ("strategy", "scope", "traps", "relevance", "frontier", "reading", "sources")
DECISIVE_KEYS = ("keywords", "description", "examples")  #: of the table [topic]

#: A change in one of these changes the identity of URLs or the place of pages: the crawl cannot go on.
FIXED = (
    ("reading", "fold_index"),
    ("reading", "strip_parameters"),
    ("reading", "strip_session_ids"),
    ("storage", "pages"),
)

TRAINED_MODEL = "the trained model"  #: a change of it, under the same name or another

READ_FIRST = 100  #: newest pages to check before a crawl goes on: a second at most; all could take an hour

#: Pages that neither the repository nor the journal has any more.
UNREADABLE = (
    f"SELECT count(*) FROM fetches WHERE outcome IN ('{DROPPED}', '{DROPPED_CHANGE}') AND file IS NULL "
    "AND seq NOT IN (SELECT seq FROM at_hand)"
)

REPORT_EVERY = 10.0  #: seconds between two lines of progress


def resume(crawl: Crawl, reader: Reader, collection: Collection, topic: Topic, model: str) -> bool:
    """Bring a fresh core to where the journal of a collection ends; a new collection leaves it as it is.

    model : digest of the trained model that the core uses; empty without one
    Return whether everything was replayed under changed rules.
    Raises StorageError when the collection cannot be continued under this topic, or the newest pages are damaged.
    """
    store = collection.store
    if not store.committed:
        collection.repository.truncate(store.repository_ends())
        return False
    before = last_run(store)
    changes = _changes(before, topic, store, reader)
    pages = before.topic.get("budget", {}).get("pages", topic.budget.pages)
    if crawl.strategy.reads_budget and pages != topic.budget.pages:
        changes.append("[budget] pages")
    if not before.had_model(model):
        changes.append(TRAINED_MODEL)
    collection.repository.truncate(store.repository_ends())
    for place in store.newest_places(READ_FIRST):  # a power failure may have torn pages that the database knows
        collection.repository.get(place)
    if not changes and _can_be_read_back(store, crawl, before.version):
        restore(crawl, reader, store, collection.repository)
        return False
    logger.info("Rescoring all pages: %s changed", ", ".join(changes) or "what focused keeps of a crawl")
    if lost := store.execute(UNREADABLE).fetchone()[0]:
        logger.warning("%d pages that no pipeline has stored cannot be read again: their links no longer wait", lost)
    _load(crawl, store)
    reading = Store(store.path, read_only=True)  # sees the journal as it is while the new one is written
    try:
        store.replace_all(_rewritten(crawl, Rereading(crawl, reader, reading, collection.repository), reading))
    finally:
        reading.close()
    return True


def restore(crawl: Crawl, reader: Reader, store: Store, repository: PageRepository) -> None:
    """Bring a fresh core to the end of a journal, under the rules of that journal."""
    _load(crawl, store)
    if fits(store, crawl):
        take_up(crawl, store)
    for _ in replay(crawl, Rereading(crawl, reader, store, repository), store):
        pass


def _can_be_read_back(store: Store, crawl: Crawl, version: str) -> bool:
    """Whether the snapshot and the later events of the journal can be used as they are.

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
    """Names of the decisive options that changed since the last run; raises StorageError for a change that bars going on."""
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


def replay(crawl: Crawl, pages: Rereading, store: Store) -> Iterator[Outcome]:
    """Give a core the events of a journal that it has not taken in, without fetching; yield the outcome of each."""
    said = time.monotonic()
    for seq, event in JournalReader(store, pages).after(crawl.events):
        yield crawl.apply(event)
        if time.monotonic() - said > REPORT_EVERY:
            said = time.monotonic()
            logger.info("Going on: event %d of %d read again", seq, store.committed)


def _rewritten(crawl: Crawl, pages: Rereading, store: Store) -> Iterator[tuple[str, Sequence[Row]]]:
    """Replay everything under new rules; yield the statements that write the new links, drops and relevance."""
    yield "DELETE FROM links", [()]
    yield "DELETE FROM drops", [()]
    yield "DELETE FROM snapshots", [()]
    for outcome in replay(crawl, pages, store):
        # A changed reading may find more links, and changed defences may ask for other pages that cannot be.
        hosts = [(new.host, crawl.hosts.names[new.host]) for new in outcome.new_urls]
        yield "INSERT OR IGNORE INTO hosts (id, name) VALUES (?, ?)", hosts
        yield "INSERT INTO urls (id, key, host, url) VALUES (?, ?, ?, ?)", outcome.new_urls
        drops = [(url, why, outcome.seq) for url, why in outcome.drops]
        yield "INSERT OR REPLACE INTO drops (url, reason, seq) VALUES (?, ?, ?)", drops
        if outcome.arrival is not None:
            links, values = link_rows(outcome.arrival), judged(outcome.arrival)
            yield links.statement, links.values
            changed = ", ".join(f"{name} = ?" for name in values)
            yield f"UPDATE fetches SET {changed} WHERE seq = ?", [(*values.values(), outcome.seq)]
