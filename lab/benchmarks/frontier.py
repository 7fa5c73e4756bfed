"""Measures the frontier: CPU time per offer and per pick, memory per waiting URL, and what running against a cap costs.

Example, from the root of the project:
    python -m lab.benchmarks.frontier --urls 100000 1000000 --hosts 1 300 20000
"""

from __future__ import annotations

import argparse
import time
import tracemalloc
from collections import deque
from typing import Any

import numpy as np

from focused.crawl.columns import Columns
from focused.crawl.frontier import Frontier

PARTS = np.zeros(3)  #: numbers kept with each score, as many as most strategies have
PICKS = 1000
IN_FLIGHT = 16  #: so many hosts are held at a time, as their pages are being fetched
LINKS_PER_PAGE = 100
PAGES = 500  #: of the crawl that runs against its cap

#: What a row measures: options of the frontier, and whether all scores are equal (breadth first, within one level).
CASES: dict[str, tuple[dict[str, Any], bool]] = {
    "best first": ({}, False),
    "breadth first": ({}, True),
    "best 10 first": ({"batch": 10}, False),
    "5 distinct hosts": ({"distinct_hosts": 5}, False),
}


class Load:
    """URLs 0, 1, ... with a host and a score each, the same at every run."""

    def __init__(self, urls: int, hosts: int, *, equal: bool = False) -> None:
        random = np.random.default_rng(1)
        self.hosts: list[int] = random.integers(hosts, size=urls).tolist()
        self.scores: list[float] = [0.0] * urls if equal else random.random(urls).tolist()

    def fill(self, frontier: Frontier) -> None:
        for url, (host, score) in enumerate(zip(self.hosts, self.scores, strict=True)):
            frontier.offer(url, host, score, PARTS)

    def pick(self, frontier: Frontier) -> None:
        """Take the best again and again; the host of each is held for a while, where there are more hosts."""
        held: deque[int] = deque()
        for _ in range(PICKS):
            while len(held) >= IN_FLIGHT or (url := frontier.best()) is None:
                frontier.release(held.popleft())
            frontier.take(url)
            frontier.hold(self.hosts[url])
            held.append(self.hosts[url])


def microseconds(action: Any, *arguments: Any) -> float:
    start = time.process_time()
    action(*arguments)
    return (time.process_time() - start) * 1e6


def bytes_held(load: Load, **options: Any) -> int:
    tracemalloc.start()
    frontier = Frontier(Columns(), len(PARTS), **options)
    load.fill(frontier)
    size = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    return size


def row(case: str, urls: int, hosts: int, *, memory: bool) -> str:
    options, equal = CASES[case]
    load, frontier = Load(urls, hosts, equal=equal), Frontier(Columns(), len(PARTS), **options)
    offer = microseconds(load.fill, frontier) / urls
    pick = microseconds(load.pick, frontier) / PICKS
    size = f"{bytes_held(load, **options) / urls:.0f}" if memory else ""
    return f"| {case} | {urls:,} | {hosts:,} | {offer:.1f} | {pick:.1f} | {size} |"


def against_a_cap(cap: int, hosts: int) -> float:
    """Microseconds per page of a crawl whose full frontier gets 100 links a page and gives one URL."""
    load, frontier = Load(cap + PAGES * LINKS_PER_PAGE, hosts), Frontier(Columns(), len(PARTS), cap=cap)

    def crawl() -> None:
        for url in range(cap, len(load.hosts)):
            frontier.offer(url, load.hosts[url], load.scores[url], PARTS)
            if url % LINKS_PER_PAGE == 0:
                frontier.evict()
                best = frontier.best()
                if best is not None:
                    frontier.take(best)

    for url in range(cap):
        frontier.offer(url, load.hosts[url], load.scores[url], PARTS)
    return microseconds(crawl) / PAGES


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--urls", type=int, nargs="+", default=[100_000, 1_000_000], help="how many URLs wait")
    parser.add_argument("--hosts", type=int, nargs="+", default=[1, 300, 20_000], help="on how many hosts")
    parser.add_argument("--cap", type=int, default=70_000, help="cap of the crawl with a full frontier")
    arguments = parser.parse_args()
    if min(*arguments.urls, *arguments.hosts, arguments.cap) < 1:
        parser.error("--urls, --hosts and --cap take numbers from 1 on")
    print("| order | URLs | hosts | us per offer | us per pick | bytes per URL |")
    print("|---|---|---|---|---|---|")
    for case in CASES:
        for urls in arguments.urls:
            for hosts in arguments.hosts:
                print(row(case, urls, hosts, memory=case == "best first"), flush=True)
    print(f"\n| a full frontier of {arguments.cap:,} URLs on | us per page of {LINKS_PER_PAGE} new links |")
    print("|---|---|")
    for hosts in arguments.hosts:
        print(f"| {hosts:,} hosts | {against_a_cap(arguments.cap, hosts):,.0f} |", flush=True)


if __name__ == "__main__":
    main()
