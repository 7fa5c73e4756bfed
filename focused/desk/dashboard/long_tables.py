"""Long tables: what a person asks of one, as it stands in an address, and the rows of hosts and of URLs that gave no page."""

from __future__ import annotations

import json
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any, Self
from urllib.parse import urlencode

import numpy as np

from focused.collection.store import Store
from focused.desk.dashboard.figures import Numbers
from focused.desk.job import Worker
from focused.live.reasons import kind_of
from focused.page.plain_text import plain

PER_PAGE = 50
LONGEST = 1000  #: characters of a field
COLUMNS = ("relevant", "pages", "share", "failures", "waiting", "host")
_OF_KIND = "AND (:kind = '' OR kind_of(f.reason) = :kind)"
MOST_SECONDS = 180.0  #: of reading the state of a crawl
STALE_SECONDS = 30.0  #: after which the queue of a crawl that has gone on is read again


@dataclass(frozen=True, slots=True)
class AddressForm:
    """What stands in the query of an address. An empty field asks for nothing."""

    q: str = ""  #: words, or a text that rows must have
    sort: str = ""
    page: int = 1

    @classmethod
    def of(cls, given: Mapping[str, str]) -> Self:
        """The form that the query of an address holds."""
        texts = {one.name: plain(given.get(one.name, ""), LONGEST).strip() for one in fields(cls) if one.name != "page"}
        return cls(**texts, page=max(1, whole(given.get("page", ""), 1)))

    def query(self, **changes: str | int) -> str:
        """The query of the address after changes, without what says nothing. Anything but another page leads to the first."""
        changed = replace(self, **{"page": 1, **changes})  # type: ignore[arg-type]
        said = {one.name: getattr(changed, one.name) for one in fields(self)}
        return urlencode({one.name: said[one.name] for one in fields(self) if said[one.name] != one.default})


@dataclass(frozen=True, slots=True)
class TableForm(AddressForm):
    """Of a table: ``sort`` is a column."""

    reason: str = ""
    up: str = ""  #: ``yes``: the smallest first
    seeds: str = ""  #: ``yes``: the sites of the seeds, too
    show: str = ""  #: state of a portal's entries
    category: str = ""  #: of a portal

    def turned(self, column: str) -> str:
        """The query that orders by a column, the other way round where it does already."""
        return self.query(sort=column, up="yes" if self.sort == column and not self.up else "")


@dataclass(frozen=True, slots=True)
class Part:
    """One page of a long list."""

    rows: Sequence[Any]
    count: int  #: of all rows
    number: int
    pages: int
    start: int  #: position of the first row


def whole(text: str, otherwise: int = -1) -> int:
    """A whole number from 0 on that somebody typed, or an address has; ``otherwise`` for what is none, or is absurdly long."""
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 16 else otherwise


def place(count: int, page: int, per_page: int) -> Part:
    """The page of so many rows that is asked for, or the last, still without rows."""
    pages = max(1, -(-count // per_page))
    number = min(page, pages)
    return Part((), count, number, pages, (number - 1) * per_page)


def part_of(rows: Sequence[Any], page: int, per_page: int = 0) -> Part:
    """The page of a list that is asked for, of `PER_PAGE` rows if nobody says otherwise."""
    per_page = per_page or PER_PAGE
    part = place(len(rows), page, per_page)
    return replace(part, rows=rows[part.start : part.start + per_page])


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
    for id_, (host, pages, good) in enumerate(zip(numbers.hosts, fetched, relevant, strict=True)):
        failures, waits = numbers.failures_by_host[id_], waiting.get(host)
        if pages or failures or waits:
            needed, not_before = manners.get(host, (None, None))
            asked = max((one for one in (delays.get(host), needed) if one is not None), default=None)
            share = good / pages if pages else -1.0
            rows.append(HostFigures(host, pages, good, failures, waits, share, asked, str(not_before or "")))
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


_JOINS = "JOIN picks p ON p.seq = f.pick LEFT JOIN urls s ON s.id = p.source"
FAILURES = Source("fetches f", "f.outcome = 'failed'", "coalesce(f.time, '')", "coalesce(s.url, '')", _JOINS)
DROPS = Source("drops f", "f.url NOT IN (SELECT url FROM picks)")


@dataclass(frozen=True, slots=True)
class Unfetched:
    """A URL without a page."""

    url: str
    host: str
    reason: str
    time: str  #: ISO 8601; empty of one that was dropped
    source: str  #: the page whose link led to it; empty: not kept


def reasons_of(store: Store, source: Source) -> Counter[str]:
    """How many there are, by the kind of their reason."""
    counts = Counter[str]()
    grouped = f"SELECT f.reason, count(*) FROM {source.table} WHERE {source.which} GROUP BY f.reason"
    for reason, count in store.execute(grouped):
        counts[kind_of(reason or "")] += count
    return counts


def unfetched(store: Store, source: Source, form: TableForm, reasons: Counter[str]) -> Part:
    """`Unfetched` by a form, the newest first; ``reasons`` : of `reasons_of`."""
    store.db.create_function("kind_of", 1, lambda reason: kind_of(reason or ""), deterministic=True)
    asked = {"kind": form.reason, "q": form.q}
    table, says = source.table, _OF_KIND
    total = reasons[form.reason] if form.reason else reasons.total()
    if form.q:
        table, says = f"{table} JOIN urls u ON u.id = f.url", f"{_OF_KIND} AND instr(lower(u.url), lower(:q))"
        total = store.execute(f"SELECT count(*) FROM {table} WHERE {source.which} {says}", asked).fetchone()[0]
    part = place(total, form.page, PER_PAGE)
    some = (
        f"SELECT f.* FROM {table} WHERE {source.which} {says} ORDER BY f.seq DESC LIMIT {PER_PAGE} OFFSET {part.start}"
    )
    rows = store.execute(
        f"SELECT u.url, h.name, coalesce(f.reason, ''), {source.time}, {source.found_on} FROM ({some}) f "
        f"JOIN urls u ON u.id = f.url JOIN hosts h ON h.id = u.host {source.joins} ORDER BY f.seq DESC",
        asked,
    )
    return replace(part, rows=[Unfetched(*row) for row in rows])


@dataclass(frozen=True, slots=True)
class QueueTable:
    """The queue after one event of the crawl."""

    as_of: int  #: number of the event
    time: str  #: of the last answer before it, ISO 8601
    count: int  #: URLs that wait
    hosts: dict[str, int]  #: of these by host, for the hosts with the most
    urls: list[dict[str, Any]]  #: the best, as `tasks.waiting` describes them


@dataclass(frozen=True, slots=True)
class QueueView:
    """What can be told of the queue now."""

    waiting: QueueTable | None
    reading: bool  #: a newer one is being read
    trouble: str  #: why it cannot be


class WaitingUrls:
    """Knows the queue of one collection. Safe to be asked by several threads."""

    def __init__(self, folder: Path) -> None:
        self._worker = Worker("queue", folder, MOST_SECONDS)
        self._said: str | None = None  # what was taken last
        self._waiting: QueueTable | None = None
        self._read_at = float("-inf")

    @property
    def last(self) -> QueueTable | None:
        """The queue as it was when somebody last looked at it."""
        said = self._worker.said
        if said is not self._said and said is not None:
            self._said, self._read_at = said, time.monotonic()
            if not self._worker.failed:
                self._waiting = QueueTable(**json.loads(said))
        return self._waiting

    def look(self, store: Store) -> QueueView:
        """The queue as far as it is known. Where the crawl has gone on, it begins to be read again."""
        waiting = self.last
        is_new = waiting is not None and waiting.as_of == store.committed
        if not is_new and time.monotonic() - self._read_at > STALE_SECONDS:
            self._worker.start()
        running = self._worker.running
        return QueueView(waiting, running, (self._worker.said or "") if self._worker.failed and not running else "")
