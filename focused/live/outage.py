"""Tells a network that is down from hosts that are down: a fetch without an answer is in doubt until another fetch gets an answer.

Without this, a crawl would turn its whole frontier into failures within minutes while the network is down. A fetch in doubt
stays under way in the journal, so that the next run fetches it again before anything else. Before the crawl calls many doubts
an outage, it asks hosts that answered before (see `Witnesses`): a page of dead links is no outage.
"""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Callable, Container, Iterable
from typing import Protocol, Self
from urllib.parse import urlsplit

from scrapy import Request
from scrapy.crawler import Crawler
from scrapy.http.request import NO_CALLBACK

from focused.collection.store import Store
from focused.crawl.budget import Stop
from focused.crawl.crawl import Crawl
from focused.crawl.hosts import SILENT_FROM_THE_START
from focused.live.courtesy import Courtesy

logger = logging.getLogger(__name__)

KEPT = 20  #: hosts whose answers are remembered
ASKED = 3  #: of these are asked before the crawl believes in an outage

#: URLs that answered in earlier runs, the last first.
ANSWERED = """
    SELECT u.url FROM fetches f JOIN urls u ON u.id = f.final_url WHERE f.outcome = 'page' ORDER BY f.seq DESC LIMIT 500"""


class Witnesses:
    """The hosts that gave the last answers."""

    def __init__(self) -> None:
        self._robots: dict[str, str] = {}  # URL of its robots.txt by host, the last to answer at the end

    @classmethod
    def of(cls, store: Store) -> Self:
        """The witnesses from earlier runs of a crawl."""
        witnesses = cls()
        for (url,) in reversed(store.execute(ANSWERED).fetchall()):
            witnesses.note(url)
        return witnesses

    def note(self, url: str) -> None:
        """A URL has answered."""
        parts = urlsplit(url)
        host = f"[{parts.hostname}]" if ":" in (parts.hostname or "") else parts.hostname or ""
        self._robots.pop(host, None)
        self._robots[host] = f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}/robots.txt"
        if len(self._robots) > KEPT:
            del self._robots[next(iter(self._robots))]

    def to_ask(self, silent: Container[str], wants_rest: Callable[[str], bool]) -> list[str]:
        """URLs to ask: robots.txt of the hosts that answered last; hosts that are not silent now come first."""
        latest = [host for host in reversed(self._robots) if not wants_rest(host)]
        hosts = sorted(latest, key=lambda host: host in silent)
        return [self._robots[host] for host in hosts[:ASKED]]


#: How a witness is asked: once, over the network, with no middleware that sends more.
ALONE = {"dont_obey_robotstxt": True, "dont_retry": True, "dont_redirect": True, "dont_cache": True}


async def one_answers(crawler: Crawler, urls: list[str]) -> bool:
    """Ask for these URLs, one after the other, until one gives any answer; return whether one did.

    A robots.txt is no page of the crawl, every host allows it, and the downloader keeps its delay.
    """
    assert crawler.engine is not None
    for url in urls:
        try:
            await crawler.engine.download_async(Request(url, callback=NO_CALLBACK, dont_filter=True, meta=dict(ALONE)))
        except Exception as error:  # whatever a downloader or a middleware says: no answer came
            logger.info("%s, which answered before, gives no answer either: %s", url, type(error).__name__)
        else:
            return True
    return False


class Driver(Protocol):
    """Sends the requests of a crawl. ``courtesy``: the limits that hosts have set."""

    courtesy: Courtesy

    def leave(self, url: int) -> None:
        """Free the place of a pick whose answer has arrived: its host may be asked again."""

    def may_ask(self, host: str) -> bool:
        """Whether a host may be asked now; the last check before a URL of it is picked."""

    def ask_witnesses(self, urls: list[str]) -> None:
        """Ask for these URLs of hosts that answered before, until one answers; then call `Outage.witnesses_said`."""

    def leave_denied_alone(self) -> None:
        """Give up the requests that wait for a host that a person has denied."""


#: Reasons (see `reasons.reason_of`) that say only that no answer came.
NO_ANSWER = frozenset(
    ("host name not found", "connection refused", "connection lost", "timeout", "proxy tunnel failed")
)

#: Reasons that say that a host will not serve us: the crawl has asked again and again, each time later.
REFUSED = frozenset(("http 429", "http 503"))

#: Begins the reason of a URL that redirects to a silent host: its own host is not silent.
LED_ELSEWHERE = "redirects to a host that does not answer"

MANY = 25  #: fetches in a row without an answer that make an outage
SEVERAL = 3  #: hosts that these must come from, if URLs of this many hosts wait


def is_silent(reason: str) -> bool:
    """Whether the reason of a failure speaks against the URL's host: no answer came, or only one to come back later."""
    return reason in NO_ANSWER or reason in REFUSED


class Doubts:
    """Fetches without an answer since the last answer.

    interrupted : ids of picks that an earlier run left under way; one that gets no answer again has failed
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
        """Take in that an answer came; return ids and reasons of the fetches that have now failed for good, in order."""
        self._answered = True
        settled = self.reasons()
        self._pending.clear()
        return settled

    def outage(self, hosts_waiting: int, *, collected: bool, nothing_else: bool, witnessed: bool = False) -> str | None:
        """Say in words for a person that the network seems to be down, or None.

        collected : the crawl has fetched pages, in this run or before; without any, it never gives up a seed
        nothing_else : only fetches in doubt are left, so a decision is due
        witnessed : the crawl can ask hosts that answered before, so a suspicion costs little: one silent host is enough
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


class OutageOwner(Protocol):
    """The session whose fetches are in doubt."""

    crawl: Crawl
    driver: Driver | None
    error: Stop | None
    ended: Stop | None
    going_on: str

    def give_up(self, url: int, reason: str, status: int | None = None) -> None:
        """A fetch in doubt has failed."""

    def fail(self, stop: Stop) -> None:
        """End the crawl: the network is down."""


class Outage:
    """Whether the network is down, in one run of a crawl.

    witnesses : hosts that answered before; the network counts as down only if none of them answers
    interrupted : as in `Doubts`

    Attributes
    ----------
    suspicion : what speaks for an outage, while witnesses are asked: the crawl picks nothing meanwhile
    """

    def __init__(self, owner: OutageOwner, witnesses: Witnesses, interrupted: Iterable[int]) -> None:
        self.suspicion = ""
        self._owner, self._witnesses, self._doubts = owner, witnesses, Doubts(interrupted)

    @property
    def doubts(self) -> int:
        """Number of fetches that got no answer and are not given up yet."""
        return len(self._doubts)

    def reasons(self) -> list[tuple[int, str]]:
        """Ids of the fetches in doubt, and why they got no answer."""
        return self._doubts.reasons()

    @property
    def is_all_that_is_left(self) -> bool:
        """Whether fetches are in doubt, and nothing else is under way or can be fetched now."""
        crawl, doubts = self._owner.crawl, len(self._doubts)
        if not doubts or doubts != len(crawl.in_flight) - len(crawl.put_off):
            return False
        return crawl.is_spent or crawl.budget_is_taken or crawl.waits_for_arrivals

    def doubt(self, url: int, host: str, reason: str) -> None:
        """Take in that a fetch got no answer."""
        self._doubts.add(url, host, reason)
        self._judge(nothing_else=False)

    def heard(self, url: str) -> None:
        """Take in that a host has answered, whatever it said: the network is up, and this host can be a witness later."""
        self._witnesses.note(url)
        self.answered()

    def answered(self) -> None:
        """Take in that an answer came: the fetches in doubt have failed."""
        self.suspicion = ""
        for url, reason in self._doubts.answered():
            self._owner.give_up(url, reason)

    def settle(self) -> None:
        """Decide, as only fetches in doubt are left: they have failed, or the network is down, or witnesses must tell."""
        if not self._judge(nothing_else=True):
            self.answered()

    def witnesses_said(self, *, answered: bool) -> None:
        """Take in whether a witness answered: if so, the fetches in doubt have failed, else the network is down."""
        suspicion, self.suspicion = self.suspicion, ""
        if self._owner.ended:
            return
        if answered:
            self.answered()
        elif suspicion:
            self._is_out(suspicion)

    def _judge(self, *, nothing_else: bool) -> bool:
        """Whether nothing may be given up yet: the network is down, or witnesses are being asked whether it is."""
        owner, driver = self._owner, self._owner.driver
        if self.suspicion or owner.error:
            return True
        witnesses: list[str] = []
        if driver is not None:
            witnesses = self._witnesses.to_ask(self._doubts.hosts, driver.courtesy.is_left_alone)
        outage = self._doubts.outage(
            owner.crawl.frontier.hosts_waiting,
            collected=owner.crawl.totals.pages > 0,
            nothing_else=nothing_else,
            witnessed=bool(witnesses),
        )
        if outage and driver is not None and witnesses:
            self.suspicion = outage
            driver.ask_witnesses(witnesses)
        elif outage:
            self._is_out(outage)
        return outage is not None

    def _is_out(self, outage: str) -> None:
        self._owner.fail(Stop("outage", f"{outage}; {self._owner.going_on} with these URLs"))


def _fetches(number: int) -> str:
    return "fetch" if number == 1 else f"{number:,} fetches"
