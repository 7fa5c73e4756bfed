"""What the strategy adaptive costs: CPU time a page and a link beyond dom, and what a rescoring of all that waits takes.

Generated pages go through the core alone: no HTML, no network, no stores. The n-th page is the same for every crawl, whatever
URL it picked. Crawls take turns, so that all see the same load; figures are medians over the turns. A second table lets one
crawl grow: when so many URLs wait, all of them are rescored a few times.

Example:
    python -m lab.benchmarks.adaptive_cost
    python -m lab.benchmarks.adaptive_cost --pages 200 --turns 1 --waiting 1000 10000 --out data/adaptive-cost
"""

from __future__ import annotations

import argparse
import csv
import sys
import time
import tracemalloc
from collections.abc import Callable, Iterable, Sequence
from dataclasses import astuple, dataclass, fields
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np

from focused.crawl.crawl import Crawl
from focused.crawl.strategy import Strategy
from focused.exceptions import FocusedError
from focused.reading.page import Page
from focused.reporting.progress_line import ProgressLine
from focused.run.assemble import assemble
from focused.storage.snapshot import encode
from focused.strategies import get_strategy
from focused.topic.topic import Budget, FrontierOptions, Topic
from lab.benchmarks import state_sizes
from lab.benchmarks.generated_pages import HOSTS, KINDS, GeneratedPages, Kind, at

#: What takes turns: a strategy, and whether it rescores what waits, which is measured apart.
CRAWLS = {"dom": ("dom", False), "adaptive": ("adaptive", False), "adaptive that rescores": ("adaptive", True)}
FILLING = "ordinary"  #: kind of the pages whose links wait in the second table
RESCORINGS = 5  #: of which the median counts
LINKS_TABLE, WAITING_TABLE = "per_page.csv", "waiting.csv"
INTERVAL = 10.0  #: seconds between two lines of progress in a log


@dataclass(frozen=True, slots=True)
class PerPage:
    """A row of the first table: CPU microseconds, medians over the turns; `beyond` is without rescoring."""

    pages: str
    terms: int
    links: int
    new_links: int
    dom: float
    adaptive: float
    beyond_per_page: float
    beyond_per_link: float
    rescoring: float  #: a page, where it begins with a small frontier that grows


@dataclass(frozen=True, slots=True)
class PerWaiting:
    """A row of the second table."""

    waiting: int
    known: int  #: URLs: those that wait and those that were fetched
    links_per_url: float  #: how often a known URL was linked to
    rescoring_ms: float  #: CPU of one rescoring, the frontier's part included
    frontier_ms: float  #: the frontier's part
    every: int  #: pages between two
    ms_per_page: float
    peak_mb: float  #: what a rescoring allocates at most, beside what is there
    state_mb: float  #: arrays and lists of the strategy
    state_bytes: float  #: a waiting URL, without what the strategy holds before the crawl
    saved_bytes: float  #: the same of a snapshot


def crawl_of(strategy: str, pages: GeneratedPages, *, rescores: bool) -> Crawl:
    """The core, with the seeds waiting."""
    topic = Topic(
        name="cost",
        keywords=("solar energy", "solar panel", "inverter"),
        seeds=("http://site0.example/",),
        budget=Budget(pages=0),
        frontier=FrontierOptions(cap=0),
    )
    _, crawl = assemble(topic, get_strategy(strategy))
    if not rescores:
        crawl.strategy.rescore_every = 0
    crawl.start(pages.seeds)
    return crawl


def take(crawl: Crawl, page: Page) -> None:
    """Let the URL that the crawl picks be this page, and take it in."""
    pick = crawl.next()
    if pick is None:
        raise FocusedError("the generated web is too small: nothing waits any more")
    crawl.fetched(pick.id, at(page, pick.id), 0)


def microseconds(name: str, kind: Kind, made: Sequence[Page]) -> float:
    """CPU a page of one crawl. The second half of its pages counts: then all that is remembered of pages is full."""
    strategy, rescores = CRAWLS[name]
    crawl, half = crawl_of(strategy, GeneratedPages(kind), rescores=rescores), len(made) // 2
    for page in made[:half]:
        take(crawl, page)
    start = time.process_time()  # once for all: it may take as long as a page
    for page in made[half:]:
        take(crawl, page)
    return 1e6 * (time.process_time() - start) / (len(made) - half)


def per_page(name: str, kind: Kind, count: int, turns: int, show: Callable[[str], None]) -> PerPage:
    """Each crawl in turn over the same pages, ``turns`` times."""
    source = GeneratedPages(kind)
    made = [source.next() for _ in range(count)]
    taken: dict[str, list[float]] = {crawl: [] for crawl in CRAWLS}
    for turn in range(turns):
        for crawl, found in taken.items():
            show(f"{name}: turn {turn + 1} of {turns}, {crawl}")
            found.append(microseconds(crawl, kind, made))
    dom, plain, rescoring = (np.array(found) for found in taken.values())
    beyond = median((plain - dom).tolist())
    return PerPage(
        pages=name,
        terms=kind.terms,
        links=kind.links,
        new_links=kind.new,
        dom=median(dom.tolist()),
        adaptive=median(plain.tolist()),
        beyond_per_page=beyond,
        beyond_per_link=beyond / kind.links,
        rescoring=median((rescoring - plain).tolist()),
    )


def grown(sizes: Iterable[int], show: Callable[[str], None]) -> Iterable[PerWaiting]:
    """Let one crawl grow to each number of waiting URLs, and rescore them there."""
    source = GeneratedPages(KINDS[FILLING])
    crawl = crawl_of("adaptive", source, rescores=False)
    before = held(crawl.strategy), len(encode(crawl.strategy.state()))
    for size in sorted(sizes):
        while len(crawl.frontier) < size:
            take(crawl, source.next())
            show(f"{len(crawl.frontier):,} of {size:,} URLs wait, {crawl.totals.pages:,} pages")
        show(f"{size:,} URLs are rescored")
        yield rescored(crawl, *before)


def rescored(crawl: Crawl, held_before: int, saved_before: int) -> PerWaiting:
    """Rescore what waits a few times, as the crawl would do it."""
    strategy, waiting, known = crawl.strategy, len(crawl.frontier), len(crawl.urls)
    scoring, placing = zip(*(rescoring(crawl) for _ in range(RESCORINGS)), strict=True)
    every, milliseconds = strategy.rescore_every, 1000 * median(map(sum, zip(scoring, placing, strict=True)))
    tracemalloc.start()
    rescoring(crawl)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    strategy.rescore_every = 0
    size, saved = held(strategy), len(encode(strategy.state()))
    return PerWaiting(
        waiting=waiting,
        known=known,
        links_per_url=crawl.totals.pages * KINDS[FILLING].links / known,
        rescoring_ms=milliseconds,
        frontier_ms=1000 * median(placing),
        every=every,
        ms_per_page=milliseconds / every,
        peak_mb=peak / 2**20,
        state_mb=size / 2**20,
        state_bytes=(size - held_before) / waiting,
        saved_bytes=(saved - saved_before) / waiting,
    )


def rescoring(crawl: Crawl) -> tuple[float, float]:
    """CPU seconds of one rescoring: of the strategy, and of the frontier that takes the new scores."""
    start = time.process_time()
    waiting = crawl.frontier.view()
    viewed = time.process_time()
    job = crawl.strategy.rescore(waiting)
    if job is None:
        raise FocusedError(f"{crawl.strategy.name} does not rescore what waits")
    changes = job().changes
    scored = time.process_time()
    crawl.frontier.rescore(changes.ids, changes.scores, changes.parts)
    return scored - viewed, viewed - start + time.process_time() - scored


def held(strategy: Strategy) -> int:
    """Bytes of all objects that a strategy holds, its arrays with their spare room; not of what the crawl lends it."""
    return state_sizes.held([vars(strategy)], {id(strategy.world)})


class Table:
    """Rows of one kind, printed as they come and written as CSV into a folder, if one is given."""

    def __init__(self, row: type[PerPage] | type[PerWaiting], path: Path | None) -> None:
        self._names, self._rows, self._path = [field.name for field in fields(row)], list[list[Any]](), path
        print(
            f"| {' | '.join(name.replace('_', ' ') for name in self._names)} |\n|{'---|' * len(self._names)}",
            flush=True,
        )

    def add(self, row: PerPage | PerWaiting) -> None:
        """Print a row; the file is written anew, so that a run cut short leaves what it found."""
        self._rows.append(list(astuple(row)))
        print(f"| {' | '.join(map(shown, self._rows[-1]))} |", flush=True)
        if self._path is None:
            return
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            with self._path.open("w", encoding="utf-8", newline="") as file:
                csv.writer(file, lineterminator="\n").writerows([self._names, *self._rows])
        except OSError as error:
            raise FocusedError(f"{self._path}: cannot be written: {error.strerror}") from None


def shown(value: Any) -> str:
    """A cell: large numbers without fraction."""
    if isinstance(value, str):
        return value
    return f"{value:,.2f}" if isinstance(value, float) and abs(value) < 100 else f"{value:,.0f}"


def from_(least: int) -> Callable[[str], int]:
    """Type of an argument: a number from this one on."""

    def number(text: str) -> int:
        if not text.isdecimal() or int(text) < least:
            raise argparse.ArgumentTypeError(f"{text!r}: give a number from {least} on")
        return int(text)

    return number


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pages", type=from_(2), default=1000, help="of each crawl (default: 1000)")
    parser.add_argument("--turns", type=from_(1), default=5, help="of each crawl, the median counts (default: 5)")
    parser.add_argument(
        "--waiting",
        type=from_(HOSTS),
        nargs="*",
        default=[1_000, 10_000, 100_000, 1_000_000],
        help=f"rescore when so many URLs wait, {HOSTS} or more (default: 1000 10000 100000 1000000, five minutes)",
    )
    parser.add_argument("--out", type=Path, help=f"folder for the tables as CSV ({LINKS_TABLE}, {WAITING_TABLE})")
    arguments = parser.parse_args()
    progress = ProgressLine(INTERVAL)

    def show(text: str) -> None:
        progress.show(lambda: text)

    try:
        table = Table(PerPage, arguments.out and arguments.out / LINKS_TABLE)
        for name, kind in KINDS.items():
            row = per_page(name, kind, arguments.pages, arguments.turns, show)
            progress.close()
            table.add(row)
        print()
        table = Table(PerWaiting, arguments.out and arguments.out / WAITING_TABLE)
        for waiting in grown(arguments.waiting, show):
            progress.close()
            table.add(waiting)
    except FocusedError as error:
        sys.exit(f"adaptive_cost: {error}")


if __name__ == "__main__":
    main()
