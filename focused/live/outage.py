"""Tells a network that is down from hosts that are: a fetch that got no answer is in doubt until another one gets an answer.

Without this, a crawl that goes on while the network is away would burn all that waits as failures within minutes. What is
in doubt stays under way in the journal, so that the next run fetches it again before anything else. Before many doubts are
called an outage, hosts that answered before are asked (see `witnesses`): a page of dead links is none.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from focused.crawl.hosts import SILENT_FROM_THE_START

#: Reasons (see `reasons.reason_of`) that say nothing but that no answer came.
NO_ANSWER = frozenset(
    ("host name not found", "connection refused", "connection lost", "timeout", "proxy tunnel failed")
)

#: Reasons that say that a host will not serve us: it was asked again and again, each time later.
REFUSED = frozenset(("http 429", "http 503"))

#: Begins the reason of a URL that led to another host, and that one is silent: its own is not.
LED_ELSEWHERE = "redirects to a host that does not answer"

MANY = 25  #: fetches in a row without an answer that make an outage
SEVERAL = 3  #: hosts they must be of, where so many wait


def is_silent(reason: str) -> bool:
    """Whether the reason of a failure speaks against the host of the URL: it gives no answer, or none but to come back later."""
    return reason in NO_ANSWER or reason in REFUSED


class Doubts:
    """Fetches without an answer since the last answer.

    interrupted : ids of what an earlier run left under way; if it gets no answer again it has failed
    """

    def __init__(self, interrupted: Iterable[int] = ()) -> None:
        self._interrupted = frozenset(interrupted)
        self._pending: dict[int, tuple[str, str]] = {}  # id -> host, reason
        self._answered = False

    def __len__(self) -> int:
        return len(self._pending)

    def add(self, url: int, host: str, reason: str) -> None:
        self._pending[url] = (host, reason)

    @property
    def hosts(self) -> set[str]:
        """Hosts that gave no answer."""
        return {host for host, _ in self._pending.values()}

    def reasons(self) -> list[tuple[int, str]]:
        """Ids of the fetches in doubt, and why they got no answer."""
        return [(url, reason) for url, (_, reason) in self._pending.items()]

    def answered(self) -> list[tuple[int, str]]:
        """An answer came: return ids and reasons of what has failed for good, in order."""
        self._answered = True
        settled = self.reasons()
        self._pending.clear()
        return settled

    def outage(self, hosts_waiting: int, *, collected: bool, nothing_else: bool, witnessed: bool = False) -> str | None:
        """Say in words for a person that the network seems to be down, or None.

        collected : the crawl has fetched pages, in this run or before; without any, no seed is ever given up
        nothing_else : there is nothing left to fetch but what is in doubt, so a decision is due
        witnessed : hosts that answered before can be asked, so that a suspicion costs little: one silent host is enough
        """
        fresh = {url: failure for url, failure in self._pending.items() if url not in self._interrupted}
        hosts = {host for host, _ in fresh.values()}
        many = len(fresh) >= MANY and len(hosts) >= min(SEVERAL, max(hosts_waiting, 1))
        silent = len(hosts) >= SEVERAL if self._answered else bool(fresh or (self._pending and not collected))
        one_host = (
            witnessed and max(Counter(host for host, _ in fresh.values()).values(), default=0) >= SILENT_FROM_THE_START
        )
        if not many and not one_host and not (nothing_else and silent):
            return None
        reasons = ", ".join(sorted({reason for _, reason in self._pending.values()}))
        names = sorted(self.hosts)
        return (
            f"no host answers: the last {_fetches(len(self._pending))} ended with {reasons} "
            f"({', '.join(names[:SEVERAL])}{', ...' if len(names) > SEVERAL else ''}); check the network, proxy and seeds"
        )


def _fetches(number: int) -> str:
    return "fetch" if number == 1 else f"{number:,} fetches"
