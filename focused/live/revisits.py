"""Which fetched pages are re-fetched, and in which order.

A page is due a number of days after its last answer. Its score is the chance that it has changed times its worth: its relevance,
or as a hub the relevant pages that were found on it, or what the strategy says (`Strategy.hubs`). Pages without worth, copies and
pages that are gone are never re-fetched.
"""

from __future__ import annotations

import heapq
from collections import Counter, defaultdict, deque
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime

import numpy as np
from numpy.typing import ArrayLike

from focused.collection.repository import Place, Stored
from focused.collection.store import CHANGED, DROPPED_CHANGE, FIRST_ID, GONE, IS_AGAIN, MISSED, Store
from focused.crawl.arrays import FloatArray, IntArray
from focused.crawl.crawl import MOST_DENIED
from focused.crawl.hosts import SILENT_FROM_THE_START
from focused.page.urls import Address
from focused.topic.topic import Recrawl

NOT_THERE = (404, 410)  #: statuses by which a server says that a page is gone
FEW_FOUND = 5.0  #: relevant pages found on a hub that make it worth half as much as the most relevant page
WORTH_OF_SEED = 0.1  #: of a seed that is neither relevant nor a hub
#: Headers of a request that hold for one URL only, by name, and the header of its last answer that each gives back.
CONDITIONS = {"If-None-Match": "ETag", "If-Modified-Since": "Last-Modified"}
LONGEST_CONDITION = 1_000  #: characters of an ETag that is sent back
DAY = 86_400.0
USUAL = 1 / 30  #: changes a day of a page without history
AHEAD = 30.0  #: days for which a version fetched now is of use

#: All answers of each page, in order, by the id under which it was fetched first.
#: A page that the user's own code asked for is left out: its request may have been of any kind.
LOOKS = f"""
SELECT {FIRST_ID}, f.outcome, f.pick, f.time, f.final_url, u.host, f.relevance,
    f.relevant, f.verdict, f.content_hash, f.file, f.offset, f.length, f.content_type, f.rendered
FROM fetches f JOIN urls u ON u.id = coalesce(f.final_url, f.url)
WHERE (f.outcome = 'page' OR {IS_AGAIN}) AND f.pick NOT IN (
    SELECT p.seq FROM picks p JOIN requests r ON r.url = p.url)
ORDER BY f.seq"""

#: Relevant pages by the page whose link led there.
FOUND = """
SELECT p.source, count(*) FROM fetches f JOIN picks p ON p.seq = f.pick
WHERE f.outcome = 'page' AND f.relevant AND p.source IS NOT NULL GROUP BY p.source"""

SEEDS = "SELECT f.final_url FROM fetches f JOIN seeds s ON s.url = f.url WHERE f.outcome = 'page'"


@dataclass(slots=True)
class EarlierAnswer:
    """A page as it was when it gave its last answer.

    page : id of the URL under which it was fetched first
    url : id of the URL at which it lies now
    picked : event at which it was chosen
    host : id of the host where it lies now
    place : where its newest version is kept
    first, last : when it gave its first answer and its last, in seconds since 1970
    tried : when it was asked for last, whatever came of it
    score : what a re-fetch is worth, from 0 to 1
    """

    page: int
    url: int
    picked: int
    host: int
    relevance: float
    content_hash: str
    content_type: str
    place: Place
    rendered: bool
    first: float
    last: float
    tried: float
    times: int = 0
    changes: int = 0
    score: float = 0.0

    @property
    def rank(self) -> tuple[bool, float, int]:
        """The lowest rank goes first; pages that gave no page the last time let the others go first."""
        return self.tried > self.last, -self.score, self.page


class Revisits:
    """The pages that are due, the best of each host first."""

    def __init__(self, due: Iterable[EarlierAnswer] = (), most: int = 0) -> None:
        self._most, self._silent = most, defaultdict[int, int](int)
        self.under_way: dict[int, EarlierAnswer] = {}
        self.counts = Counter[str]()  #: pages by what came of asking for them
        self._let_wait(due)

    def add(self, due: Iterable[EarlierAnswer]) -> int:
        """Queue more pages, except those that wait already or are under way; return how many more wait now."""
        before = [known for waiting in self._of_host.values() for known in waiting]
        there = {known.page for known in before} | self.under_way.keys()
        self._let_wait([*before, *(known for known in due if known.page not in there)])
        return self._left - len(before)

    def _let_wait(self, pages: Iterable[EarlierAnswer]) -> None:
        """Queue these pages instead of all others: the best of them, as many as this run may still re-fetch."""
        left = self._most - self.counts.total() - len(self.under_way) if self._most else None
        chosen = sorted(pages, key=lambda known: known.rank)[:left]
        self._of_host: dict[int, deque[EarlierAnswer]] = defaultdict(deque)
        for known in chosen:
            self._of_host[known.host].append(known)
        self._best = [(waiting[0].rank, host) for host, waiting in self._of_host.items()]
        heapq.heapify(self._best)
        self._left = len(chosen)

    def __len__(self) -> int:
        """Number of pages that wait."""
        return self._left

    def next(self, is_held: Callable[[int], bool], is_let: Callable[[int], bool]) -> EarlierAnswer | None:
        """The best page whose host may be asked now; it is then under way, until `close`.

        is_held : whether a host must not be asked now
        is_let : the last check of another host, which costs a look-up; after `MOST_DENIED` denied hosts the search ends
        """
        passed_over, found, denied = [], None, 0
        while self._best and found is None and denied < MOST_DENIED:
            entry = heapq.heappop(self._best)
            host = entry[-1]
            if is_held(host):
                passed_over.append(entry)
            elif is_let(host):
                found = self._take(host)
            else:
                passed_over.append(entry)
                denied += 1
        for entry in passed_over:
            heapq.heappush(self._best, entry)
        return found

    def _take(self, host: int) -> EarlierAnswer:
        waiting = self._of_host[host]
        known = waiting.popleft()
        self._left -= 1
        if waiting:
            heapq.heappush(self._best, (waiting[0].rank, host))
        self.under_way[known.page] = known
        return known

    def close(self, page: int, outcome: str, *, silent: bool = False) -> None:
        """Note what came of a page under way. The crawl leaves out a host that gives no answer again and again.

        silent : the host gave no answer
        """
        known = self.under_way.pop(page)
        self.counts[outcome] += 1
        self._silent[known.host] = self._silent[known.host] + 1 if silent else 0
        if self._silent[known.host] >= SILENT_FROM_THE_START:
            self.leave_out(lambda host: host == known.host)

    def leave_out(self, is_barred: Callable[[int], bool]) -> None:
        """Drop the waiting pages of barred hosts."""
        for host in [host for _, host in self._best if is_barred(host)]:
            self._left -= len(self._of_host[host])
            self._of_host[host].clear()
        self._best = [entry for entry in self._best if not is_barred(entry[-1])]
        heapq.heapify(self._best)


def due_pages(
    store: Store,
    options: Recrawl,
    now: datetime,
    in_scope: Callable[[Address], bool] = lambda _: True,
    hubs: Mapping[int, float] | None = None,
) -> list[EarlierAnswer]:
    """The pages of a collection that gave their last answer long ago and are worth a re-fetch, with their scores.

    in_scope : whether the present topic allows a page that is no seed
    hubs : of the strategy
    """
    pages = _pages(store)
    if not pages:
        return []
    moment = now.astimezone(UTC).timestamp()
    rates = rates_of_change(
        np.array([known.times for known in pages]),
        np.array([known.changes for known in pages]),
        np.array([(known.last - known.first) / DAY for known in pages]),
        np.array([known.host for known in pages]),
    )
    since = np.array([max(0.0, moment - known.last) / DAY for known in pages])
    use = chance_of_change if options.order == "changing" else use_that_lasts
    seeds = {row[0] for row in store.execute(SEEDS)}
    worths = _worths(store, pages, seeds, hubs or {})
    for known, gain, worth in zip(pages, use(rates, since).tolist(), worths, strict=True):
        known.score = gain * worth
    return [
        known
        for known, age in zip(pages, since.tolist(), strict=True)
        if age >= options.age and known.score > 0 and (known.page in seeds or in_scope(store.address(known.url)))
    ]


def _pages(store: Store) -> list[EarlierAnswer]:
    """All pages that are still there, without those that brought nothing new."""
    found: dict[int, EarlierAnswer] = {}
    for page, outcome, picked, time, url, host, relevance, relevant, verdict, digest, file, *rest in store.execute(
        LOOKS
    ):
        when = datetime.fromisoformat(time).timestamp()
        offset, length, content_type, rendered = rest
        if outcome == "page":
            if verdict is None and file is not None:
                place = Place(file, offset, length)
                worth = relevance if relevant else 0.0
                found[page] = EarlierAnswer(
                    page, url, picked, host, worth, digest, content_type, place, bool(rendered), when, when, when
                )
            continue
        if outcome == GONE:
            found.pop(page, None)
        if (known := found.get(page)) is None:
            continue
        known.tried = when
        if outcome == MISSED:
            continue
        known.last, known.times = when, known.times + 1
        if outcome in (CHANGED, DROPPED_CHANGE):
            known.changes += 1
        if outcome == CHANGED:
            known.host, known.url, known.content_hash, known.content_type = host, url, digest, content_type
            known.relevance, known.rendered = relevance if relevant else 0.0, bool(rendered)
            known.place = Place(file, offset, length)
    return list(found.values())


def _worths(store: Store, pages: list[EarlierAnswer], seeds: set[int], hubs: Mapping[int, float]) -> list[float]:
    """What each page is worth, from 0 to 1."""
    led_to = dict(store.execute(FOUND).fetchall())
    top = max(known.relevance for known in pages) or 1.0
    worths = []
    for known in pages:
        count = led_to.get(known.page, 0)
        as_hub = count / (count + FEW_FOUND)
        as_seed = WORTH_OF_SEED if known.page in seeds else 0.0
        worths.append(max(known.relevance / top, as_hub, as_seed, hubs.get(known.page, 0.0)))
    return worths


def conditions(page: Stored) -> dict[str, str]:
    """Headers that let a server answer in a few bytes that a page is as it was (RFC 9110, section 13)."""
    pairs = ((name, page.header(told)) for name, told in CONDITIONS.items())
    return {name: value for name, value in pairs if value and "\n" not in value and len(value) <= LONGEST_CONDITION}


def rates_of_change(times: IntArray, changes: IntArray, days: FloatArray, hosts: IntArray) -> FloatArray:
    """(n,) changes a day of n pages, from what was seen of them since they were fetched first.

    A page with few looks gets nearly the rate of its host, and a host with few looks nearly the rate of all hosts: an
    estimate weighs as much as its number of looks, and the one above it as much as one look.

    times : (n,) how often each was asked for again and gave an answer
    changes : (n,) how often it had changed
    days : (n,) between the first answer and the last
    hosts : (n,) ids of their hosts
    """
    everything = _mixed(times.sum(), changes.sum(), days.sum(), USUAL)
    found, place = np.unique(hosts, return_inverse=True)
    looks, changed, seen = (np.bincount(place, values, len(found)) for values in (times, changes, days))
    return _mixed(times, changes, days, _mixed(looks, changed, seen, everything)[place])


def chance_of_change(rates: FloatArray, days: FloatArray) -> FloatArray:
    """(n,) probability that pages have changed, ``days`` after the last look. Changes are a Poisson process."""
    return np.asarray(-np.expm1(-rates * days))


def use_that_lasts(rates: FloatArray, days: FloatArray) -> FloatArray:
    """(n,) the use of a re-fetch, ``days`` after the last look: from 0 to 1.

    The chance that there is a new version, times the share of the next `AHEAD` days for which it stays the newest: a page that
    changes all the time would be out of date at once.
    """
    return np.asarray(
        chance_of_change(rates, days) * chance_of_change(rates, np.full(len(rates), AHEAD)) / (rates * AHEAD)
    )


def _mixed(times: ArrayLike, changes: ArrayLike, days: ArrayLike, beyond: ArrayLike) -> FloatArray:
    """Mix the rate that was seen with the rate ``beyond`` it, of the host or of all hosts, which counts as one look.

    Source: Cho & Garcia-Molina 2003, "Estimating Frequency of Change", section 4.2, of looks at equal intervals.
    """
    times, changes = np.asarray(times, np.float64), np.asarray(changes, np.float64)
    interval = np.maximum(np.asarray(days, np.float64) / np.maximum(times, 1), 1e-3)
    seen = -np.log((times - changes + 0.5) / (times + 0.5)) / interval
    return np.asarray((times * seen + beyond) / (times + 1))  # positive, as what is beyond is
