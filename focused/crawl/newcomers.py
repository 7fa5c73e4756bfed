"""Newcomers: hosts of which hardly a page has come get a share of all pages together, and let others go first beyond it.

Names cost nothing where an attacker owns a domain, and little elsewhere: links to ever new hosts of a page or two, each about the
topic, take all that a crawl has, and no host or domain is ever worse than a good one of which a page has come. But in a crawl of
good sites few hosts stay newcomers: the crawl goes on to their other pages. So how many do is the evidence.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from focused.crawl.arrays import BoolArray, IntArray
from focused.crawl.hosts import Hosts

#: Pages of a host that has shown enough: it is no newcomer any more.
ENOUGH = 2
#: Pages of newcomers that any crawl may have, and their share of all pages beyond. Of 30 crawls of the documentation web none had more
#: than 13 hosts with one page at a time.
FREE, SHARE = 8, 0.08
KNOWN, STRANGER, VOUCHED = range(3)
NOBODY = -1  #: number of no domain


class Newcomers:
    """Which hosts are newcomers, and how many pages they have had: strangers, and those that two trusted domains link to."""

    def __init__(self, hosts: Hosts) -> None:
        self._hosts = hosts
        self._kind = hosts.columns.add("newcomers.kind", np.int8, STRANGER)
        self._shown = hosts.columns.add("newcomers.shown", np.int8)  # pages, up to `ENOUGH`
        self._giver = hosts.columns.add("newcomers.giver", np.int32, NOBODY)  # the first trusted domain that linked there
        self._pages = np.zeros(VOUCHED + 1, np.int64)  # of hosts that are newcomers, by kind

    def has(self, host: int) -> bool:
        """Whether a host is a newcomer."""
        return int(self._kind[host]) != KNOWN

    def showed(self, host: int) -> None:
        """Take in that a page of a host has come."""
        if (kind := int(self._kind[host])) != KNOWN:
            self._shown[host] += 1
            self._pages[kind] += 1
            if self._shown[host] >= ENOUGH:
                self._becomes(host, KNOWN)

    def vouch(self, domain: int, hosts: IntArray) -> None:
        """Take in that a trusted domain links to hosts (n,) of others, each named once."""
        strangers = hosts[self._kind[hosts] == STRANGER]
        givers = self._giver[strangers]
        self._giver[strangers[givers == NOBODY]] = domain
        for host in strangers[(givers != NOBODY) & (givers != domain)].tolist():
            self._becomes(host, VOUCHED)

    def wait(self, taken: int) -> BoolArray | None:
        """(hosts,) which of those that have shown nothing let others go first, after so many pages of all; None: none does."""
        most = FREE + SHARE * taken
        full = self._pages >= most
        if not full.any():
            return None
        count = len(self._hosts)
        waits: BoolArray = full[self._kind[:count]] & (self._shown[:count] == 0)
        return waits

    def waits(self, host: int, taken: int) -> bool:
        """Whether a host lets others go first."""
        return bool(self._shown[host] == 0 and self._pages[self._kind[host]] >= FREE + SHARE * taken)

    def _becomes(self, host: int, kind: int) -> None:
        self._pages[self._kind[host]] -= self._shown[host]
        self._kind[host] = kind
        if kind != KNOWN:
            self._pages[kind] += self._shown[host]

    def snapshot(self) -> dict[str, Any]:
        """What columns of hosts do not hold."""
        return {"pages": self._pages.copy()}

    def restore(self, state: Mapping[str, Any]) -> None:
        self._pages = state["pages"].copy()
