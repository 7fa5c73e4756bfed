"""Which link leads from where to where, as columns in memory: the table of links has no index, and a scan takes .5 s for 4 million.

They take 12 bytes a link, and .4 s to read for a million; a thread reads them when the first page is opened.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from focused.collection.collection import opened
from focused.collection.store import Store
from focused.crawl.arrays import IntArray
from focused.desk.dashboard.growing import GrowingColumns, runs_of
from focused.exceptions import FocusedError

BATCH = 50_000  #: rows of one transaction
AT_ONCE = 20_000  #: rows that a request reads itself

#: As lists of numbers in a text: less than half the time of a row at a time.
_ROWS = """
SELECT max(id), count(*), group_concat(id), group_concat(page), group_concat(target)
FROM (SELECT rowid AS id, page, target FROM links WHERE rowid > ? ORDER BY rowid LIMIT ?)
"""

Column = NDArray[Any]


class LinkColumns(GrowingColumns):
    """Brings the links of one collection forward."""

    def __init__(self, folder: Path) -> None:
        super().__init__()
        self._folder = folder
        self._reading = False

    def rows(self, store: Store, url: int, way: Sequence[int]) -> IntArray | None:
        """Row ids of the links from and to a URL, and of those between the pages of a way; None: they are being read."""
        with self._lock:
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
        with self._lock:
            if (columns := self._brought_forward(store)) is None:
                return None
            ids, pages, targets = columns
        of, to = np.array(pairs, np.int64).reshape(-1, 2).T
        near = np.flatnonzero(np.isin(targets, to))
        wanted = np.isin(pages[near].astype(np.int64) << 32 | targets[near], of << 32 | to)
        found: IntArray = ids[near[wanted]].astype(np.int64)
        return found

    def _brought_forward(self, store: Store) -> tuple[Column, Column, Column] | None:
        """Row ids, pages and targets of all links; None where so many are missing that a thread reads them."""
        made_of = runs_of(store)
        last = store.execute("SELECT coalesce(max(rowid), 0) FROM links").fetchone()[0]
        if self._reading:
            return None
        self._begin_anew_if(made_of)
        if last - self._last > AT_ONCE:
            self._reading = True
            threading.Thread(target=self._read_all, name="links", daemon=True).start()
            return None
        while self._read(store, AT_ONCE):
            pass
        ids, pages, targets = (column.seen() for column in self._columns)
        return ids, pages, targets

    def _clear(self) -> Sequence[type]:
        self._last = 0
        return (np.int32,) * 3

    def _read(self, store: Store, most: int) -> bool:
        """Read some more; return whether there may be others."""
        last, count, *texts = store.execute(_ROWS, (self._last, most)).fetchone()
        if count:
            for column, text in zip(self._columns, texts, strict=True):
                column.extend(np.fromstring(text, np.int32, sep=","))
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
