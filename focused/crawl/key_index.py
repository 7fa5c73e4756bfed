"""Which URLs are known: a 64-bit key of a canonical URL leads to its dense id.

12 bytes a URL, and up to 14 more between two merges, where a dict takes 110.
"""

from __future__ import annotations

import numpy as np

from focused.crawl.arrays import IntArray

#: Keys wait in a dict until this many have come, then they are merged into the sorted array (or an eighth of it, if more).
MERGE_AT_LEAST = 8192

#: Keys are looked up in portions, so that a whole journal of them does not fill the dict before the first merge.
AT_ONCE = 65536


class KeyIndex:
    """Gives each new key the next id (0, 1, 2, ...) and finds the ids of known ones, many at once.

    Two URLs share a key by chance about once in 40 crawls of 10 million URLs each.
    """

    def __init__(self) -> None:
        self._keys = np.empty(0, np.int64)  # sorted
        self._ids = np.empty(0, np.int32)
        self._recent: dict[int, int] = {}

    def __len__(self) -> int:
        return len(self._keys) + len(self._recent)

    def find(self, key: int) -> int:
        """Return the id of ``key``, or -1."""
        position = int(np.searchsorted(self._keys, key))
        if position < len(self._keys) and self._keys[position] == key:
            return int(self._ids[position])
        return self._recent.get(key, -1)

    def intern(self, keys: IntArray) -> tuple[IntArray, list[int]]:
        """Return the ids of ``keys`` (n,), and the positions in ``keys`` of those that were new, in order."""
        ids = np.empty(len(keys), np.int64)
        new: list[int] = []
        for start in range(0, len(keys), AT_ONCE):
            part, recent = slice(start, start + AT_ONCE), self._recent
            ids[part] = self._merged(keys[part])
            for position in (start + np.flatnonzero(ids[part] < 0)).tolist():
                key = int(keys[position])
                found = recent.get(key)
                if found is None:
                    found = recent[key] = len(self)
                    new.append(position)
                ids[position] = found
            if len(recent) > max(MERGE_AT_LEAST, len(self._keys) // 8):
                self._merge()
        return ids, new

    def _merged(self, keys: IntArray) -> IntArray:
        """The ids (n,) of keys in the sorted array, -1 for others."""
        ids = np.full(len(keys), -1, np.int64)
        if len(self._keys):
            positions = np.searchsorted(self._keys, keys)
            positions[positions == len(self._keys)] = 0
            known = self._keys[positions] == keys
            ids[known] = self._ids[positions[known]]
        return ids

    def _merge(self) -> None:
        """Insert what is recent into the sorted arrays, in linear time: at 10 million keys a full sort would halt a crawl."""
        keys = np.fromiter(self._recent.keys(), np.int64, len(self._recent))
        ids = np.fromiter(self._recent.values(), np.int32, len(self._recent))
        order = np.argsort(keys)
        places = np.searchsorted(self._keys, keys[order])
        self._keys = np.insert(self._keys, places, keys[order])
        self._ids = np.insert(self._ids, places, ids[order])
        self._recent = {}
