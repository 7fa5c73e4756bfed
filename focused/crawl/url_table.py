"""What the crawl remembers of every URL it has seen, in arrays by id: about 40 bytes each; the text lies in the store."""

from __future__ import annotations

from collections.abc import Mapping
from enum import IntEnum
from typing import Any

import numpy as np
from numpy.typing import NDArray

from focused.crawl.key_index import KeyIndex
from focused.crawl.strategy import IntArray

#: Verdicts of the scope are kept as small numbers: 0 means not asked yet, 1 allowed, others are reasons to drop.
UNASKED, IN_SCOPE = 0, 1

NO_SOURCE = -1  #: a seed, or a request of the user's own: found on no page


class State(IntEnum):
    """Where a URL stands. Only a URL that was picked counts as seen for good; others may come (back) to the frontier."""

    FREE = 0  #: never waited, or was dropped or evicted
    WAITING = 1
    PICKED = 2  #: handed out, no answer yet
    DONE = 3  #: fetched, failed, or an alias of another URL


class UrlTable:
    """Ids of URLs by key, and per id: host, depth, the page it was found on, state, and what the scope said of it."""

    def __init__(self) -> None:
        self._index = KeyIndex()
        self.host: NDArray[np.int32] = np.empty(0, np.int32)
        self.depth: NDArray[np.int32] = np.empty(0, np.int32)  #: links from a seed on the shortest known path
        self.source: NDArray[np.int32] = np.empty(0, np.int32)  #: page whose link gave the score that counts
        self.state: NDArray[np.uint8] = np.empty(0, np.uint8)
        self.verdict: NDArray[np.uint8] = np.empty(0, np.uint8)  #: of the scope; 0: not asked yet

    def __len__(self) -> int:
        return len(self._index)

    def find(self, key: int) -> int:
        """Return the id of a URL's key, or -1."""
        return self._index.find(key)

    def intern(self, keys: IntArray) -> tuple[IntArray, list[int]]:
        """Return ids (n,) of the keys, and the positions of those never seen before, in order; see `KeyIndex.intern`."""
        ids, new = self._index.intern(keys)
        if len(self._index) > len(self.host):
            self._grow(max(1024, 2 * len(self.host), len(self._index)))
        return ids, new

    def _grow(self, capacity: int) -> None:
        for name, fill in (("host", -1), ("depth", 0), ("source", NO_SOURCE), ("state", State.FREE), ("verdict", 0)):
            old = getattr(self, name)
            new = np.full(capacity, fill, old.dtype)
            new[: len(old)] = old
            setattr(self, name, new)

    def snapshot(self) -> dict[str, Any]:
        """What a journal cannot tell quickly; keys and hosts are read from the store's list of URLs."""
        count = len(self)
        kept = {name: getattr(self, name)[:count].copy() for name in ("depth", "source", "state")}
        # Reasons to drop are numbered as they come up, and asked for again.
        return kept | {"verdict": np.where(self.verdict[:count] == IN_SCOPE, IN_SCOPE, UNASKED).astype(np.uint8)}

    def restore(self, state: Mapping[str, Any]) -> None:
        """Take up what `snapshot` gave; URLs that became known later keep the state of a new one."""
        for name in ("depth", "source", "state", "verdict"):
            getattr(self, name)[: len(state[name])] = state[name]
