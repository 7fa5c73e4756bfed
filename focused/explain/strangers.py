"""Strangers: domains that hold much of the harvest, and to which hardly any trusted domain links.

Only its incoming links tell a site that makes pages on the topic without end from a rich one. The crawl goes on as before, but
warns a person, who leaves the domain out or trusts it.
"""

from __future__ import annotations

import logging
import shlex
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from threading import Thread

import numpy as np

from focused.collection.collection import opened
from focused.collection.desk import Desk
from focused.collection.store import Store
from focused.crawl.standing_orders import OrderKind
from focused.crawl.url_forms import domain_of
from focused.exceptions import FocusedError
from focused.live.last_run import last_run
from focused.page.plain_text import plain

logger = logging.getLogger(__name__)

LARGE_SHARE, LARGE_COUNT = 0.1, 100  #: of relevant pages, the least that a domain must have to be reported
VOICES = 2  #: domains that must vouch for another; one is enough if the user named it
LINKING_PAGES = 3  #: pages of the latter that must link there: one may have a stranger's comment
MOST_NAMED = 3
MORE_RELEVANT = 1.25  #: times as many relevant pages as at the last look, before the next look at a crawl
BATCH = 50_000  #: links that are read at a time

_PAGES = """
SELECT u.host, count(*), coalesce(sum(f.relevant), 0) FROM fetches f JOIN urls u ON u.id = f.final_url WHERE f.outcome = 'page'
GROUP BY u.host
"""
_SEEDS = "SELECT DISTINCT u.host FROM seeds s JOIN urls u ON u.id = s.url"
_SAID = (OrderKind.TRUST_HOST, OrderKind.DENY_HOST, OrderKind.ALLOW_HOST)  #: a person's orders about a domain
_ASKED = f"SELECT argument, kind FROM steering WHERE kind IN {tuple(map(str, _SAID))} ORDER BY seq"


@dataclass(frozen=True, slots=True)
class Stranger:
    """A domain, and how many pages and relevant ones it and the whole crawl have."""

    domain: str
    pages: int
    relevant: int
    all_pages: int
    all_relevant: int

    @property
    def share(self) -> float:
        """Share of the relevant pages that lie on the domain."""
        return self.relevant / self.all_relevant

    @property
    def harvest(self) -> float:
        """The harvest rate of the crawl."""
        return self.all_relevant / self.all_pages

    @property
    def harvest_without(self) -> float:
        """The harvest rate of the crawl on all other domains; 0 if it has no page there."""
        return harvest_without([self])

    def warning_of(self, collection: str) -> str:
        """In words for a person, with what to do."""
        domain = plain(self.domain)
        steer, named = f"scrapy steer {shlex.quote(collection)}", shlex.quote(domain)
        return (
            f"A stranger holds much of the harvest: {self.relevant:,} of {self.all_relevant:,} relevant pages ({self.share:.0%}) "
            f"are on {domain}, to which hardly any trusted site links. Harvest rate {self.harvest:.1%} with it, "
            f"{self.harvest_without:.1%} without. Look at a few of its pages; then leave it out: {steer} deny {named}, or trust "
            f"it: {steer} trust {named}"
        )


def warnings_of(found: Sequence[Stranger], collection: str) -> Iterator[str]:
    """The warnings of the largest strangers, and how many more there are."""
    yield from (one.warning_of(collection) for one in found[:MOST_NAMED])
    if len(found) > MOST_NAMED:
        yield (
            f"Strangers like these: {len(found) - MOST_NAMED:,} more. Harvest rate {found[0].harvest:.1%} with all of them, "
            f"{harvest_without(found):.1%} without any"
        )


def harvest_without(found: Sequence[Stranger]) -> float:
    """The harvest rate of a crawl without these domains; 0 if it has no page elsewhere."""
    pages = found[0].all_pages - sum(one.pages for one in found)
    return (found[0].all_relevant - sum(one.relevant for one in found)) / pages if pages else 0.0


def strangers(store: Store) -> list[Stranger]:
    """Domains with at least 100 relevant pages, and a tenth of all, for which no domain vouches; most relevant pages first.

    Two domains vouch for another together, if both are vouched for themselves and have relevant pages. A domain that the user named
    (with a seed, or by trusting it) vouches alone, if three of its pages link there. So a link farm cannot vouch for itself,
    however many domains it has. Domains that a person has denied are left out. Raises StorageError.

    Reads only the tables of the collection, and the desk for orders that no run has taken yet. If a domain is large, this scans
    all links.
    """
    hosts: dict[int, str] = dict(store.execute("SELECT id, name FROM hosts"))
    pages, relevant = Counter[str](), Counter[str]()
    for host, fetched, counted in store.execute(_PAGES):
        pages[domain_of(hosts[host])] += fetched
        relevant[domain_of(hosts[host])] += counted
    least = max(LARGE_COUNT, LARGE_SHARE * relevant.total())
    large = [one for one, count in relevant.most_common() if count >= least]
    if not large:
        return []
    trusted, denied = told_by_a_person(store)
    named = trusted | {domain_of(hosts[host]) for (host,) in store.execute(_SEEDS)}
    if unnamed := [one for one in large if one not in named | denied]:
        known = vouched_for(_vouching(store, hosts, named, set(+relevant)), named)
        unnamed = [one for one in unnamed if one not in known]
    return [Stranger(one, pages[one], relevant[one], pages.total(), relevant.total()) for one in unnamed]


def vouched_for(vouching: Iterable[tuple[str, str]], named: AbstractSet[str]) -> set[str]:
    """All domains that are vouched for.

    vouching : pairs of domains, each once: the first vouches for the second, if it is vouched for itself
    named : domains that the user named, which are vouched for in any case
    """
    of = defaultdict[str, list[str]](list)
    for giver, taker in vouching:
        of[giver].append(taker)
    known, waiting, voices = {*named}, [*named], Counter[str]()
    while waiting:
        giver = waiting.pop()
        for taker in of[giver]:
            voices[taker] += VOICES if giver in named else 1
            if voices[taker] >= VOICES and taker not in known:
                known.add(taker)
                waiting.append(taker)
    return known


def _vouching(
    store: Store, hosts: Mapping[int, str], named: AbstractSet[str], others: AbstractSet[str]
) -> list[tuple[str, str]]:
    """Pairs of domains in which enough pages of the first link to the second; the first is in ``named`` or ``others``."""
    domains = {host: domain_of(name) for host, name in hosts.items()}
    names = list(dict.fromkeys(domains.values()))
    number = {name: place for place, name in enumerate(names)}
    of = np.zeros(store.execute("SELECT max(id) + 1 FROM urls").fetchone()[0], np.int64)  # URL -> number of its domain
    for url, host in store.execute("SELECT id, host FROM urls"):
        of[url] = number[domains[host]]
    enough = np.array([LINKING_PAGES if name in named else 1 if name in others else np.inf for name in names])
    linking = [np.empty(0, np.int64)]  # a page, and the number of a domain that it links to
    links = store.execute("SELECT page, target FROM links")
    while rows := links.fetchmany(BATCH):
        page, target = np.array(rows, np.int64).T
        counts = np.isfinite(enough[of[page]]) & (of[page] != of[target])
        linking.append(np.unique(page[counts] * len(names) + of[target[counts]]))
    page, taker = np.divmod(np.unique(np.concatenate(linking)), len(names))
    pairs, pages = np.unique(of[page] * len(names) + taker, return_counts=True)
    givers, takers = np.divmod(pairs[pages >= enough[pairs // len(names)]], len(names))
    return [(names[giver], names[taker]) for giver, taker in zip(givers, takers, strict=True)]


def told_by_a_person(store: Store) -> tuple[frozenset[str], frozenset[str]]:
    """Domains that a person trusts, and hosts that a person has denied, in the topic or since; the last order on each counts."""
    last = dict.fromkeys(last_run(store).topic.get("scope", {}).get("denied_hosts", ()), str(OrderKind.DENY_HOST))
    last |= dict(store.execute(_ASKED))
    with suppress(FocusedError):  # others report a damaged desk
        last |= {one.argument: one.kind for one in Desk(store.path.parent).waiting() if one.kind in _SAID}
    trusted = frozenset(domain_of(host) for host, kind in last.items() if kind == OrderKind.TRUST_HOST)
    return trusted, frozenset(host for host, kind in last.items() if kind == OrderKind.DENY_HOST)


class StrangerWatch:
    """Watches a crawl, and warns of each stranger once. A look takes seconds, so looks are few and run in a thread.

    folder : of the collection
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._told: set[str] = set()
        self._looked_at = 0  # count of relevant pages at the last look
        self._thread: Thread | None = None

    def look(self, relevant: int) -> None:
        """Look if it is time. ``relevant`` counts the pages of the crawl so far."""
        if relevant < max(LARGE_COUNT, self._looked_at * MORE_RELEVANT) or (self._thread and self._thread.is_alive()):
            return
        self._looked_at = relevant
        self._thread = Thread(target=self._warn, name="strangers", daemon=True)
        self._thread.start()

    def end(self, relevant: int) -> None:
        """Look a last time, if relevant pages have come since."""
        if self._thread:
            self._thread.join()
        if relevant > self._looked_at:
            self._warn()

    def _warn(self) -> None:
        with suppress(FocusedError), opened(self._folder) as store:  # the next look may be able to read it
            new = [one for one in strangers(store) if one.domain not in self._told]
            self._told.update(one.domain for one in new)
            for warning in warnings_of(new, self._folder.name):
                logger.warning("%s", warning)
