"""The hosts of a crawl: a dense id for each name, and what was picked there."""

from __future__ import annotations

import numpy as np

from focused.crawl.columns import Columns


class Hosts:
    """Names and ids of hosts, with the number of pages picked from each (what ``pages_per_host`` limits)."""

    def __init__(self) -> None:
        self.names: list[str] = []
        self.columns = Columns()
        self.picked = self.columns.add("picked", np.int64)
        self._ids: dict[str, int] = {}

    def __len__(self) -> int:
        return len(self.names)

    @property
    def visited(self) -> int:
        """Number of hosts from which a page was picked."""
        return int(np.count_nonzero(self.picked.values))

    def intern(self, name: str) -> int:
        """Return the id of a host name, a new one where it is new."""
        found = self._ids.get(name)
        if found is None:
            found = self._ids[name] = len(self.names)
            self.names.append(name)
            self.columns.reach(len(self.names))
        return found

    def find(self, name: str) -> int:
        """Return the id of a host name, or -1."""
        return self._ids.get(name, -1)
