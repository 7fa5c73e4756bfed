"""Columns in memory that are read from a collection once, then brought forward by what its crawl has added since."""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from focused.collection.collection import mark_of
from focused.collection.store import Store

Flags = NDArray[np.bool_]
BATCH = 20_000  #: rows at a time


@dataclass(slots=True)
class GrowingColumn:
    """One column: an array that doubles."""

    kind: type
    values: NDArray[np.generic] = field(init=False)
    count: int = 0

    def __post_init__(self) -> None:
        self.values = np.empty(0, self.kind)

    def extend(self, new: NDArray[np.generic]) -> None:
        if self.count + len(new) > len(self.values):
            larger: NDArray[np.generic] = np.empty(max(2 * len(self.values), self.count + len(new), 1024), self.kind)
            larger[: self.count] = self.values[: self.count]
            self.values = larger
        self.values[self.count : self.count + len(new)] = new
        self.count += len(new)

    def seen(self) -> NDArray[np.generic]:
        """What is there by now. It never changes: what is added later comes behind it."""
        part = self.values[: self.count]
        part.flags.writeable = False
        return part


class Names:
    """Numbers for names, in the order in which they come."""

    def __init__(self) -> None:
        self.names: list[str] = []
        self._numbers: dict[str, int] = {}

    def number(self, name: str) -> int:
        if name not in self._numbers:
            self._numbers[name] = len(self.names)
            self.names.append(name)
        return self._numbers[name]


class GrowingColumns(ABC):
    """Columns of one collection. Safe to be asked by several threads, which hold ``_lock`` meanwhile.

    A new run may have judged all pages anew, and a fresh start is another collection: then all is read again.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._made_of: tuple[str, int] | None = None
        self._begin()

    @abstractmethod
    def _clear(self) -> Sequence[type]:
        """Forget what was read of rows; return the kinds of the columns."""

    def _begin(self) -> None:
        self._columns = [GrowingColumn(kind) for kind in self._clear()]
        self._hosts: list[str] = []

    def _begin_anew_if(self, made_of: tuple[str, int]) -> None:
        """Forget all where it was read of other runs (see `runs_of`)."""
        if made_of != self._made_of:
            self._begin()
            self._made_of = made_of

    def _host_names(self, store: Store) -> list[str]:
        """Names of hosts, by id."""
        rows = store.execute("SELECT name FROM hosts WHERE id >= ? ORDER BY id", (len(self._hosts),)).fetchall()
        self._hosts += [name for (name,) in rows]
        return self._hosts


def runs_of(store: Store) -> tuple[str, int]:
    """What is another where pages may have been judged anew: the mark of the collection, and how many runs it had."""
    return mark_of(store), store.execute("SELECT count(*) FROM runs").fetchone()[0]
