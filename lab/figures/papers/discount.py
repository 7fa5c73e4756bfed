"""IQ-learning with several discounts: what it is worth to look ahead."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from lab.figures.figure import (
    PAGES,
    WIKISPEEDIA,
    Bench,
    Claim,
    Figure,
    claims_table,
    means_table,
    tables,
    topics,
    values_at,
)
from lab.results.plots import curves_of
from lab.results.results import Results

GREEDY, TOO_FAR = 0.1, 0.8  #: the values that the text of the paper names
PROPER = (0.3, 0.4)  #: "a proper choice"
GAMMAS = (GREEDY, *PROPER, 0.6, TOO_FAR)
#: Pages at which harvest rates are read. Until the first relearning, after 100 pages, all crawls are the same: early is after 150.
STAGES = (150, 200, 300, PAGES)
HARVEST = "harvest_rate"


class Discount(Figure):
    paper = "Ye, Li, Huang & Xu 2006, Improved Focused Web Crawling Based on Incremental Q-Learning, figure 6"
    shows = "harvest rate of IQ-learning with several discounts gamma"
    needs: ClassVar[tuple[str, ...]] = (WIKISPEEDIA,)
    minutes = 10

    def make(self, bench: Bench) -> list[str]:
        strategies = {_name(gamma): {"name": "iq_learning", "gamma": gamma} for gamma in GAMMAS}
        results = bench.compare("gamma", tables(strategies), WIKISPEEDIA, topics(bench, each=2)).results
        picture = bench.picture("figure-6", curves_of(results, HARVEST, "harvest rate"))
        columns = {
            f"after {pages} pages": {name: values_at(results, HARVEST, name, pages) for name in strategies}
            for pages in STAGES
        }
        return [*picture, *means_table("discount", columns), *claims_table(_claims(results))]


def _name(gamma: float) -> str:
    return f"gamma-{gamma:g}"


def _claims(results: Results) -> Iterator[Claim]:
    def figures(gamma: float, pages: int) -> dict[str, float]:
        return values_at(results, HARVEST, _name(gamma), pages)

    for proper in PROPER:
        yield Claim(
            f"{GREEDY:g} is ahead of {proper:g} early (after {STAGES[0]} pages)",
            '"higher in the early stage"',
            figures(GREEDY, STAGES[0]),
            figures(proper, STAGES[0]),
        )
        yield Claim(
            f"{proper:g} is ahead of {GREEDY:g} in the end",
            '"bigger ... higher performance"',
            figures(proper, PAGES),
            figures(GREEDY, PAGES),
        )
        yield Claim(
            f"{TOO_FAR:g} falls far behind {proper:g} in the end",
            '"drops dramatically"',
            figures(proper, PAGES),
            figures(TOO_FAR, PAGES),
        )
