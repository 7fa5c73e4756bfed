"""The sites of one collection, rated once for as long as its crawl adds nothing, and not more often than every few seconds."""

from __future__ import annotations

import threading
import time
from pathlib import Path

from focused.companies.sites import Sites, sites_of
from focused.dashboard.growing import runs_of
from focused.storage.store import Store

MOST_OFTEN = 10.0  #: seconds between two ratings of a crawl that is running


class SiteTable:
    """folder : of the collection. Safe to be asked by several threads."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._lock = threading.Lock()
        self._made_of: tuple[object, ...] = ()
        self._made, self._sites = 0.0, None  # type: float, Sites | None

    def sites(self, store: Store) -> Sites:
        """As of this moment, or of a few seconds ago. Raises StorageError."""
        with self._lock:
            runs, made_of = runs_of(store), (runs_of(store), store.committed)
            is_fresh = made_of == self._made_of or time.monotonic() - self._made < MOST_OFTEN
            if self._sites is None or self._made_of[0] != runs or not is_fresh:
                self._sites = sites_of(self._folder, lambda *_: None)
                self._made_of, self._made = made_of, time.monotonic()
            return self._sites
