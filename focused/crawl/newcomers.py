"""Newcomers: hosts of which hardly a page has come get a share of all pages together; beyond it they let others go first.

Names cost an attacker little: links to ever new hosts of one page each, about the topic, could take all that a crawl has, and none
of these hosts ever looks worse than a good one. But in a crawl of good sites few hosts stay newcomers, for the crawl goes on to
their other pages. So the evidence is how many do.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from focused.crawl.arrays import BoolArray, IntArray
from focused.crawl.hosts import Hosts

ENOUGH = 2  #: pages of a host that is no newcomer any more
#: Pages of newcomers that any crawl may have, and further ones as a share of all pages. Of 30 crawls of the documentation web none
#: had more than 13 domains of one page at any time, seeds included, and few more than five after 100 pages.
FREE, SHARE = 8, 0.08
KNOWN, STRANGER, VOUCHED = range(
    3
)  #: kinds of hosts; strangers do not take the share of those that trusted domains vouch for
NOBODY = -1  #: number of no domain


class Newcomers:
    """Which hosts are newcomers, and how many pages they have had: strangers, and apart those that two trusted domains link to."""

    def __init__(self, hosts: Hosts) -> None:
        self._hosts = hosts
        self._kind = hosts.columns.add("newcomers.kind", np.int8, STRANGER)
        self._shown = hosts.columns.add("newcomers.shown", np.int8)  # pages, up to `ENOUGH`
        self._giver = hosts.columns.add(
            "newcomers.giver", np.int32, NOBODY
        )  # the first trusted domain that linked there
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
