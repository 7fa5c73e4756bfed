"""Turns events into rows of the tables of crawl.db, and rows back into events."""

from __future__ import annotations

import heapq
import json
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from itertools import groupby
from operator import itemgetter
from typing import Any

from focused.collection.repository import PageRepository, Place
from focused.collection.store import CHANGED, DROPPED, DROPPED_CHANGE, LIST, REVISITED, Row, Rows, Store
from focused.crawl import events
from focused.crawl.crawl import Crawl
from focused.crawl.standing_orders import Order
from focused.crawl.teaching import JUDGED, SAID
from focused.exceptions import StorageError
from focused.live.outage import is_silent
from focused.page.page import Page
from focused.page.plain_text import LONGEST_REASON, plain
from focused.page.reader import Reader

LONGEST_ANCHOR = 200  #: characters of an anchor text kept
Changed = tuple[int, int, int]  #: by a lesson: newest pages that were looked at, became relevant, are no longer


def rows_of(
    event: events.Event, outcome: events.Outcome, run: int, parts: Sequence[str], place: Place | None, changed: Changed
) -> list[Rows]:
    """The rows of an event, without links, drops and new URLs; `Journal.finish` writes those of a page that arrived.

    run : number of the run
    parts : names of the parts of a score
    place : where the repository keeps the answer to a pick that is no page
    """
    base = {"seq": outcome.seq, "run": run, "time": now()}
    match event:
        case events.Started():
            return [Rows("seeds", ("seq", "url"), [(outcome.seq, url) for url in outcome.urls])]
        case events.Requested(_, score, saved):
            return [Rows.one("requests", seq=outcome.seq, url=outcome.urls[0], score=score, request=saved)]
        case events.Picked(url, passed_over):
            pick = outcome.picked
            scored = {"score": pick.score, "parts": json.dumps(dict(zip(parts, pick.parts, strict=True)))}
            source = pick.source if pick.source >= 0 else None
            found = {"source": source, "depth": pick.depth, "passed_over": passed_over}
            return [Rows.one("picks", **base, url=url, **scored, **found)]
        case events.BacklinksNamed(url):
            values = [(outcome.seq, url, backlink) for backlink in dict.fromkeys(outcome.urls)]
            return [Rows("backlinks", ("seq", "url", "backlink"), values or [(outcome.seq, url, None)])]
        case events.OrderGiven(order, desk):
            about: dict[str, Any] = {"url": None, "argument": order.argument}
            if order.address is not None:
                about = {"url": outcome.urls[0], "argument": order.address.url}
            return [Rows.one("steering", **base, kind=order.kind, **about, value=order.value, desk=desk)]
        case events.VerdictGiven(url, _, said, text, desk):
            steering = Rows.one("steering", **base, kind=JUDGED, url=url, argument=text, value=SAID[said], desk=desk)
            return [steering, *_lesson_rows(base, outcome, changed)]
        case events.PickEnded(url):
            kept = {"file": place.file, "offset": place.offset, "length": place.length} if place else {}
            return [
                Rows.one("fetches", **base, pick=outcome.picked.event, url=url, **_end(event, outcome, place), **kept)
            ]
    raise TypeError(event)


def _end(event: events.PickEnded, outcome: events.Outcome, place: Place | None) -> dict[str, Any]:
    """Columns of a fetch that gave no page."""
    match event:
        case events.NoList(_, reason, status):
            return {"outcome": LIST, "reason": short(reason), "status": status}
        case events.Failed(_, reason, status):
            return {"outcome": "failed", "reason": short(reason), "status": status}
        case events.Aliased(_, _, reason, status):
            return {"final_url": outcome.urls[0], "outcome": "alias", "reason": short(reason), "status": status}
        case events.ProbeAnswered(url, _, reason, status):
            kept = {"final_url": url, "status": status} if place else {}
            return {"outcome": "probe", "reason": short(reason), **kept}
        case events.PageUnchanged(_, ended, reason, status):
            return {"outcome": ended, "reason": short(reason), "status": status}
    raise TypeError(event)


def _lesson_rows(base: Mapping[str, Any], outcome: events.Outcome, changed: Changed) -> Iterator[Rows]:
    if (lesson := outcome.lesson) is not None:
        learned = {"judged": lesson.judged, "yes": lesson.yes, "before": lesson.before, "after": lesson.after}
        seen, gained, lost = changed
        yield Rows.one("lessons", **base, **learned, kept=int(lesson.kept), looked=seen, gained=gained, lost=lost)


def judged(arrival: events.Arrival) -> dict[str, Any]:
    """Columns of a fetched page that the rules of a crawl decide; a replay under other rules changes them."""
    visit = arrival.visit
    return {
        "relevance": visit.relevance,
        "relevant": int(visit.counts),
        "duplicate_of": arrival.duplicate_of,
        "verdict": visit.verdict or None,
        "kind": visit.kind or None,
    }


def link_rows(arrival: events.Arrival) -> Rows:
    """Rows of the table ``links`` for a fetched page."""
    visit = arrival.visit
    scores = [None if score != score else score for score in arrival.scores.tolist()]  # NaN differs from itself
    anchors = [plain(link.anchor, LONGEST_ANCHOR) for link in visit.links]
    links = zip(visit.targets.tolist(), anchors, scores, strict=True)
    values: list[Row] = [(visit.id, position, *link) for position, link in enumerate(links)]
    return Rows("links", ("page", "position", "target", "anchor", "score"), values)


#: The first version of a page: a verdict never speaks of a later one, so that a replay finds the same.
FIRST_PLACE = "SELECT file, offset, length FROM fetches WHERE final_url = ? AND outcome = 'page' ORDER BY seq LIMIT 1"


class Rereading:
    """Pages of one collection, read as its crawl reads them."""

    def __init__(self, crawl: Crawl, reader: Reader, store: Store, repository: PageRepository) -> None:
        self._crawl, self._reader, self._store, self._repository = crawl, reader, store, repository

    def first_place(self, url: int) -> Place | None:
        """Where the first version of the page at a URL is stored; None if none is on disk."""
        row = self._store.execute(FIRST_PLACE, (url,)).fetchone() if url >= 0 else None
        return Place(*row) if row else None

    def page(self, url: int, place: Place) -> Page | None:
        """The page at a URL; None if it is no page any more under changed rules of reading."""
        stored = self._repository.get(place)
        return self._read(url, stored.body, stored.content_type, stored.header("X-Robots-Tag"))

    def dropped(self, url: int, seq: int) -> Page | None:
        """A page that no pipeline has stored; None if a snapshot has taken its place, or as for `page`."""
        row = self._store.execute("SELECT body, content_type, robots FROM at_hand WHERE seq = ?", (seq,)).fetchone()
        try:
            return self._read(url, zlib.decompress(row[0]), row[1], row[2]) if row else None
        except zlib.error as error:
            raise StorageError(f"{self._store.path}: the page of event {seq} is damaged ({error})") from error

    def _read(self, url: int, body: bytes, content_type: str, robots: str) -> Page | None:
        page = self._reader.read(self._store.url(url), body, content_type, robots)
        return page if isinstance(page, Page) and not self._crawl.admission.against_page(page) else None


class JournalReader:
    """Reads the events of a journal back, and their pages from the repository."""

    def __init__(self, store: Store, pages: Rereading) -> None:
        self._store, self._pages = store, pages
        #: By table with numbered events: the columns to read, and what makes an event from the rows with one number.
        self._tables: Mapping[str, tuple[str, Callable[[list[Row]], events.Event]]] = {
            "seeds": ("url", self._started),
            "requests": ("url, score", self._requested),
            "picks": ("url", self._picked),
            "fetches": ("outcome, url, final_url, bytes, reason, seq, file, offset, length", self._ended),
            "backlinks": ("url, backlink", self._named),
            "steering": ("kind, url, argument, value", self._asked),
        }

    def after(self, seq: int) -> Iterator[tuple[int, events.Event]]:
        """The events after a number, each with its own."""
        tables = [self._rows_after(seq, table, columns) for table, (columns, _) in self._tables.items()]
        for number, rows in groupby(heapq.merge(*tables, key=itemgetter(0)), key=itemgetter(0)):
            first, *others = rows
            _, event_of = self._tables[first[1]]
            yield number, event_of([row[2:] for row in (first, *others)])

    def _rows_after(self, seq: int, table: str, columns: str) -> Iterator[Row]:
        return self._store.execute(f"SELECT seq, '{table}', {columns} FROM {table} WHERE seq > ? ORDER BY seq", (seq,))

    def _started(self, rows: list[Row]) -> events.Event:
        return events.Started([self._store.address(url) for (url,) in rows])

    def _requested(self, rows: list[Row]) -> events.Event:
        [(url, score)] = rows
        return events.Requested(self._store.address(url), score or 0.0)

    def _picked(self, rows: list[Row]) -> events.Event:
        [(url,)] = rows
        return events.Picked(url)

    def _named(self, rows: list[Row]) -> events.Event:
        return events.BacklinksNamed(
            rows[0][0], [self._store.address(backlink) for _, backlink in rows if backlink is not None]
        )

    def _asked(self, rows: list[Row]) -> events.Event:
        [(kind, url, argument, value)] = rows
        if kind == JUDGED:
            place = self._pages.first_place(url)
            page = self._pages.page(url, place) if place else None
            return events.VerdictGiven(url, page, next(said for said, word in SAID.items() if word == value))
        if url is None or url < 0:
            return events.OrderGiven(Order(kind, None, argument, value))
        return events.OrderGiven(Order(kind, self._store.address(url), "", value))

    def _ended(self, rows: list[Row]) -> events.Event:
        [(outcome, url, final_url, size, reason, seq, *place)] = rows
        page = self._pages.page(final_url, Place(*place)) if place[0] is not None and final_url is not None else None
        if outcome in (DROPPED, DROPPED_CHANGE):
            page = page or self._pages.dropped(final_url, seq)
            outcome = "page" if outcome == DROPPED else CHANGED
        reason = reason or ""
        silent = is_silent(reason)
        match outcome:
            case "page" | "list" if page is not None:
                return events.PageArrived(url, page, size or 0)
            case "list" if place[0] is None:
                return events.NoList(url, reason, silent=silent)
            case "page" | "list":  # it is no page any more under changed rules of reading
                return events.Failed(url)
            case "failed":
                return events.Failed(url, reason, silent=silent)
            case "probe":
                return events.ProbeAnswered(url, page)
            case "alias":
                return events.Aliased(url, self._store.address(final_url or 0), reason)
        if outcome == CHANGED and page is not None:
            return events.PageChanged(url, page)
        if outcome in REVISITED:  # or a change that was dropped and is not at hand any more
            return events.PageUnchanged(url, outcome, silent=silent)
        raise ValueError(f"fetches: no outcome is called {outcome!r}")


def short(reason: str) -> str:
    """A reason as the journal keeps it, cleaned: parts of it may come from a server."""
    return plain(reason, LONGEST_REASON)


def iso(when: datetime) -> str:
    return when.isoformat(timespec="milliseconds")


def now() -> str:
    return iso(datetime.now(UTC))
