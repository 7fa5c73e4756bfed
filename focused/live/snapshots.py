"""Snapshots: the state of the core at an event of the journal, so that a resumed crawl need not read every page again."""

from __future__ import annotations

from collections.abc import Callable

from focused.collection.snapshot import decode, encode
from focused.collection.store import Store
from focused.crawl.crawl import Crawl
from focused.exceptions import StorageError
from focused.live.forms import now


class Snapshots:
    """Takes a snapshot now and then.

    Parameters
    ----------
    store : keeps the last snapshot
    crawl : the core whose state they hold
    every : pages between two snapshots, which bounds what the crawl must read again after a crash
    changed : tells how many re-fetched pages of this run had changed
    """

    def __init__(self, store: Store, crawl: Crawl, every: int, changed: Callable[[], int]) -> None:
        self._store, self._crawl, self._every, self._changed = store, crawl, every, changed
        self._taken_at = crawl.totals.pages

    @property
    def _pages(self) -> int:
        return self._crawl.totals.pages + self._changed()

    def take_soon(self) -> None:
        """Take one at the next `take_if_due`, however few pages have come."""
        self._taken_at = -self._every

    def take_if_due(self) -> None:
        if self._pages - self._taken_at >= self._every:
            self.take()

    def take(self) -> None:
        """Take one, if all events up to now are in the journal and no rescoring is under way."""
        if self._store.committed != self._crawl.events or self._crawl.rescorings.under_way:
            return
        self._taken_at = self._pages
        state = encode(self._crawl.snapshot())
        self._store.replace_all(
            [
                ("DELETE FROM snapshots", [()]),
                ("DELETE FROM at_hand WHERE seq <= ?", [(self._store.committed,)]),
                (
                    "INSERT INTO snapshots VALUES (?, ?, ?, ?)",
                    [(self._store.committed, self._crawl.state_version, now(), state)],
                ),
            ]
        )


def fits(store: Store, crawl: Crawl) -> bool:
    """Whether there is a snapshot that this core can take up."""
    return store.snapshot_version() == crawl.state_version


def take_up(crawl: Crawl, store: Store) -> None:
    """Give a core the state in the snapshot. Raises StorageError if it is damaged."""
    try:
        state = decode(store.snapshot())
        if state.get("events") != store.snapshot_event():
            raise ValueError("it is of another event")
        crawl.restore(state)
    # zipfile, json and numpy may raise anything for damaged bytes, and so may the core for a wrong state.
    except Exception as error:
        raise StorageError(
            f"{store.path}: the saved state is damaged ({error}); delete it with `scrapy verify {store.path.parent.name} --repair` "
            "and run again: it is made anew from the pages"
        ) from error
