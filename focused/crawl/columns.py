"""Columns: arrays with a row for each URL by id (or for each of something else that is numbered), which grow together."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

FIRST = 1024  #: rows that a column has at least
ALL = -1  #: stands for all rows among those that were written


class Column:
    """One array that grows. It is read and written as an array is, by ids.

    values : (rows, ...) with spare rows at the end that hold ``fill``; growing replaces the array, so keep no reference to it
    fill : value of a row until something is written there
    """

    __slots__ = ("fill", "values")

    def __init__(self, values: NDArray[Any], fill: float) -> None:
        self.values, self.fill = values, fill

    def __getitem__(self, ids: Any) -> Any:
        return self.values[ids]

    def __setitem__(self, ids: Any, values: Any) -> None:
        self.values[ids] = values

    def take(self, ids: NDArray[Any]) -> NDArray[Any]:
        """The rows (n, ...) of n ids; quicker than an index."""
        return self.values.take(ids, axis=0)


class NotedColumn(Column):
    """One that notes which rows are written, so that what follows from them need not be reckoned for all.

    written : ids of rows; ALL where a slice was written
    """

    __slots__ = ("written",)

    def __init__(self, values: NDArray[Any], fill: float, written: set[int]) -> None:
        super().__init__(values, fill)
        self.written = written

    def __setitem__(self, ids: Any, values: Any) -> None:
        super().__setitem__(ids, values)
        self.written.update((ALL,) if isinstance(ids, slice) else np.ravel(ids).tolist())


class Columns:
    """Columns by name. All have the same number of rows; they grow by a quarter at least, so they seldom have to."""

    def __init__(self) -> None:
        self._columns: dict[str, Column] = {}
        self._saved: list[str] = []
        self._rows = FIRST

    def __getitem__(self, name: str) -> Column:
        """The column of a name; raises KeyError if there is none."""
        return self._columns[name]

    def add(
        self,
        name: str,
        dtype: DTypeLike,
        fill: float = 0,
        *,
        shape: tuple[int, ...] = (),
        saved: bool = True,
        written: set[int] | None = None,
    ) -> Column:
        """A new column, filled.

        shape : of a row; (): one number
        saved : `snapshot` holds it
        written : gets what a `NotedColumn` notes
        Raises ValueError for a name that is taken.
        """
        if name in self._columns:
            raise ValueError(f"there is a column {name!r} already")
        values = np.full((self._rows, *shape), fill, dtype)
        column = Column(values, fill) if written is None else NotedColumn(values, fill, written)
        self._columns[name] = column
        if saved:
            self._saved.append(name)
        return column

    @property
    def bytes(self) -> int:
        """Memory that all columns take, rows to spare included."""
        return sum(column.values.nbytes for column in self._columns.values())

    def reach(self, count: int) -> None:
        """Give every column at least ``count`` rows."""
        if count <= self._rows:
            return
        missing = max(count - self._rows, self._rows // 4)
        self._rows += missing
        for column in self._columns.values():
            more = np.full((missing, *column.values.shape[1:]), column.fill, column.values.dtype)
            column.values = np.concatenate((column.values, more))

    def snapshot(self, count: int) -> dict[str, NDArray[Any]]:
        """The first ``count`` rows of all columns that are saved; copies."""
        return {name: self._columns[name][:count].copy() for name in self._saved}

    def restore(self, state: Mapping[str, NDArray[Any]]) -> None:
        """Take up what `snapshot` gave; rows beyond it stay as they are."""
        for name in self._saved:
            self.reach(len(state[name]))
            self._columns[name][: len(state[name])] = state[name]
