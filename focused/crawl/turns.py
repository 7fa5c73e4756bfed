"""Turns: a registered domain that has had more pages than others vouch for lets all others go first.

Nothing tells a site that writes new text about the topic without end from a rich one, but who links to it. So a domain begins with
a few pages, and has as many more for each other domain that a page with something new on it links from.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from focused.crawl.columns import Columns
from focused.crawl.domains import domain_of
from focused.crawl.hosts import Hosts

PAGES = 20  #: of a domain, and again as many for each other domain that links to it


class Turns:
    """How many pages each registered domain had, and how many others link to it.

    hosts : of the crawl
    """

    def __init__(self, hosts: Hosts) -> None:
        self._hosts = hosts
        self._domain = hosts.columns.add("turns.domain", np.int32, -1, saved=False)
        self._ids: dict[str, int] = {}
        self._known = 0  # hosts that have a domain
        self._columns = Columns()
        self._taken = self._columns.add("taken", np.int64)
        self._vouchers = self._columns.add("vouchers", np.int64)
        self._links: dict[tuple[int, int], None] = {}  # from a domain to another

    def took(self, host: int) -> None:
        """A page of a host is asked for."""
        self._taken[self._of(host)] += 1

    def linked(self, host: int, targets: Iterable[int]) -> None:
        """A page of a host that brought something new links to these hosts."""
        source = self._of(host)
        for target in targets:
            pair = (source, self._of(target))
            if pair[0] != pair[1] and pair not in self._links:
                self._links[pair] = None
                self._vouchers[pair[1]] += 1

    def is_over(self, host: int) -> bool:
        """Whether the domain of a host has had its pages, for now."""
        domain = self._of(host)
        return bool(self._taken[domain] >= PAGES * (1 + self._vouchers[domain]))

    def over(self) -> NDArray[np.bool_]:
        """By host: whether its domain has had its pages, for now."""
        self._meet()
        domains = self._domain[: len(self._hosts)]
        return np.asarray(self._taken[domains] >= PAGES * (1 + self._vouchers[domains]))

    def _of(self, host: int) -> int:
        if host >= self._known:
            self._meet()
        return int(self._domain[host])

    def _meet(self) -> None:
        """Give an id to the domain of each host that is new."""
        for host in range(self._known, len(self._hosts)):
            self._domain[host] = self._ids.setdefault(domain_of(self._hosts.names[host]), len(self._ids))
        self._known = len(self._hosts)
        self._columns.reach(len(self._ids))

    def snapshot(self) -> dict[str, Any]:
        self._meet()
        return {
            "columns": self._columns.snapshot(len(self._ids)),
            "links": np.array(list(self._links), np.int32).reshape(-1, 2),
        }

    def restore(self, state: Mapping[str, Any]) -> None:
        """Take up what `snapshot` gave; ids of domains follow from those of hosts."""
        self._meet()
        self._columns.restore(state["columns"])
        self._links = dict.fromkeys(map(tuple, state["links"].tolist()))
