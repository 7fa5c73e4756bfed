"""What a person should look at in a crawl: a harvest that fell, what smells of a trap, hosts that want to be left alone."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime

import numpy as np

from focused.collection.store import Store
from focused.desk.dashboard.standing import Standing
from focused.explain.harvest_watch import fall_of

CROWDED = 0.5  #: share of the last 200 pages that one verdict or host must have to be warned of
RECENT = 200  #: pages that warnings look at
MOST_NAMED = 3  #: hosts

_VERDICTS = """
SELECT verdict, count(*) FROM (SELECT verdict FROM fetches WHERE outcome = 'page' ORDER BY seq DESC LIMIT ?)
WHERE verdict IS NOT NULL GROUP BY verdict ORDER BY 2 DESC
"""
_TOO_BUSY = "SELECT host, not_before FROM manners WHERE not_before > ? ORDER BY not_before DESC"


def warnings(store: Store, stands: Standing) -> Iterator[str]:
    """What a person should look at, in words."""
    if fall := fall_of(stands.numbers.pages.relevant):
        yield fall.warning_of(stands.name)
    if len(stands.numbers.pages) >= RECENT:
        yield from _nothing_new(store)
        yield from _one_host(stands)
    if stands.running:
        yield from _too_busy(store)


def _nothing_new(store: Store) -> Iterator[str]:
    for verdict, count in store.execute(_VERDICTS, (RECENT,)).fetchall():
        if count >= CROWDED * RECENT:
            yield (
                f"{count:,} of the last {RECENT:,} pages bring nothing new ({verdict}): a trap, or a farm of copies. "
                "Deny the host, if it is one."
            )


def _one_host(stands: Standing) -> Iterator[str]:
    numbers, relevant = stands.numbers, stands.numbers.pages.relevant[-RECENT:]
    recent = numbers.pages.host[-RECENT:]
    hosts, counts = np.unique(recent, return_counts=True)
    top = int(np.argmax(counts))
    if counts[top] >= CROWDED * RECENT and len(numbers.hosts) > 1:
        yield (
            f"{numbers.hosts[int(hosts[top])]} has {counts[top]:,} of the last {RECENT:,} pages; the crawl's own page model calls "
            f"{relevant[recent == hosts[top]].mean():.0%} of them relevant. Look at a few: a trap can be made of the topic's words."
        )


def _too_busy(store: Store) -> Iterator[str]:
    busy = store.execute(_TOO_BUSY, (datetime.now(UTC).isoformat(timespec="seconds"),)).fetchall()
    if busy:
        more = f" and {len(busy) - MOST_NAMED:,} more" if len(busy) > MOST_NAMED else ""
        named = ", ".join(f"{host} until {until[11:16]} UTC" for host, until in busy[:MOST_NAMED])
        yield f"Too busy to answer, and left alone: {named}{more}."
