"""The hits of a crawl: its relevant pages, each with the link, or the agent, that led to it, and the passage that says most."""

from __future__ import annotations

import json
import threading
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from focused.collection.collection import PAGES, mark_of, open_repository
from focused.collection.repository import PageRepository, Place
from focused.collection.store import Row, Store
from focused.desk.dashboard.finding import understood
from focused.desk.dashboard.neighbours import LinkColumns, rows_of
from focused.exceptions import StorageError
from focused.inspection.search_query import Excerpts, parts, searchable
from focused.live.last_run import LastRun, last_run
from focused.page.page_text import page_text
from focused.page.plain_text import plain

HitOrder = Literal["best", "newest"]
BEST: HitOrder = "best"
NEWEST: HitOrder = "newest"
AT_ONCE, MOST = 30, 300  #: hits that are shown at first, and at most
KEPT = 1_000  #: passages in memory
LONGEST_TEXT = 100_000  #: characters of a page in which its passage is looked for
AGENT = "agent"  #: part of a score that names the agent which gave it

_ORDERS: dict[HitOrder, str] = {BEST: "f.relevance DESC, f.seq", NEWEST: "f.seq DESC"}
_HITS = """
SELECT f.seq, u.url, coalesce(f.title, ''), coalesce(f.relevance, 0.0), f.time, p.score, p.depth, s.url,
    f.url IN (SELECT url FROM seeds) OR f.final_url IN (SELECT url FROM seeds), p.parts, p.source, p.url, f.content_type, f.file,
    f.offset, f.length
FROM fetches f JOIN urls u ON u.id = f.final_url JOIN picks p ON p.seq = f.pick LEFT JOIN urls s ON s.id = p.source
WHERE f.outcome = 'page' AND f.relevant = 1 ORDER BY {order} LIMIT ?
"""

Passage = Sequence[tuple[str, bool]]  #: parts, and whether each is marked


@dataclass(frozen=True, slots=True)
class SearchHit:
    """A hit.

    score : that the strategy gave to it
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
    score: float
    depth: int
    source: str | None
    seed: bool
    anchor: str
    agent: int | None
    passage: Passage


class Hits:
    """The hits of one collection. Safe to be asked by several threads.

    links : its links, of which anchors are taken
    """

    def __init__(self, folder: Path, links: LinkColumns) -> None:
        self._folder, self._links = folder, links
        self._lock = threading.Lock()
        self._passages: dict[tuple[str, int], Passage] = {}  # the last that were read

    def read(self, store: Store, order: HitOrder, most: int = AT_ONCE, *, in_short: bool = False) -> list[SearchHit]:
        """The first hits in an order: by relevance, or the newest first; in short without anchors and passages."""
        rows = store.execute(_HITS.format(order=_ORDERS[order]), (min(most, MOST),)).fetchall()
        if not rows:
            return []
        anchors = {} if in_short else self._anchors(store, rows)
        passages = {} if in_short else self._passages_of(store, rows)
        found = []
        for seq, url, title, relevance, time, score, depth, source_url, seed, why, source, target, *_ in rows:
            led_here = depth, source_url, bool(seed), anchors.get((source, target), ""), _agent(why)
            found.append(SearchHit(seq, url, title, relevance, time, score, *led_here, passages.get(seq, ())))
        return found

    def _anchors(self, store: Store, rows: Sequence[Row]) -> dict[tuple[int, int], str]:
        """By page and target the first text of a link that says something."""
        pairs = [(row[10], row[11]) for row in rows if row[10] is not None]
        ids = self._links.between(store, pairs) if pairs else None
        found: dict[tuple[int, int], str] = {}
        for page, target, anchor, _ in rows_of(store, [] if ids is None else ids.tolist()):
            found[page, target] = found.get((page, target)) or anchor
        return found

    def _passages_of(self, store: Store, rows: Sequence[Row]) -> dict[int, Passage]:
        run, began = last_run(store), mark_of(store)
        with self._lock:
            known = {row[0]: self._passages[began, row[0]] for row in rows if (began, row[0]) in self._passages}
        if missing := [row for row in rows if row[0] not in known]:
            new = _read(run, open_repository(run.pages, self._folder / PAGES), missing)
            known |= new
            with self._lock:
                self._passages |= {(began, seq): passage for seq, passage in new.items()}
                for oldest in list(self._passages)[:-KEPT]:
                    del self._passages[oldest]
        return known


def _read(run: LastRun, pages: PageRepository, rows: Sequence[Row]) -> dict[int, Passage]:
    """By fetch the passage of a page that answers the keywords best."""
    query, _ = understood(" OR ".join(" OR ".join(str(one).split()) for one in run.keywords[:10]))
    found: dict[int, Passage] = {}
    with closing(Excerpts()) as excerpts:
        for row in rows:
            seq, content_type, place = row[0], row[12], Place(*row[13:16])
            try:
                stored = pages.get(place)
            except StorageError:  # damaged, or not on disk yet
                continue
            text = page_text(stored.body, stored.content_type or content_type or "", run.reading) or ""
            text = searchable(plain(text[:LONGEST_TEXT]))
            found[seq] = tuple(parts(excerpts.best(text, query))) if query else ()
    return found


def _agent(parts_of_score: str) -> int | None:
    try:
        agent = json.loads(parts_of_score).get(AGENT)
    except (ValueError, AttributeError):
        return None
    return int(agent) if isinstance(agent, int | float) else None
