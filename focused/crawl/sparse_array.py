"""Arrays of a fixed length that take memory only as they fill."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

from focused.crawl.arrays import IntArray

BYTES = 64  #: of a block: those of a line of the processor's cache
FIRST = 64  #: blocks that there is room for at first


class SparseArray:
    """Numbers by index, 0 where none was written. Holds blocks of neighbours only where something was written.

    A block takes 64 bytes and belongs to 64 bytes of the whole array, so that random indexes cost 64 bytes each at first, and
    a full array takes little more than a plain one. An index is found by two look-ups.

    Parameters
    ----------
    length : of the whole array
    dtype : of 1, 2, 4 or 8 bytes

    Attributes
    ----------
    values : all blocks one behind the other, for positions from `places`; growing replaces it, so keep no reference to it
    """

    def __init__(self, length: int, dtype: DTypeLike) -> None:
        self._bits = (BYTES // np.dtype(dtype).itemsize).bit_length() - 1
        self._within = (1 << self._bits) - 1
        # By block: its place in `values`; 0: not held.
        self._starts = np.zeros(1 + (length - 1 >> self._bits), np.int32)
        self._blocks = 1  # the first holds the zeros of all blocks that are not held
        self.values: NDArray[Any] = np.zeros(FIRST << self._bits, dtype)

    @property
    def bytes(self) -> int:
        """Memory that it takes, blocks to spare included."""
        return self._starts.nbytes + self.values.nbytes

    def places(self, indexes: IntArray) -> IntArray:
        """Positions in `values` of indexes, an array of any form; write there only after `held`."""
        return self._starts.take(indexes >> self._bits) + (indexes & self._within)

    def held(self, indexes: IntArray) -> IntArray:
        """The same for writing: the blocks of these indexes are held from now on."""
        blocks = indexes >> self._bits
        missing = np.unique(blocks[self._starts.take(blocks) == 0])
        if len(missing):
            self._reach(self._blocks + len(missing))
            self._starts[missing] = np.arange(self._blocks, self._blocks + len(missing)) << self._bits
            self._blocks += len(missing)
        return self.places(indexes)

    def take(self, indexes: IntArray) -> NDArray[Any]:
        """The numbers at indexes, an array of any form."""
        return self.values.take(self.places(indexes))

    def put(self, indexes: IntArray, values: object) -> None:
        """Write numbers at indexes (n,): one for all, or one for each."""
        places = self.held(indexes)  # first: it may replace the array
        self.values[places] = values

    def nonzero(self) -> IntArray:
        """The indexes (n,) of all numbers but 0, in ascending order."""
        blocks = np.flatnonzero(self._starts)
        rows = self.values.reshape(-1, 1 << self._bits)[self._starts[blocks] >> self._bits]
        found = np.flatnonzero(rows)
        indexes: IntArray = (blocks[found >> self._bits] << self._bits) + (found & self._within)
        return indexes

    def _reach(self, blocks: int) -> None:
        """Make room for this many blocks; the array grows by a half at least, so it seldom has to."""
        room = len(self.values) >> self._bits
        if blocks > room:
            more = min(max(blocks, room + room // 2), 1 + len(self._starts))
            values = np.zeros(more << self._bits, self.values.dtype)
            values[: self._blocks << self._bits] = self.values[: self._blocks << self._bits]
            self.values = values
