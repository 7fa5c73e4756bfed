"""The links of one URL: who links to it, where its page links to, and what became of them."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from focused.collection.collection import opened
from focused.collection.store import Row, Store
from focused.crawl.arrays import IntArray
from focused.desk.dashboard.figures import GrowingColumns, SomeArray, VersionTable, runs_of
from focused.exceptions import FocusedError

BATCH = 50_000  #: rows of one transaction
AT_ONCE = 20_000  #: rows that a request reads itself

#: As lists of numbers in a text: less than half the time of a row at a time.
_ROWS = """
SELECT max(id), count(*), group_concat(id), group_concat(page), group_concat(target)
FROM (SELECT rowid AS id, page, target FROM links WHERE rowid > ? ORDER BY rowid LIMIT ?)
"""

#: What became of a URL.
RELEVANT, PAGE, FAILED, ALIAS = "relevant", "page", "failed", "alias"
DROPPED, UNDER_WAY, WAITS, UNSCORED = "dropped", "under way", "waits", "unscored"
_EACH = "SELECT value FROM json_each(?)"
_LINKS = "SELECT page, target, anchor, score FROM links WHERE"
Linked = tuple[int, str, float | None]  #: id of the URL at the other end, anchor text, score


class LinkColumns(GrowingColumns):
    """Brings the links of one collection forward."""

    def __init__(self, folder: Path) -> None:
        super().__init__()
        self._folder = folder
        self._reading = False

    def rows(self, store: Store, url: int, way: Sequence[int]) -> IntArray | None:
        """Row ids of the links from and to a URL, and of those between the pages of a way; None: they are being read."""
        if (columns := self._brought_forward(store)) is None:
            return None
        ids, pages, targets = columns
        mask = (pages == url) | (targets == url)
        if way:
            mask |= np.isin(pages, way) & np.isin(targets, way)
        found: IntArray = ids[mask].astype(np.int64)
        return found

    def between(self, store: Store, pairs: Sequence[tuple[int, int]]) -> IntArray | None:
        """Row ids of the links from the first to the second of each pair; None: they are being read."""
        if (columns := self._brought_forward(store)) is None:
            return None
        ids, pages, targets = columns
        of, to = np.array(pairs, np.int64).reshape(-1, 2).T
        near = np.flatnonzero(np.isin(targets, to))
        wanted = np.isin(pages[near].astype(np.int64) << 32 | targets[near], of << 32 | to)
        found: IntArray = ids[near[wanted]].astype(np.int64)
        return found

    def _brought_forward(self, store: Store) -> list[SomeArray] | None:
        """Row ids, pages and targets of all links; None where so many are missing that a thread reads them."""
        made_of = runs_of(store)
        last = store.execute("SELECT coalesce(max(rowid), 0) FROM links").fetchone()[0]
        with self._lock:
            if self._reading:
                return None
            self._begin_anew_if(made_of)
            if last - self._last > AT_ONCE:
                self._reading = True
                threading.Thread(target=self._read_all, name="links", daemon=True).start()
                return None
            while self._read(store, AT_ONCE):
                pass
            return self._columns

    def _begin(self) -> Sequence[type]:
        return (np.int32,) * 3

    def _read(self, store: Store, most: int) -> bool:
        """Read some more; return whether there may be others."""
        last, count, *texts = store.execute(_ROWS, (self._last, most)).fetchone()
        if count:
            self._extend(*(np.fromstring(text, np.int32, sep=",") for text in texts))
            self._last = last
        return bool(count == most)

    def _read_all(self) -> None:
        """Read all there are, each batch in a transaction of its own: one held open would let the log of a crawl grow."""
        more = True
        try:
            while more:
                with opened(self._folder) as store:
                    more = self._read(store, BATCH)
        except FocusedError:  # whoever asks next meets it too, and tells
            pass
        finally:
            self._reading = False


@dataclass(frozen=True, slots=True)
class Fate:
    """What became of a URL."""

    kind: str
    words: str


@dataclass(frozen=True, slots=True)
class Links:
    """All links of a URL, and the anchors along a way."""

    incoming: list[Linked]  #: best scored first
    outgoing: list[Linked]  #: in the order of the page
    anchors: dict[tuple[int, int], str]  #: of the links between the pages of the way


def links_of(store: Store, columns: LinkColumns, url: int, way: Sequence[int]) -> Links:
    """The links of a URL, by id.

    way : ids of pages, each of which links to the next
    """
    found = columns.rows(store, url, way)
    if found is None:  # they are being read: this time a scan, .5 s for 4 million links
        marks = ", ".join("?" * len(way))
        query = f"{_LINKS} target = ? OR page = ? OR (page IN ({marks}) AND target IN ({marks})) ORDER BY rowid"
        rows = store.execute(query, (url, url, *way, *way)).fetchall()
    else:
        rows = rows_of(store, found.tolist())
    incoming = [(page, anchor, score) for page, target, anchor, score in rows if target == url]
    incoming.sort(key=lambda link: -(link[2] if link[2] is not None else float("-inf")))
    outgoing = [(target, anchor, score) for page, target, anchor, score in rows if page == url]
    anchors: dict[tuple[int, int], str] = {}
    for page, target, anchor, _ in rows:
        anchors.setdefault((page, target), anchor)
    return Links(incoming, outgoing, anchors)


def rows_of(store: Store, ids: Sequence[int]) -> list[Row]:
    """Page, target, anchor and score of links by their row ids, in the order in which they were found."""
    return store.execute(f"{_LINKS} rowid IN ({_EACH}) ORDER BY rowid", (json.dumps(ids),)).fetchall()


def neighbours(
    store: Store, versions: VersionTable, links: Sequence[Linked]
) -> list[tuple[str, str, float | None, Fate]]:
    """Of each link the URL at its other end, its anchor text and score, and what became of the URL."""
    fates, found = fates_of(store, versions, [url for url, _, _ in links]), []
    for url, anchor, score in links:
        is_unscored = fates[url].kind == WAITS and score is None
        fate = Fate(UNSCORED, "known, but the strategy gave it no score") if is_unscored else fates[url]
        found.append((store.url(url), anchor, score, fate))
    return found


def fates_of(store: Store, versions: VersionTable, urls: Iterable[int]) -> dict[int, Fate]:
    """What became of URLs, by id."""
    ids = list(dict.fromkeys(urls))
    fates = {}
    for column in (versions.first, versions.url):
        for row in np.flatnonzero(versions.newest & np.isin(column, ids)).tolist():
            words = f"{'relevant' if versions.relevant[row] else 'fetched'}, {versions.relevance[row]:.2f}"
            fates[int(column[row])] = Fate(RELEVANT if versions.relevant[row] else PAGE, words)
    if others := [url for url in ids if url not in fates]:
        fates |= _fates_without_page(store, others)
    return fates


def _fates_without_page(store: Store, ids: Sequence[int]) -> dict[int, Fate]:
    fates, each = dict.fromkeys(ids, Fate(WAITS, "waits")), (json.dumps(ids),)
    for url, reason in store.execute(f"SELECT url, reason FROM drops WHERE url IN ({_EACH})", each):
        fates[url] = Fate(DROPPED, f"dropped: {reason}")
    for (url,) in store.execute(f"SELECT url FROM picks WHERE url IN ({_EACH})", each):
        fates[url] = Fate(UNDER_WAY, "chosen, no answer yet")
    outcomes = "('failed', 'alias', 'dropped')"
    answers = f"SELECT url, outcome, reason FROM fetches WHERE url IN ({_EACH}) AND outcome IN {outcomes} ORDER BY seq"
    for url, outcome, reason in store.execute(answers, each):
        match outcome:
            case "alias":
                fates[url] = Fate(ALIAS, "redirects to a known page")
            case "dropped":
                fates[url] = Fate(DROPPED, f"not stored: {reason}")
            case _:
                fates[url] = Fate(FAILED, f"failed: {reason}")
    return fates
