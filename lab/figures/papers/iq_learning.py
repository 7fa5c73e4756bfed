"""IQ-learning against LocalPulse and best-first, and with several discounts: what it is worth to learn, and to look ahead."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, ClassVar

import numpy as np

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
from lab.results.plots import COLOURS, curves_of
from lab.results.results import Results

IQ, PULSE, BEST = "iq_learning", "local_pulse", "best_first"
UNTIED = f"{IQ}-untied"  #: not of the paper: links of a class, all alike there, in the order of their pages' relevance
LONG = 1000  #: pages of a crawl in figures 4 and 5
SHOWN = 2  #: topics that figure 5 shows: two, of which one cannot choose; ours are the first by the alphabet
GREEDY, TOO_FAR = 0.1, 0.8  #: the values that the text of the paper names
PROPER = (0.3, 0.4)  #: "a proper choice"
GAMMAS = (GREEDY, *PROPER, 0.6, TOO_FAR)
#: Pages at which harvest rates are read. Until the first relearning, after 100 pages, all crawls are the same: early is after 150.
EARLY = 150
STAGES = (EARLY, 200, 300, PAGES)
HARVEST = "harvest_rate"


class IqLearning(Figure):
    paper = "Ye, Li, Huang & Xu 2006, Improved Focused Web Crawling Based on Incremental Q-Learning, figures 4 to 6"
    shows = "harvest rate of IQ-learning, LocalPulse and best-first, and of IQ-learning with several discounts gamma"
    needs: ClassVar[tuple[str, ...]] = (WIKISPEEDIA,)
    minutes = 20

    def make(self, bench: Bench) -> list[str]:
        chosen = topics(bench, each=2)
        three = {
            **tables({IQ: {}, PULSE: {}, BEST: {}, UNTIED: {"name": IQ, "ties": "page"}}),
            "experiment": {"pages": LONG},
        }
        rivals = bench.compare("rivals", three, WIKISPEEDIA, chosen).results
        by_gamma = {_name(gamma): {"name": IQ, "gamma": gamma} for gamma in GAMMAS}
        discounts = bench.compare("gamma", tables(by_gamma), WIKISPEEDIA, chosen).results
        first = sorted(rivals.topics, key=lambda topic: topic.name)[:SHOWN]
        of_topics = [
            curves_of(Results(rivals.experiment, [topic]), HARVEST, "harvest rate", title=topic.name) for topic in first
        ]
        return [
            *bench.picture("figure-4", _bars(rivals)),
            *bench.picture("figure-5", *of_topics, curves_of(rivals, HARVEST, "harvest rate", title="all topics")),
            *means_table("crawler", _stages(rivals, (EARLY, 300, PAGES, LONG))),
            *claims_table(_of_rivals(rivals)),
            *bench.picture("figure-6", curves_of(discounts, HARVEST, "harvest rate")),
            *means_table("discount", _stages(discounts, STAGES)),
            *claims_table(_of_discounts(discounts)),
        ]


def _name(gamma: float) -> str:
    return f"gamma-{gamma:g}"


def _stages(results: Results, stages: tuple[int, ...]) -> dict[str, dict[str, dict[str, float]]]:
    return {
        f"after {pages} pages": {name: values_at(results, HARVEST, name, pages) for name in results.strategies}
        for pages in stages
    }


def _bars(results: Results) -> Callable[[Any], None]:
    """Figure 4: the last harvest rate of each crawler on each topic."""

    def fill(axes: Any) -> None:
        width = 0.8 / len(results.strategies)
        for number, name in enumerate(results.strategies):
            found = values_at(results, HARVEST, name, LONG)
            places = np.arange(len(found)) + number * width
            axes.bar(places, [found[topic] for topic in sorted(found)], width, color=COLOURS[number], label=name)
        axes.set_xticks(places, sorted(found), rotation=60, ha="right", fontsize="small")
        axes.set(ylabel=f"harvest rate after {LONG:,} pages")
        axes.legend(frameon=False)

    return fill


def _of_rivals(results: Results) -> Iterator[Claim]:
    def claim(says: str, printed: str, better: str, worse: str, pages: int) -> Claim:
        ahead, behind = values_at(results, HARVEST, better, pages), values_at(results, HARVEST, worse, pages)
        return Claim(f"{says}: on {_wins(ahead, behind)} topics", printed, ahead, behind)

    yield claim(f"(4) {IQ} is ahead of {BEST}", '"in all topics"', IQ, BEST, LONG)
    yield claim(f"(4) {PULSE} is ahead of {BEST}", '"in all topics"', PULSE, BEST, LONG)
    yield claim(f"(4) {IQ} is ahead of {PULSE}", '"higher harvest rate"', IQ, PULSE, LONG)
    yield claim("ties of links cost something", "", UNTIED, IQ, LONG)
    yield claim(f"(5) {PULSE} is ahead of {IQ} early (after {EARLY} pages)", '"more relevant pages"', PULSE, IQ, EARLY)


def _wins(ahead: Mapping[str, float], behind: Mapping[str, float]) -> str:
    return f"{sum(value > behind[topic] for topic, value in ahead.items())} of {len(ahead)}"


def _of_discounts(results: Results) -> Iterator[Claim]:
    def figures(gamma: float, pages: int) -> dict[str, float]:
        return values_at(results, HARVEST, _name(gamma), pages)

    for proper in PROPER:
        yield Claim(
            f"(6) {GREEDY:g} is ahead of {proper:g} early (after {EARLY} pages)",
            '"higher in the early stage"',
            figures(GREEDY, EARLY),
            figures(proper, EARLY),
        )
        yield Claim(
            f"(6) {proper:g} is ahead of {GREEDY:g} in the end",
            '"bigger ... higher performance"',
            figures(proper, PAGES),
            figures(GREEDY, PAGES),
        )
        yield Claim(
            f"(6) {TOO_FAR:g} falls far behind {proper:g} in the end",
            '"drops dramatically"',
            figures(proper, PAGES),
            figures(TOO_FAR, PAGES),
        )
