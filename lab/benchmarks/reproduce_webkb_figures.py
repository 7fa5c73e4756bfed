"""Figures 5 to 8 of Almpanidis, Kotropoulos & Pitas (2007), drawn anew from our crawls: PNG, SVG and their data as CSV.

Of the pictures no value can be read; what the text of the paper says of each, and table 3, which are points of figure 6, stand
beside ours.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from scipy import stats

from focused.crawl.arrays import FloatArray
from lab.judging.judging import JudgedTopic, grid
from lab.results.plots import COLOURS, MARKERS, STYLES, save_picture
from lab.results.results import Results
from lab.results.results_files import write_file
from lab.results.results_table import markdown
from lab.results.statistics import FEWEST_TOPICS

#: The paper's systems, the three that learn as they do there; and our default.
DRAWN = ("breadth_first", "backlink_count", "ss1-trained", "ss2-trained", "pagerank", "hcla-trained", "adaptive")
INTERVALS = ("hcla-trained", "ss2-trained")  #: "the best two algorithms", to which figure 5 gives intervals
CONFIDENCE = 0.95
KIND = "student"  #: of pages, in figure 6
ORDERED = "washington-project"  #: the task of figures 7 and 8
#: HCLA by factors and by pages between two reorderings, named as there.
ORDERINGS: dict[str, dict[str, Any]] = {
    f"hcla{factors}r{pages}": {"name": "hcla", "model": "hcla", "factors": factors, "reorder_every": pages}
    for factors, pages in ((50, 10), (50, 25), (50, 50), (30, 50), (80, 50))
}
SEVENTH, EIGHTH = ("hcla50r10", "hcla50r25", "hcla50r50"), ("hcla30r50", "hcla50r50", "hcla80r50")
SHARES: FloatArray = np.arange(1, 101) / 100  #: of a full crawl, where harvest rates are read
RECALLS: FloatArray = np.arange(1, 11) / 10  #: where precision is read
TINY = 1e-9  #: rounding
TOLD = (0.1, 0.25, 0.5, 0.75, 1.0)  #: shares of the crawl and recalls in tables for a person


@dataclass(frozen=True)
class Line:
    """One curve: (n,) values, and half the width of their confidence intervals, where these are drawn."""

    label: str
    values: FloatArray
    interval: FloatArray | None = None


@dataclass(frozen=True)
class Figure:
    """A picture, its data and its table.

    title : with the number it has in the paper
    across : (n,) where the lines have their values
    axes : names of both
    said : what the text of the paper says of the picture
    points : those that the paper prints, by the label of the line that they belong to
    """

    name: str
    title: str
    lines: Sequence[Line]
    across: FloatArray
    axes: tuple[str, str]
    said: str
    points: Mapping[str, tuple[Sequence[float], Sequence[float]]] = field(default_factory=dict)

    def write(self, folder: Path) -> str:
        """Write picture and data; return a section for a report. Raises StorageError."""
        save_picture(folder / self.name, self._draw)  # makes the folder
        text = io.StringIO()
        csv.writer(text, lineterminator="\n").writerows(self._data())
        write_file(folder / f"{self.name}.csv", text.getvalue().encode())
        return "\n".join([f"## {self.title}", "", f"The paper says: {self.said}", "", *markdown(self._table()), "", ""])

    def _data(self) -> Iterator[Sequence[str]]:
        yield "curve", *self.axes, "low", "high"
        for line in self.lines:
            for position, (place, value) in enumerate(zip(self.across, line.values, strict=True)):
                half = () if line.interval is None else (-line.interval[position], line.interval[position])
                ends = [f"{value + width:.4f}" for width in half] or ["", ""]
                yield line.label, f"{place:g}", f"{value:.4f}", *ends
        for label, points in self.points.items():
            for place, value in zip(*points, strict=True):
                yield f"{label}, paper", f"{place:g}", f"{value:g}", "", ""

    def _table(self) -> list[list[str]]:
        told = np.searchsorted(self.across, np.array(TOLD) - TINY).tolist()
        rows = [[self.axes[1], *(f"at {self.across[place]:.0%}" for place in told)]]
        return rows + [[line.label, *(f"{line.values[place]:.2f}" for place in told)] for line in self.lines]

    def _draw(self, picture: Any) -> None:
        for number, line in enumerate(self.lines):
            colour, marker = COLOURS[number % len(COLOURS)], MARKERS[number % len(MARKERS)]
            style = STYLES[number % len(STYLES)]
            picture.plot(self.across, line.values, color=colour, linestyle=style, linewidth=1.6, label=line.label)
            if line.interval is not None:
                bars = slice(9, None, 10)
                at, widths = (self.across[bars], line.values[bars]), line.interval[bars]
                picture.errorbar(*at, yerr=widths, fmt="none", color=colour, capsize=3)
            if line.label in self.points:
                picture.plot(*self.points[line.label], marker, color=colour, label=f"{line.label}, paper")
        picture.set(xlabel=self.axes[0], ylabel=self.axes[1])
        picture.set_xlim(left=0)
        picture.set_ylim(bottom=0)
        picture.grid(alpha=0.3)
        picture.legend(loc="center left", bbox_to_anchor=(1.01, 0.5), frameon=False, handlelength=4)


def crawl_figures(results: Results, paper: Mapping[str, Sequence[float]], levels: Sequence[float]) -> Iterator[Figure]:
    """Figures 5 and 6, as far as the strategies in them were crawled.

    paper : table 3, which begins with the precision at these levels of recall
    """
    drawn = [name for name in DRAWN if name in results.strategies]
    student = [topic for topic in results.topics if topic.name.endswith(f"-{KIND}")]
    if drawn and student:
        yield _harvest(
            "figure-5",
            f"Figure 5: harvest rate, mean over {len(results.topics)} tasks",
            [_rates(name, results.topics) for name in drawn],
            "HCLA is best, above all at high recall; breadth-first equals or beats SS1 and backlink count in places.",
        )
        precisions = [np.array([_precision(name, topic) for topic in student]).mean(axis=0) for name in drawn]
        printed = {name: paper.get(name.removesuffix("-trained"), ()) for name in drawn}
        yield Figure(
            "figure-6",
            f"Figure 6: precision by recall, topic {KIND}, mean over {len(student)} universities",
            [Line(name, values) for name, values in zip(drawn, precisions, strict=True)],
            RECALLS,
            ("recall", "precision"),
            "three points of each curve stand in its table 3; they are drawn as marks.",
            {name: (levels, values[: len(levels)]) for name, values in printed.items() if values},
        )


def ordering_figures(results: Results) -> Iterator[Figure]:
    """Figures 7 and 8, from crawls of `ORDERED` by `ORDERINGS`."""
    lines = {name: _rates(name, results.topics) for name in results.strategies}
    yield _harvest(
        "figure-7",
        f"Figure 7: harvest rate, {ORDERED}, reordered every N = 10, 25 and 50 pages",
        [lines[name] for name in SEVENTH],
        "to reorder more often is not necessarily better.",
    )
    yield _harvest(
        "figure-8",
        f"Figure 8: harvest rate, {ORDERED}, k = 30, 50 and 80 factors",
        [lines[name] for name in EIGHTH],
        "k = 50 is best; too many factors (k = 80) can be worse.",
    )


def _harvest(name: str, title: str, lines: Sequence[Line], said: str) -> Figure:
    return Figure(name, title, lines, SHARES, ("share of the full crawl fetched", "harvest rate"), said)


def _rates(strategy: str, topics: Sequence[JudgedTopic]) -> Line:
    """Harvest rate at each of `SHARES` of the longest crawl of a topic, mean over topics; an interval where it is drawn."""
    by_topic = np.array([_rates_of(strategy, topic) for topic in topics])
    mean = by_topic.mean(axis=0)
    if strategy not in INTERVALS or len(topics) < FEWEST_TOPICS:
        return Line(strategy, mean)
    error = by_topic.std(axis=0, ddof=1) / np.sqrt(len(topics))
    return Line(strategy, mean, error * stats.t.ppf((1 + CONFIDENCE) / 2, len(topics) - 1))


def _rates_of(strategy: str, topic: JudgedTopic) -> FloatArray:
    """(100,) harvest rate at each of `SHARES`, mean of the repeats."""
    pages = grid(topic.budget)
    at = np.searchsorted(pages, np.minimum(np.ceil(SHARES * topic.budget - TINY), pages[-1]))
    curves = [crawl.curves["harvest_rate"][at] for crawl in topic.crawls if crawl.strategy == strategy]
    mean: FloatArray = np.array(curves).mean(axis=0)
    return mean


def _precision(strategy: str, topic: JudgedTopic) -> FloatArray:
    """(10,) precision when each of `RECALLS` is first reached, 0 for one never reached; mean of the repeats."""
    found = []
    for crawl in topic.crawls:
        if crawl.strategy == strategy:
            recall, harvest = crawl.curves["target_recall"], crawl.curves["harvest_rate"]
            first = np.searchsorted(recall, RECALLS - TINY)  # recall never falls
            found.append(np.where(first < len(recall), harvest[np.minimum(first, len(recall) - 1)], 0.0))
    mean: FloatArray = np.array(found).mean(axis=0)
    return mean
