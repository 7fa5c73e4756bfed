"""The hosts of a crawl: a dense id for each name, and what was picked there."""

from __future__ import annotations

import numpy as np

from focused.crawl.columns import Columns

SILENT_FROM_THE_START = 3  #: URLs in a row without an answer after which a host that never gave one is given up
FAIR_TRIAL = 10  #: pages of a host after which its harvest says something
SILENT = 10  #: the same of a host that has answered before: it may be away for a while


class Hosts:
    """Names and ids of hosts, counts of what was picked and fetched from each, and which are silent."""

    def __init__(self) -> None:
        self.names: list[str] = []
        self.columns = Columns()
        self.picked = self.columns.add("picked", np.int64)
        self.silent = self.columns.add("silent", np.int32)  # URLs in a row that got no answer, each after all its tries
        self.answered = self.columns.add("answered", np.bool_)  # ever
        self.pages = self.columns.add("pages", np.int32)  # fetched
        self.relevant = self.columns.add("relevant", np.int32)  # of these
        self._ids: dict[str, int] = {}

    def __len__(self) -> int:
        return len(self.names)

    @property
    def visited(self) -> int:
        """Number of hosts from which a page was picked."""
        return int(np.count_nonzero(self.picked.values))

    def intern(self, name: str) -> int:
        """Return the id of a host name; a new name gets the next id."""
        found = self._ids.get(name)
        if found is None:
            found = self._ids[name] = len(self.names)
            self.names.append(name)
            self.columns.reach(len(self.names))
        return found

    def heard(self, host: int) -> None:
        """A host has given an answer to a URL."""
        self.silent[host], self.answered[host] = 0, True

    def not_heard(self, host: int) -> None:
        """A URL of a host got no answer, after all its tries."""
        self.silent[host] += 1

    def is_given_up(self, host: int) -> bool:
        """Whether the crawl gives a host up: too many of its URLs in a row got no answer."""
        most = SILENT if self.answered[host] else SILENT_FROM_THE_START
        return bool(self.silent[host] >= most)

    def gave(self, host: int, *, relevant: bool) -> None:
        """A host has given a page."""
        self.pages[host] += 1
        self.relevant[host] += relevant

    def share(self, host: int) -> float:
        """Share of relevant pages among those of a host; 0 before the first."""
        return float(self.relevant[host] / self.pages[host]) if self.pages[host] else 0.0

    def is_poor(self, host: int, floor: float) -> bool:
        """Whether the share of relevant pages of a host is below a floor, after `FAIR_TRIAL` pages at least."""
        pages = int(self.pages[host])
        return pages >= FAIR_TRIAL and bool(self.relevant[host] < floor * pages)

    def find(self, name: str) -> int:
        """Return the id of a host name, or -1."""
        return self._ids.get(name, -1)
