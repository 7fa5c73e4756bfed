"""Compares orders in which a crawl may ask again for its pages, on pages whose changes are drawn at random.

Each page changes as a Poisson process. Its rate is drawn log-normally around that of its host, the median once in 30 days; its
relevance is drawn between 0 and 1, and has nothing to do with the rate. Each week a crawl asks again for a part of the pages. No
order is told a rate, but for those called so, which show what knowing them all would bring.

fresh : share of the relevance that was up to date, mean of all days of the second half
new : relevance of the versions that were collected in the second half, of that of all versions that there were
finds : what one page asked for brings of it: relevance of a changed version

Example:
    python -m lab.benchmarks.recrawl --budgets 5,10,20
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from focused.crawl.arrays import FloatArray, IntArray
from focused.crawl.change_rates import Looks, chance_of_change, use_that_lasts
from focused.reporting.tables import print_table

PAGES, HOSTS, WEEKS = 2_000, 40, 52
WEEK = 7.0
MEDIAN = 1 / 30  #: changes a day
SPREAD_OF_HOSTS, SPREAD = 1.0, 1.0  #: standard deviations of the logarithm of the rate


@dataclass(slots=True)
class Known:
    """What a crawl knows of its pages on a day."""

    day: float
    relevance: FloatArray
    hosts: IntArray
    times: IntArray
    changes: IntArray
    last: FloatArray
    true_rates: FloatArray
    chance: np.random.Generator

    def rates(self) -> FloatArray:
        return Looks(self.times, self.changes, self.last, self.hosts).rates()

    def since(self) -> FloatArray:
        return self.day - self.last


#: What a page is worth, the best first.
ORDERS: dict[str, Callable[[Known], FloatArray]] = {
    "changing": lambda known: chance_of_change(known.rates(), known.since()) * known.relevance,
    "changing, told": lambda known: chance_of_change(known.true_rates, known.since()) * known.relevance,
    "fresh": lambda known: use_that_lasts(known.rates(), known.since()) * known.relevance,
    "fresh, told": lambda known: use_that_lasts(known.true_rates, known.since()) * known.relevance,
    "chance alone": lambda known: chance_of_change(known.rates(), known.since()),
    "relevance alone": lambda known: known.relevance,
    "oldest first": lambda known: known.since() + 1e-6 * known.relevance,
    "at random": lambda known: known.chance.random(len(known.relevance)),
}


def trial(order: Callable[[Known], FloatArray], share: float, seed: int) -> tuple[float, float, float]:
    """Fresh, new and finds (see the head of this file) of one order that asks for a share of the pages each week."""
    draw = np.random.default_rng(seed)
    hosts = draw.integers(0, HOSTS, PAGES)
    rates = MEDIAN * np.exp(draw.normal(0, SPREAD_OF_HOSTS, HOSTS)[hosts] + draw.normal(0, SPREAD, PAGES))
    relevance = draw.beta(2, 4, PAGES)
    zeros = np.zeros(PAGES, np.int64)
    known = Known(
        0.0, relevance, hosts, zeros.copy(), zeros.copy(), np.zeros(PAGES), rates, np.random.default_rng(seed)
    )
    behind = np.zeros(PAGES, bool)  # its newest version has not been seen
    fresh, collected, made, asked = [], 0.0, 0.0, 0
    for day in range(int(WEEKS * WEEK)):
        changed = draw.poisson(rates)
        behind |= changed > 0
        counts = day >= WEEKS * WEEK / 2
        if counts:
            made += float((changed * relevance).sum())
        if day % int(WEEK) == int(WEEK) - 1:
            known.day = float(day + 1)
            chosen = np.argsort(-order(known), kind="stable")[: round(share * PAGES)]
            known.times[chosen] += 1
            known.changes[chosen] += behind[chosen]
            known.last[chosen] = known.day
            if counts:
                collected += float(relevance[chosen][behind[chosen]].sum())
                asked += len(chosen)
            behind[chosen] = False
        if counts:
            fresh.append(float(relevance[~behind].sum() / relevance.sum()))
    return float(np.mean(fresh)), collected / made, collected / asked


def main(argv: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--budgets", default="5,10,20", help="per cent of the pages that are asked for each week")
    parser.add_argument("--seeds", default="1,2,3,4,5", help="draws of the changes")
    options = parser.parse_args(argv)
    seeds = [int(seed) for seed in options.seeds.split(",")]
    rows = []
    for budget in options.budgets.split(","):
        for name, order in ORDERS.items():
            means = np.mean([trial(order, float(budget) / 100, seed) for seed in seeds], axis=0)
            rows.append([f"{budget} %", name, *(f"{value:.3f}" for value in means)])
    print_table(["a week", "order", "fresh", "new", "finds"], rows)


if __name__ == "__main__":
    main()
