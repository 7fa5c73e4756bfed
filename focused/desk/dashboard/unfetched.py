"""URLs that gave no page, or were never asked for, by their reasons."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from focused.collection.store import Row, Store
from focused.desk.dashboard.table_form import PER_PAGE, TableForm, place
from focused.live.reasons import kind_of


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
_OF_KIND = "AND (:kind = '' OR kind_of(f.reason) = :kind)"
_SAYS = f"{_OF_KIND} AND (:q = '' OR instr(lower(u.url), lower(:q)))"


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
