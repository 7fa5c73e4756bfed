"""The hosts of a collection as rows of a table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from focused.collection.store import Store
from focused.desk.dashboard.figures import Numbers

COLUMNS = ("relevant", "pages", "share", "failures", "waiting", "host")


@dataclass(frozen=True, slots=True)
class HostFigures:
    """What a crawl got of one host."""

    host: str
    pages: int
    relevant: int
    failures: int  #: URLs that gave no page
    waiting: int | None  #: URLs in the queue; None: nobody has looked, or it is not among those with the most
    share: float  #: of relevant pages, in [0, 1]; -1 without a page
    delay: float | None  #: seconds between two requests that it asked for, or needed
    not_before: str  #: until when it is left alone, ISO 8601; empty: it is not


def host_rows(store: Store, numbers: Numbers, waiting: Mapping[str, int]) -> list[HostFigures]:
    """All hosts that were asked for a page, or have URLs that wait."""
    count = len(numbers.hosts)
    fetched = np.bincount(numbers.pages.host, minlength=count).tolist()
    relevant = np.bincount(numbers.pages.host[numbers.pages.relevant], minlength=count).tolist()
    delays = dict(store.execute("SELECT name, crawl_delay FROM hosts WHERE crawl_delay IS NOT NULL").fetchall())
    manners = {row[0]: row[1:] for row in store.execute("SELECT host, delay, not_before FROM manners").fetchall()}
    rows = []
    for id_, host in enumerate(numbers.hosts):
        failures, waits = numbers.failures_by_host[id_], waiting.get(host)
        if fetched[id_] or failures or waits:
            needed, not_before = manners.get(host, (None, None))
            share = relevant[id_] / fetched[id_] if fetched[id_] else -1.0
            asked = max((one for one in (delays.get(host), needed) if one is not None), default=None)
            rows.append(
                HostFigures(host, fetched[id_], relevant[id_], failures, waits, share, asked, str(not_before or ""))
            )
    return rows


def ordered(rows: list[HostFigures], column: str, *, up: bool) -> list[HostFigures]:
    """Rows by a column, ties by name; the largest first, of names the first of the alphabet."""
    by_name = sorted(rows, key=lambda row: row.host)
    if column == "host":
        return by_name[::-1] if up else by_name
    return sorted(by_name, key=lambda row: getattr(row, column) or 0, reverse=not up)
