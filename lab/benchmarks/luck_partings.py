"""Where crawls part that differ by luck alone, and what tells early how they will end."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from statistics import fmean, stdev

import numpy as np

from focused.crawl.arrays import FloatArray
from lab.benchmarks.luck_crawls import Choice, Fetched, LuckyCrawl

STAGES = (10, 30, 50, 100, 200, 400)  #: pages after which sets are compared
EARLY = (30, 50, 100)  #: pages after which the end is foretold
TRIED = 3  #: pages after which a host was tried, not just looked at: so many `adaptive` takes of an unfamiliar one

#: What became of the host of a target that another crawl of the topic found and this one did not.
FATES = ("never heard of", "heard of, never fetched", "left after 1 or 2 pages", "fetched on, too little")


@dataclass(frozen=True)
class Parting:
    """The first choice in which two crawls of a topic differ.

    number : of the choice, from 1 on
    choices : of either
    led_to : the pages that these brought, None where there was none
    """

    topic: str
    orders: tuple[int, int]
    number: int
    choices: tuple[Choice, Choice]
    led_to: tuple[Fetched | None, Fetched | None]


def spread(values: Sequence[float]) -> float:
    """Standard deviation (n - 1); 0 of a single value."""
    return stdev(values) if len(values) > 1 else 0.0


def partings(crawls: Sequence[LuckyCrawl]) -> list[Parting]:
    """Of each pair of crawls of one topic that parts at all."""
    found = []
    for one, other in combinations(crawls, 2):
        pairs = enumerate(zip(one.choices, other.choices, strict=False), 1)
        number = next((number for number, (left, right) in pairs if left.url != right.url), None)
        if number is not None:
            choices = one.choices[number - 1], other.choices[number - 1]
            led_to = _page_of(one, choices[0]), _page_of(other, choices[1])
            found.append(Parting(one.topic, (one.order, other.order), number, choices, led_to))
    return found


def likeness(crawls: Sequence[LuckyCrawl], pages: int, of: Callable[[Sequence[Fetched]], frozenset[str]]) -> float:
    """Mean Jaccard index of what pairs of crawls have after so many pages; 1 where all are the same, or empty."""
    sets = [of(crawl.pages[:pages]) for crawl in crawls]
    return fmean([len(a & b) / len(a | b) if a | b else 1.0 for a, b in combinations(sets, 2)] or [1.0])


def urls_of(pages: Sequence[Fetched]) -> frozenset[str]:
    return frozenset(page.url for page in pages)


def hosts_of(pages: Sequence[Fetched]) -> frozenset[str]:
    return frozenset(page.host for page in pages)


def targets_of(pages: Sequence[Fetched]) -> frozenset[str]:
    return frozenset(page.url for page in pages if page.is_target)


#: What is compared after `STAGES`, by its name.
SETS: Mapping[str, Callable[[Sequence[Fetched]], frozenset[str]]] = {
    "pages": urls_of,
    "hosts": hosts_of,
    "targets": targets_of,
}

#: What may foretell how a crawl ends, from what it is after so many pages.
SIGNS: Mapping[str, Callable[[LuckyCrawl, int], float]] = {
    "targets so far": lambda crawl, pages: float(crawl.targets_at(pages)),
    "own mean relevance": lambda crawl, pages: fmean([page.relevance for page in crawl.pages[:pages]] or [0.0]),
    "hosts fetched": lambda crawl, pages: float(len(hosts_of(crawl.pages[:pages]))),
    "hosts heard of": lambda crawl, pages: float(len(crawl.heard_at(pages))),
}


def foretold(topics: Mapping[str, Sequence[LuckyCrawl]], sign: Callable[[LuckyCrawl, int], float], pages: int) -> float:
    """Correlation of a sign after so many pages with the area in the end, over all crawls, both less the mean of their topic.

    NaN where one of them is always the same.
    """
    signs = _less_mean([[sign(crawl, pages) for crawl in crawls] for crawls in topics.values()])
    areas = _less_mean([[crawl.area for crawl in crawls] for crawls in topics.values()])
    if not np.any(np.abs(signs) > 1e-9) or not np.any(np.abs(areas) > 1e-9):
        return float("nan")
    return float(np.corrcoef(signs, areas)[0, 1])


def best_host(crawls: Sequence[LuckyCrawl]) -> str:
    """The host with most targets that any of the crawls found; empty where none found any."""
    found = Counter(page.host for crawl in crawls for page in crawl.pages if page.is_target)
    return found.most_common(1)[0][0] if found else ""


def heard_of(crawl: LuckyCrawl, host: str) -> int | None:
    """Pages that the crawl had read when it heard of a host, 0 for that of a seed; None if it never did."""
    if host not in crawl.hosts:
        return None
    place, seeds = crawl.hosts.index(host), crawl.hosts_of_seeds
    if place < seeds:
        return 0
    return next((number for number, page in enumerate(crawl.pages, 1) if page.hosts_heard > place), None)


def first_fetched(crawl: LuckyCrawl, host: str) -> int | None:
    """The number of its first page; None if there is none."""
    return next((number for number, page in enumerate(crawl.pages, 1) if page.host == host), None)


def missed(crawls: Sequence[LuckyCrawl]) -> Counter[str]:
    """Targets that a crawl of the topic did not find and another did, summed over crawls, by what became of their host."""
    found = [targets_of(crawl.pages) for crawl in crawls]
    hosts = {page.url: page.host for crawl in crawls for page in crawl.pages if page.is_target}
    counts: Counter[str] = Counter()
    for crawl, own in zip(crawls, found, strict=True):
        heard, fetched = frozenset(crawl.hosts), Counter(page.host for page in crawl.pages)
        counts.update(_fate(hosts[url], heard, fetched) for url in frozenset().union(*found) - own)
    return counts


def _fate(host: str, heard: frozenset[str], fetched: Mapping[str, int]) -> str:
    never, unfetched, left, some = FATES
    if host not in heard:
        return never
    pages = fetched.get(host, 0)
    return unfetched if not pages else left if pages < TRIED else some


def _less_mean(by_topic: Sequence[Sequence[float]]) -> FloatArray:
    return np.concatenate([np.array(values) - fmean(values) for values in by_topic])


def _page_of(crawl: LuckyCrawl, choice: Choice) -> Fetched | None:
    return next((page for page in crawl.pages if page.event == choice.event), None)
