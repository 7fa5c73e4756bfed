"""What a person sees of a simulation: how far it is, and a few lines at its end."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from datetime import timedelta

from focused.explain.harvest_watch import shown_harvest
from focused.explain.progress_line import ProgressLine
from focused.simulation.simulator import Fetch, Simulator


def shown(simulator: Simulator, interval: float) -> Iterator[Fetch]:
    """Yield the fetches of a simulation and show how far it is."""
    crawl = simulator.crawl
    with closing(ProgressLine(interval)) as progress:
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
