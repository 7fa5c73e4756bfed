"""The hits of a crawl: its relevant pages, each with the link, or the agent, that led to it, and the passage that says most."""

from __future__ import annotations

import json
import threading
from collections import OrderedDict
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from focused.collection.collection import PAGES, mark_of, open_repository
from focused.collection.repository import PageRepository, Place
from focused.collection.search_query import Excerpts, Query, parts, query_of, searchable
from focused.collection.store import Row, Store
from focused.desk.dashboard.neighbours import LinkColumns
from focused.exceptions import FocusedError, StorageError
from focused.live.last_run import LastRun, last_run
from focused.page.page_text import page_text
from focused.page.plain_text import plain

Order = Literal["best", "newest"]
BEST: Order = "best"
NEWEST: Order = "newest"
AT_ONCE, MOST = 30, 300  #: hits that are shown at first, and at most
KEPT = 1_000  #: passages in memory
LONGEST_TEXT = 100_000  #: characters of a page in which its passage is looked for
AGENT = "agent"  #: part of a score that names the agent which gave it

_ORDERS: dict[Order, str] = {BEST: "f.relevance DESC, f.seq", NEWEST: "f.seq DESC"}
_HITS = """
SELECT f.seq, u.url, f.title, f.relevance, f.time, p.parts, p.depth, p.source, p.url, s.url,
    f.url IN (SELECT url FROM seeds) OR f.final_url IN (SELECT url FROM seeds), f.content_type, f.file, f.offset, f.length
FROM fetches f JOIN urls u ON u.id = f.final_url JOIN picks p ON p.seq = f.pick LEFT JOIN urls s ON s.id = p.source
WHERE f.outcome = 'page' AND f.relevant = 1 ORDER BY {order} LIMIT ?
"""

Passage = Sequence[tuple[str, bool]]  #: parts, and whether each is marked


@dataclass(frozen=True, slots=True)
class Found:
    """A hit.

    source : URL of the page whose link led here; None: it is a start of the crawl
    anchor : text of that link; empty where it is not known
    agent : number of the agent that found it, where the strategy has agents
    seed : whether a person named it, or a search for seeds
    """

    seq: int
    url: str
    title: str
    relevance: float
    time: str
    depth: int
    source: str | None
    anchor: str
    agent: int | None
    seed: bool
    passage: Passage


class Hits:
    """The hits of one collection. Safe to be asked by several threads.

    links : its links, of which anchors are taken
    """

    def __init__(self, folder: Path, links: LinkColumns) -> None:
        self._folder, self._links = folder, links
        self._lock = threading.Lock()
        self._passages: OrderedDict[tuple[str, int], Passage] = OrderedDict()

    def read(self, store: Store, order: Order, most: int = AT_ONCE) -> list[Found]:
        """The first hits in an order: by relevance, or the newest first."""
        rows = store.execute(_HITS.format(order=_ORDERS[order]), (min(most, MOST),)).fetchall()
        if not rows:
            return []
        anchors = self._anchors(store, rows)
        passages = self._passages_of(store, rows)
        found = []
        for row in rows:
            seq, url, title, relevance, time, score, depth, source, target, source_url, seed, *_ = row
            agent = _agent(score)
            anchor = anchors.get((source, target), "")
            about = (seq, url, title or "", relevance or 0.0, time, depth, source_url, anchor, agent, bool(seed))
            found.append(Found(*about, passages.get(seq, ())))
        return found

    def _anchors(self, store: Store, rows: Sequence[Row]) -> dict[tuple[int, int], str]:
        """By page and target the first text of a link that says something."""
        pairs = [(row[7], row[8]) for row in rows if row[7] is not None]
        ids = self._links.between(store, pairs) if pairs else None
        if ids is None:
            return {}
        found: dict[tuple[int, int], str] = {}
        marks = ", ".join("?" * len(ids))
        for page, target, anchor in store.execute(
            f"SELECT page, target, anchor FROM links WHERE rowid IN ({marks}) ORDER BY rowid", ids.tolist()
        ):
            found[page, target] = found.get((page, target)) or anchor
        return found

    def _passages_of(self, store: Store, rows: Sequence[Row]) -> dict[int, Passage]:
        run = last_run(store)
        began = mark_of(store)
        with self._lock:
            known = {row[0]: passage for row in rows if (passage := self._passages.get((began, row[0]))) is not None}
        missing = [row for row in rows if row[0] not in known]
        if missing:
            new = _read(run, open_repository(run.pages, self._folder / PAGES), missing)
            with self._lock:
                self._passages.update({(began, seq): passage for seq, passage in new.items()})
                while len(self._passages) > KEPT:
                    self._passages.popitem(last=False)
            known |= new
        return known


def _read(run: LastRun, pages: PageRepository, rows: Sequence[Row]) -> dict[int, Passage]:
    """By fetch the passage of a page that answers the keywords best."""
    query = _query(run)
    found: dict[int, Passage] = {}
    with closing(Excerpts()) as excerpts:
        for row in rows:
            seq, content_type, place = row[0], row[11], Place(*row[12:15])
            try:
                stored = pages.get(place)
            except StorageError:  # damaged, or not on disk yet
                continue
            text = page_text(stored.body, stored.content_type or content_type or "", run.reading) or ""
            text = searchable(plain(text[:LONGEST_TEXT]))
            found[seq] = tuple(parts(excerpts.best(text, query))) if query else ()
    return found


def _query(run: LastRun) -> Query | None:
    try:
        return query_of(" OR ".join(" OR ".join(str(one).split()) for one in run.keywords[:10]))
    except FocusedError:
        return None


def _agent(parts_of_score: str) -> int | None:
    try:
        agent = json.loads(parts_of_score).get(AGENT)
    except (ValueError, AttributeError):
        return None
    return int(agent) if isinstance(agent, int | float) else None
