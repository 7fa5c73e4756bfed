"""Long tables: what a person asks of one, as it stands in an address, and the rows of hosts and of URLs that gave no page."""

from __future__ import annotations

import json
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import numpy as np

from focused.collection.store import Row, Store
from focused.desk.dashboard.figures import Numbers
from focused.desk.job import Worker
from focused.live.reasons import kind_of
from focused.page.plain_text import plain

PER_PAGE = 50
LONGEST = 500  #: characters of a field
COLUMNS = ("relevant", "pages", "share", "failures", "waiting", "host")
_OF_KIND = "AND (:kind = '' OR kind_of(f.reason) = :kind)"
_SAYS = f"{_OF_KIND} AND (:q = '' OR instr(lower(u.url), lower(:q)))"
MOST_SECONDS = 180.0  #: of reading the state of a crawl
STALE_SECONDS = 30.0  #: after which the queue of a crawl that has gone on is read again


@dataclass(frozen=True, slots=True)
class TableForm:
    """An empty field asks for nothing."""

    q: str = ""  #: text that URLs or hosts must have
    reason: str = ""
    sort: str = ""  #: a column
    up: str = ""  #: ``yes``: the smallest first
    page: int = 1

    @classmethod
    def of(cls, given: Mapping[str, str], columns: Sequence[str] = ()) -> TableForm:
        """The form that the query of an address holds. Of the columns the first decides the order where none is named."""
        q, reason, sort, up = (plain(given.get(name, ""), LONGEST).strip() for name in ("q", "reason", "sort", "up"))
        if sort not in columns:
            sort = columns[0] if columns else ""
        return cls(q, reason, sort, "yes" if up == "yes" else "", page_number(given.get("page", "")))

    def query(self, **changes: str | int) -> str:
        """The query of the address after changes. Anything but another page leads to the first."""
        changed = replace(self, **{"page": 1, **changes})  # type: ignore[arg-type]
        values = {"q": changed.q, "reason": changed.reason, "sort": changed.sort, "up": changed.up}
        return urlencode({name: value for name, value in values.items() if value} | {"page": changed.page})

    def turned(self, column: str) -> str:
        """The query that orders by a column, the other way round where it does already."""
        return self.query(sort=column, up="yes" if self.sort == column and not self.up else "")


@dataclass(frozen=True, slots=True)
class Part:
    """One page of a table."""

    rows: Sequence[object]
    count: int  #: of all rows
    number: int
    pages: int


def page_number(text: str) -> int:
    """The page that an address asks for, at least 1; the first where that makes no sense."""
    return max(1, whole(text, 1))


def whole(text: str, otherwise: int = -1) -> int:
    """A whole number from 0 on that somebody typed, or an address has; ``otherwise`` for what is none, or is absurdly long."""
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 16 else otherwise


def place(count: int, page: int, per_page: int) -> tuple[int, int, int]:
    """First of so many rows on the page that is asked for, or on the last; its number, and the count of pages."""
    pages = max(1, -(-count // per_page))
    number = min(page, pages)
    return (number - 1) * per_page, number, pages


def part_of(rows: Sequence[object], form: TableForm) -> Part:
    """The page of a list that is asked for."""
    start, number, pages = place(len(rows), form.page, PER_PAGE)
    return Part(rows[start : start + PER_PAGE], len(rows), number, pages)


@dataclass(frozen=True, slots=True)
class HostFigures:
    """What a crawl got of one host."""

    host: str
    pages: int
    relevant: int
    failures: int  #: URLs that gave no page
    waiting: int | None  #: URLs in the queue; None: nobody has looked, or it is not among those with the most
    share: float  #: of relevant pages, in [0, 1]; -1 without a page
    delay: float | None  #: seconds between two requests that it asked for, or needed
    not_before: str  #: until when it is left alone, ISO 8601; empty: it is not


def host_rows(store: Store, numbers: Numbers, waiting: Mapping[str, int]) -> list[HostFigures]:
    """All hosts that were asked for a page, or have URLs that wait."""
    count = len(numbers.hosts)
    fetched = np.bincount(numbers.pages.host, minlength=count).tolist()
    relevant = np.bincount(numbers.pages.host[numbers.pages.relevant], minlength=count).tolist()
    delays = dict(store.execute("SELECT name, crawl_delay FROM hosts WHERE crawl_delay IS NOT NULL").fetchall())
    manners = {row[0]: row[1:] for row in store.execute("SELECT host, delay, not_before FROM manners").fetchall()}
    rows = []
    for id_, host in enumerate(numbers.hosts):
        failures, waits = numbers.failures_by_host[id_], waiting.get(host)
        if fetched[id_] or failures or waits:
            needed, not_before = manners.get(host, (None, None))
            share = relevant[id_] / fetched[id_] if fetched[id_] else -1.0
            asked = max((one for one in (delays.get(host), needed) if one is not None), default=None)
            rows.append(
                HostFigures(host, fetched[id_], relevant[id_], failures, waits, share, asked, str(not_before or ""))
            )
    return rows


def ordered(rows: list[HostFigures], column: str, *, up: bool) -> list[HostFigures]:
    """Rows by a column, ties by name; the largest first, of names the first of the alphabet."""
    by_name = sorted(rows, key=lambda row: row.host)
    if column == "host":
        return by_name[::-1] if up else by_name
    return sorted(by_name, key=lambda row: getattr(row, column) or 0, reverse=not up)


@dataclass(frozen=True, slots=True)
class Source:
    """Where such URLs stand in crawl.db, in SQL."""

    table: str  #: called f
    which: str
    time: str = "''"
    found_on: str = "''"
    joins: str = ""


FAILURES = Source(
    "fetches f",
    "f.outcome = 'failed'",
    "f.time",
    "s.url",
    "JOIN picks p ON p.seq = f.pick LEFT JOIN urls s ON s.id = p.source",
)
DROPS = Source("drops f", "f.url NOT IN (SELECT url FROM picks)")


@dataclass(frozen=True, slots=True)
class Unfetched:
    """A URL without a page."""

    url: str
    host: str
    reason: str
    time: str  #: ISO 8601; empty of one that was dropped
    source: str  #: the page whose link led to it; empty: not kept


@dataclass(frozen=True, slots=True)
class UnfetchedPart:
    """One page of a table of them."""

    rows: list[Unfetched]
    count: int  #: of all rows that the form asks for
    number: int
    pages: int
    reasons: list[tuple[str, int]]  #: kinds of reasons, the most frequent first


class UnfetchedUrls:
    """Asks for them. How many there are of each kind is counted once for each moment of the crawl."""

    def __init__(self) -> None:
        self._counts: dict[Source, tuple[int, Counter[str]]] = {}

    def part(self, store: Store, source: Source, form: TableForm) -> UnfetchedPart:
        """URLs by a form, the newest first."""
        store.db.create_function("kind_of", 1, lambda reason: kind_of(reason or ""), deterministic=True)
        counts = self._counted(store, source)
        asked = {"kind": form.reason, "q": form.q}
        urls = f"{source.table} JOIN urls u ON u.id = f.url"
        total = counts[form.reason] if form.reason else counts.total()
        if form.q:
            total = store.execute(f"SELECT count(*) FROM {urls} WHERE {source.which} {_SAYS}", asked).fetchone()[0]
        start, number, pages = place(total, form.page, PER_PAGE)
        some = (
            f"SELECT f.* FROM {urls if form.q else source.table} WHERE {source.which} {_SAYS if form.q else _OF_KIND}"
        )
        rows = store.execute(
            f"SELECT u.url, h.name, f.reason, {source.time}, {source.found_on} "
            f"FROM ({some} ORDER BY f.seq DESC LIMIT {PER_PAGE} OFFSET {start}) f "
            f"JOIN urls u ON u.id = f.url JOIN hosts h ON h.id = u.host {source.joins} ORDER BY f.seq DESC",
            asked,
        )
        return UnfetchedPart([_row(row) for row in rows], total, number, pages, counts.most_common())

    def _counted(self, store: Store, source: Source) -> Counter[str]:
        """How many there are, by the kind of their reason."""
        event, counts = self._counts.get(source, (-1, Counter()))
        if event != store.committed:
            counts = Counter()
            grouped = f"SELECT f.reason, count(*) FROM {source.table} WHERE {source.which} GROUP BY f.reason"
            for reason, count in store.execute(grouped):
                counts[kind_of(reason or "")] += count
            self._counts[source] = store.committed, counts
        return counts


def _row(row: Row) -> Unfetched:
    url, host, reason, time, source = row
    return Unfetched(url, host, reason or "", time or "", source or "")


@dataclass(frozen=True, slots=True)
class Waiting:
    """The queue after one event of the crawl."""

    as_of: int  #: number of the event
    time: str  #: of the last answer before it, ISO 8601
    count: int  #: URLs that wait
    hosts: dict[str, int]  #: of these by host, for the hosts with the most
    urls: list[dict[str, Any]]  #: the best, as `tasks.waiting` describes them


@dataclass(frozen=True, slots=True)
class Look:
    """What can be told of the queue now."""

    waiting: Waiting | None
    reading: bool  #: a newer one is being read
    trouble: str  #: why it cannot be


class WaitingUrls:
    """Knows the queue of one collection. Safe to be asked by several threads."""

    def __init__(self, folder: Path) -> None:
        self._worker = Worker("queue", folder, MOST_SECONDS)
        self._said = ""
        self._waiting: Waiting | None = None
        self._read_at = float("-inf")

    @property
    def last(self) -> Waiting | None:
        """The queue as it was when somebody last looked at it."""
        self._take()
        return self._waiting

    def look(self, store: Store) -> Look:
        """The queue as far as it is known. Where the crawl has gone on, it begins to be read again."""
        waiting = self.last
        is_new = waiting is not None and waiting.as_of == store.committed
        tried = self._worker.failed and time.monotonic() - self._read_at < STALE_SECONDS
        if not (is_new or tried) and (waiting is None or time.monotonic() - self._read_at > STALE_SECONDS):
            self._worker.start()
        running = self._worker.running
        return Look(waiting, running, (self._worker.said or "") if self._worker.failed and not running else "")

    def _take(self) -> None:
        """Take what the process has said, once."""
        said = self._worker.said
        if said is None or said is self._said:
            return
        self._said, self._read_at = said, time.monotonic()
        if not self._worker.failed:
            found = json.loads(said)
            self._waiting = Waiting(**{**found, "hosts": dict(found["hosts"])})
