"""Strategies side by side on one recorded web, such as an earlier crawl; and what a person sees of a simulation.

Labels judge them in `labelled_comparison`. The laboratory has yardsticks, more measures and keeps what was crawled.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import numpy as np

from focused.crawl.arrays import FloatArray
from focused.exceptions import FocusedError
from focused.explain.harvest_watch import shown_harvest
from focused.explain.plain_output import ProgressLine
from focused.live.assemble import assemble
from focused.simulation.judged_run import Run
from focused.simulation.simulator import Fetch, Network, Simulator
from focused.simulation.web_opener import WebOpener
from focused.simulation.workers import FailedTask, do
from focused.strategies import options_of
from focused.topic.topic import Topic

#: Strategies of ours, which are made to go with the defence against traps. Systems of papers and rivals have none.
DEFENDED = frozenset({"adaptive", "combined"})


@dataclass(frozen=True)
class Crawled:
    """What one crawl of a comparison fetched.

    run : its pages, by which labels judge it
    relevant : whether each page is relevant by the topic's own page model
    """

    run: Run
    relevant: tuple[bool, ...]


@dataclass(frozen=True)
class ComparedCrawl:
    """One crawl to be made, maybe in another process. It knows nothing of labels but which part of the web is meant.

    topic : with the strategy; its budget of pages ends the crawl
    order : of several, in which answers arrive
    models : folder of trained models
    robot : our product token
    """

    topic: Topic
    order: int
    network: Network
    part: Mapping[str, str] = field(default_factory=dict)
    models: Path | None = None
    robot: str = ""

    def __str__(self) -> str:
        return f"{self.topic.strategy} on {self.topic.name}, order {self.order}"

    def __call__(self, opener: WebOpener) -> Crawled:
        """Crawl. Raises FocusedError where nothing is fetched, and what `assemble` and opening the web raise."""
        reader, core = assemble(self.topic, models=self.models, robot=self.robot)
        fetches = Simulator(core, opener.open(self.topic, reader, self.part), self.network).fetches()
        pages = [fetch for fetch in fetches if fetch.outcome == "page"]
        if not pages:
            raise FocusedError(f"{self.topic.name}: no page was fetched: is a seed of the topic recorded in this web?")
        copies = {fetch.final_url: fetch.duplicate_of for fetch in pages if fetch.duplicate_of is not None}
        run = Run(self.topic.strategy, self.topic.name, self.order, [fetch.final_url for fetch in pages], copies)
        return Crawled(run, tuple(fetch.relevant for fetch in pages))


def crawls_of(
    topic: Topic, strategies: Sequence[str], network: Network, orders: int = 1, **common: Any
) -> list[ComparedCrawl]:
    """The crawls of a topic with each strategy; strategies other than its own have their default options and, but for ours,
    no defence against traps, as in their papers.

    orders : crawls with each strategy, whose answers arrive in another order each time
    common : for all: part, models, robot
    """
    crawls = []
    for strategy in strategies:
        own = strategy == topic.strategy
        options = topic.strategy_options if own else options_of(strategy)().model_dump()
        traps = topic.traps if own or strategy in DEFENDED else topic.traps.model_copy(update={"on": False})
        chosen = topic.model_copy(update={"strategy": strategy, "strategy_options": options, "traps": traps})
        for order in range(1, orders + 1):
            timing = replace(network, seed=order) if orders > 1 else network
            crawls.append(ComparedCrawl(chosen, order, timing, **common))
    return crawls


def crawl_all(
    crawls: Sequence[ComparedCrawl],
    opener: WebOpener,
    processes: int = 1,
    tell: Callable[[str, int], None] = lambda _, __: None,
) -> list[Crawled]:
    """Make all crawls, several at a time; return what they fetched, in the same order however long each took.

    tell : told which crawl is done, and how many are

    Raises FocusedError with the reason of the first crawl that failed, EvaluationError when a process dies.
    """
    found: dict[int, Crawled] = {}
    for task, result in do(crawls, opener, processes):
        if isinstance(result, FailedTask):
            raise FocusedError(result.message)
        found[id(task)] = result
        tell(str(task), len(found))
    return [found[id(crawl)] for crawl in crawls]


@dataclass(frozen=True)
class ComparedStrategy:
    """What one strategy found.

    curves : (crawls, pages) a curve of each crawl, after each page; a crawl that ended early keeps its last value
    """

    strategy: str
    curves: FloatArray

    @property
    def mean(self) -> FloatArray:
        """(pages,) over all crawls."""
        return np.asarray(self.curves.mean(axis=0), np.float64)

    def after(self, pages: int) -> tuple[float, float]:
        """Mean and standard deviation, over the crawls, after so many pages."""
        values = self.curves[:, min(pages, self.curves.shape[1]) - 1]
        return float(values.mean()), float(values.std(ddof=1)) if len(values) > 1 else 0.0


def by_strategy(found: Sequence[Crawled], curve: Callable[[Crawled], FloatArray]) -> list[ComparedStrategy]:
    """The curves of crawls, such as the relevant pages among the first n fetched, by strategy."""
    longest = max(len(crawled.run.urls) for crawled in found)
    curves: dict[str, list[FloatArray]] = {}
    for crawled in found:
        values = curve(crawled)
        curves.setdefault(crawled.run.strategy, []).append(np.pad(values, (0, longest - len(values)), mode="edge"))
    return [ComparedStrategy(strategy, np.array(values)) for strategy, values in curves.items()]


def relevant_pages(crawled: Crawled) -> FloatArray:
    """(pages,) relevant pages among the first n, by the topic's own page model."""
    return np.cumsum(crawled.relevant).astype(np.float64)


def shown(simulator: Simulator, line: ProgressLine) -> Iterator[Fetch]:
    """Yield the fetches of a simulation and show how far it is."""
    crawl = simulator.crawl
    with closing(line) as progress:
        for fetch in simulator.fetches():
            progress.show(lambda: _progress(simulator), crawl.totals.pages, crawl.budget.pages)
            yield fetch


def _progress(simulator: Simulator) -> str:
    crawl, budget = simulator.crawl, simulator.crawl.budget.pages
    totals = crawl.totals
    pages = f"{totals.pages:,}/{budget:,}" if budget else f"{totals.pages:,}"
    return (
        f"{pages} pages | harvest {totals.harvest:.0%}, {shown_harvest(totals.recent)} | "
        f"{len(crawl.frontier):,} wait | {crawl.hosts.visited:,} hosts, {totals.failures:,} failures"
    )


def summary(simulator: Simulator, cpu: float) -> str:
    """The end of a simulation in a few lines, as that of a live crawl. ``cpu``: seconds it took."""
    crawl, web, network = simulator.crawl, simulator.web, simulator.network
    totals, topic = crawl.totals, crawl.topic
    fate = f"{web.hidden_share:.1%} lead out of the recording and were hidden" if web.hides else "none was hidden"
    drawn = "" if network.seed is None else f" on average (seed {network.seed})"
    return "\n".join(
        (
            f"Simulated {topic.name} by {topic.strategy}; ended: {simulator.ended}",
            f"  fetched   {totals.pages:,} pages ({totals.bytes / 1e6:,.1f} MB) of {crawl.hosts.visited:,} hosts, "
            f"{totals.failures:,} failures, {totals.duplicates + totals.stale:,} that bring nothing new",
            f"  relevant  {totals.relevant:,} pages by the crawl's own page model: harvest rate {totals.harvest:.1%}, "
            f"{shown_harvest(totals.recent)}",
            f"  waiting   {len(crawl.frontier):,} URLs",
            f"  links     {web.links:,} on these pages; {fate}",
            f"  network   {network.in_flight} in flight, {network.per_host} per host, delay {network.delay:g} s, "
            f"latency {network.latency:g} s{drawn}",
            f"  time      {timedelta(seconds=round(simulator.now))} of virtual time; "
            f"{totals.pages / max(cpu, 1e-9):,.0f} pages per second of CPU",
        )
    )
