"""Strategies side by side on one recorded web, such as an earlier crawl; and what a person sees of a simulation.

The laboratory has what science needs (many topics, tests, measures); this answers whoever wants to know what to use for a topic.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from datetime import timedelta
from pathlib import Path

import numpy as np

from focused.crawl.arrays import FloatArray
from focused.exceptions import FocusedError
from focused.explain.harvest_watch import shown_harvest
from focused.explain.plain_output import ProgressLine
from focused.live.assemble import assemble
from focused.simulation.analysed_web import AnalysedWeb
from focused.simulation.simulator import Fetch, Network, Simulator
from focused.strategies import options_of
from focused.topic.topic import Topic

#: Strategies of ours, which are made to go with the defence against traps. Systems of papers and rivals have none.
DEFENDED = frozenset({"adaptive", "combined"})


@dataclass(frozen=True)
class ComparedStrategy:
    """What one strategy found.

    curves : (orders, pages) relevant pages among the first n fetched, for each order in which answers arrived; a crawl that ended
        early keeps its last value
    pages : fetched in each of these crawls
    """

    strategy: str
    curves: FloatArray
    pages: list[int]

    @property
    def mean(self) -> FloatArray:
        """(pages,) over all orders."""
        return np.asarray(self.curves.mean(axis=0), np.float64)

    def after(self, pages: int) -> tuple[float, float]:
        """Mean and standard deviation, over the orders, of the relevant pages among the first so many."""
        values = self.curves[:, min(pages, self.curves.shape[1]) - 1]
        return float(values.mean()), float(values.std(ddof=1)) if len(values) > 1 else 0.0


def compare(
    topic: Topic,
    strategies: Sequence[str],
    web: AnalysedWeb,
    network: Network,
    *,
    orders: int = 1,
    relevant: Collection[str] | None = None,
    models: Path | None = None,
    tell: Callable[[str, int], None] = lambda _, __: None,
) -> list[ComparedStrategy]:
    """Crawl a web with each strategy.

    Parameters
    ----------
    topic : its budget of pages ends every crawl; strategies other than its own have their default options and, but for ours, no
        defence against traps, as in their papers
    orders : crawls with each strategy, whose answers arrive in another order each time
    relevant : final URLs of relevant pages; None: those that the topic's page model takes for relevant
    models : folder of trained models
    tell : told now and then which strategy has fetched how many pages

    Raises FocusedError where nothing is fetched, and what `assemble` raises.
    """
    found = []
    for strategy in strategies:
        own = strategy == topic.strategy
        options = topic.strategy_options if own else options_of(strategy)().model_dump()
        traps = topic.traps if own or strategy in DEFENDED else topic.traps.model_copy(update={"on": False})
        chosen = topic.model_copy(update={"strategy": strategy, "strategy_options": options, "traps": traps})
        crawls = [
            _crawl(chosen, web, replace(network, seed=order) if orders > 1 else network, relevant, models, tell)
            for order in range(1, orders + 1)
        ]
        if not any(crawls):
            raise FocusedError("no page was fetched: is a seed of the topic recorded in this web?")
        longest = max(map(len, crawls))
        curves = np.array(
            [np.pad(np.cumsum(flags), (0, longest - len(flags)), mode="edge") for flags in crawls if flags]
        )
        found.append(ComparedStrategy(strategy, curves.astype(np.float64), [len(flags) for flags in crawls]))
    return found


def _crawl(
    topic: Topic,
    web: AnalysedWeb,
    network: Network,
    relevant: Collection[str] | None,
    models: Path | None,
    tell: Callable[[str, int], None],
) -> list[bool]:
    """Whether each page of a crawl is relevant, in order of arrival."""
    _, core = assemble(topic, models=models)
    flags: list[bool] = []
    for fetch in Simulator(core, web, network).fetches():
        if fetch.outcome == "page":
            is_labelled = relevant is not None and fetch.final_url in relevant and fetch.duplicate_of is None
            flags.append(fetch.relevant if relevant is None else is_labelled)
            tell(topic.strategy, len(flags))
    return flags


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
