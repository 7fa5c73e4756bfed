"""What patience costs in time and brings in pages: `adaptive` with several patiences on a recorded web, by its virtual clock.

Every topic is crawled with each patience until it has so many pages and so much time has passed. That gives the normalised area
by pages beside the time it took, and the targets found after so many minutes, whatever the number of pages. Then the topic is
crawled with these pages and minutes as its budget: there the time left decides how patient the crawl is (row ``budget``).
Answers arrive as in a live crawl: 16 requests in flight, one a host, a second between two, and latencies drawn.

Example:
    python -m lab datasets topics wikispeedia.tar.xz --layout subject --split development --out data/patience/topics
    python -m lab.benchmarks.patience wikispeedia.tar.xz --topics data/patience/topics --pages 500 --out data/patience/subject
"""

from __future__ import annotations

import argparse
import csv
import io
import sys
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import fmean
from typing import Any

from focused.exceptions import FocusedError
from focused.reading.reader import Reader
from focused.reporting.progress_line import ProgressLine
from focused.run.assemble import assemble
from focused.simulation.page_memory import LIMIT
from focused.simulation.simulator import Network, Simulator
from focused.simulation.web_opener import WebOpener
from focused.strategies.adaptive.adaptive import Adaptive
from focused.topic.topic import Budget
from lab.judging.run import Run
from lab.measures.normalised_area import normalised_area
from lab.results.plots import save_picture
from lab.results.results_files import write_file
from lab.results.results_table import markdown
from lab.topics.labelled_files import LabelledFile, labelled_files

PATIENCES = (0.0, 0.2, 0.4, 0.6, 0.8, 0.9)
PAGES, MOST, MINUTES = 2000, 8000, (1.0, 2.0, 5.0, 10.0)
SECONDS = 10.0  #: between two lines of progress
DRAWN = 100  #: moments of a curve
FIGURES, TABLE, PICTURE = "figures.csv", "table.md", "patience"


@dataclass(frozen=True)
class Way:
    """How one crawl is done.

    pages, minutes : it goes on until it has both; with ``budget`` it ends at either, and lowers its patience as time asks
    most : pages, where time is not over yet
    """

    patience: float
    repeat: int
    pages: int
    minutes: float
    most: int = 0
    budget: bool = False

    @property
    def name(self) -> str:
        return f"budget of {self.minutes:g} minutes" if self.budget else f"{self.patience:g}"

    @property
    def limits(self) -> Budget:
        return Budget(pages=self.pages, hours=self.minutes / 60) if self.budget else Budget(pages=self.most)


@dataclass(frozen=True)
class Crawled:
    """What one crawl found, by virtual time.

    times : (n,) seconds at which its pages arrived, never falling
    found : (n,) targets among the pages so far
    area : normalised, over `Way.pages`
    targets : that can be reached
    """

    topic: str
    way: Way
    times: Sequence[float]
    found: Sequence[int]
    area: float
    targets: int

    def after(self, minutes: float, pages: int = 0) -> float:
        """Share of the targets found in this time, among the first so many pages; 0 pages: among all."""
        count = bisect_right(self.times, minutes * 60)
        count = min(count, pages) if pages else count
        return self.found[count - 1] / self.targets if count else 0.0

    @property
    def pages(self) -> int:
        """Pages over which its area is measured; fewer than asked for where it came to an end before."""
        return min(self.way.pages, len(self.times))

    @property
    def seconds(self) -> float:
        return self.times[self.pages - 1] if self.pages else 0.0

    @property
    def was_cut(self) -> bool:
        """It had its most pages before its time was over: what it would have found by then is not known."""
        return bool(self.way.most) and len(self.times) >= self.way.most and self.times[-1] < self.way.minutes * 60


def crawled(labelled: LabelledFile, way: Way, opener: WebOpener) -> Crawled:
    """Crawl a topic. No label reaches the crawl."""
    chosen = {"strategy": Adaptive.name, "strategy_options": {"patience": way.patience}, "budget": way.limits}
    topic = labelled.topic.model_copy(update=chosen)
    reader = Reader(topic.reading, keep=topic.keywords)
    web = opener.open(topic, reader, labelled.part)
    _, crawl = assemble(topic, seed=way.repeat)
    urls: list[str] = []
    times: list[float] = []
    duplicates: dict[str, str] = {}
    for fetch in Simulator(crawl, web, Network(seed=way.repeat)).fetches():
        if not way.budget and len(urls) >= way.pages and fetch.arrived > way.minutes * 60:
            break
        if fetch.outcome == "page":
            urls.append(fetch.final_url)
            times.append(fetch.arrived)
            if fetch.duplicate_of is not None:
                duplicates[fetch.final_url] = fetch.duplicate_of
    opener.save()
    judgements = labelled.read().judgements
    run = Run(Adaptive.name, topic.name, way.repeat, urls, duplicates)
    targets = judgements.reachable_targets
    found, total = [], 0
    for url in urls:
        total += url in targets
        found.append(total)
    return Crawled(topic.name, way, times, found, normalised_area(run, judgements, way.pages), len(targets))


def ways(
    patiences: Sequence[float], repeats: int, pages: int, most: int, minutes: Sequence[float], *, budgets: bool = True
) -> list[Way]:
    """All crawls of a topic: with each patience, and with each time as the budget."""
    usual = Adaptive.Options().patience
    return [
        way
        for repeat in range(1, repeats + 1)
        for way in (
            *(Way(patience, repeat, pages, max(minutes), most) for patience in patiences),
            *(Way(usual, repeat, pages, time, budget=True) for time in minutes if budgets),
        )
    ]


def table(found: Sequence[Crawled], minutes: Sequence[float]) -> Iterator[str]:
    """Means over topics and repeats: a row for each way of crawling."""
    pages = found[0].way.pages
    yield f"{len({one.topic for one in found})} topics, {max(one.way.repeat for one in found)} crawls each way"
    yield ""
    heads = [f"in {time:g} min" for time in minutes]
    within = [f"in {time:g} min and {pages} pages" for time in minutes]
    yield from markdown([["patience", "area", "pages", "pages/s", "virtual hours", *within, *heads], *_rows(found, minutes)])


def _rows(found: Sequence[Crawled], minutes: Sequence[float]) -> Iterator[list[str]]:
    for name in dict.fromkeys(one.way.name for one in found):
        some = [one for one in found if one.way.name == name]
        way = some[0].way
        row = [name, "-" if way.budget else f"{fmean(one.area for one in some):.3f}"]
        row += [f"{fmean(one.pages for one in some):.0f}"]
        row += [f"{sum(one.pages for one in some) / max(sum(one.seconds for one in some), 1e-9):.2f}"]
        row += [f"{fmean(one.seconds for one in some) / 3600:.3f}"]
        for limit in (way.pages, 0):
            for time in minutes:
                share = f"{fmean(one.after(time, limit) for one in some):.3f}"
                cut = not limit and any(one.was_cut and one.times[-1] < time * 60 for one in some)
                of_another = way.budget and (time != way.minutes or not limit)
                row.append("" if of_another else ("≥ " if cut else "") + share)
        yield row


def csv_of(found: Sequence[Crawled], minutes: Sequence[float]) -> str:
    """A row for each crawl."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    after = [f"recall_{time:g}_min" for time in minutes]
    writer.writerow(("topic", "way", "repeat", "area", "pages", "seconds", "all_pages", "targets", *after))
    for one in found:
        figures = (one.topic, one.way.name, one.way.repeat, f"{one.area:.6g}", one.pages, f"{one.seconds:.6g}")
        writer.writerow((*figures, len(one.times), one.targets, *(f"{one.after(time):.6g}" for time in minutes)))
    return text.getvalue()


def draw(found: Sequence[Crawled], folder: Path) -> list[Path]:
    """Draw the area against the time it took, and what is found by and by."""
    fixed = [one for one in found if not one.way.budget]
    groups = {name: [one for one in fixed if one.way.name == name] for name in dict.fromkeys(one.way.name for one in fixed)}
    last = max(one.way.minutes for one in fixed)

    def areas(axes: Any) -> None:
        hours = [fmean(one.seconds for one in some) / 3600 for some in groups.values()]
        heights = [fmean(one.area for one in some) for some in groups.values()]
        axes.plot(hours, heights, "o-", color="#0072B2")
        for name, hour, height in zip(groups, hours, heights, strict=True):
            axes.annotate(name, (hour, height), textcoords="offset points", xytext=(6, -10))
        axes.set(xlabel=f"virtual hours until {fixed[0].way.pages:,} pages", ylabel="normalised area", title="by pages")
        axes.set_ylim(bottom=0)
        axes.grid(alpha=0.3)

    def recall(axes: Any) -> None:
        moments = [last * number / DRAWN for number in range(DRAWN + 1)]
        for name, some in groups.items():
            axes.plot(moments, [fmean(one.after(moment) for one in some) for moment in moments], label=f"patience {name}")
        axes.set(xlabel="virtual minutes", ylabel="share of targets found, however many pages", title="by time")
        axes.set_ylim(bottom=0)
        axes.grid(alpha=0.3)
        axes.legend(frameon=False)

    return save_picture(folder / PICTURE, areas, recall, columns=2)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("web", nargs="+", help="the recorded web, as scrapy simulate takes it")
    parser.add_argument("--topics", nargs="+", required=True, help="topics with labels: files, folders, or patterns with *")
    parser.add_argument("--patience", nargs="+", type=float, default=PATIENCES, help="of the crawls (default: 0 to 0.9)")
    parser.add_argument("--pages", type=int, default=PAGES, help=f"of each crawl, at least (default: {PAGES})")
    parser.add_argument("--most", type=int, default=MOST, help=f"pages while time is left (default: {MOST})")
    parser.add_argument("--minutes", nargs="+", type=float, default=MINUTES, help="after which is counted (default: 1 2 5 10)")
    parser.add_argument("--repeats", type=int, default=1, help="crawls each way, with other latencies (default: 1)")
    parser.add_argument("--cache", type=Path, help="of what was read of pages (default: cache in the folder --out)")
    parser.add_argument("--out", type=Path, default=Path("data/patience"), help=f"folder of {TABLE}, {FIGURES} and a picture")
    arguments = parser.parse_args()
    for name in ("pages", "most", "repeats"):
        if getattr(arguments, name) < 1:
            parser.error(f"--{name} {getattr(arguments, name)}: give a number from 1 on")
    if not all(0 <= patience <= 1 for patience in arguments.patience):
        parser.error("--patience: give numbers from 0 to 1")
    if not all(0 < time <= 1e6 for time in arguments.minutes):
        parser.error("--minutes: give numbers above 0")
    opener = WebOpener(arguments.web, arguments.cache or arguments.out / "cache", memory=LIMIT)
    minutes, topics = sorted(arguments.minutes), labelled_files(arguments.topics)
    most = max(arguments.most, arguments.pages)
    todo = ways(arguments.patience, arguments.repeats, arguments.pages, most, minutes)
    progress = ProgressLine(SECONDS)
    found: list[Crawled] = []
    for labelled in topics:
        for way in todo:
            number, count = len(found), len(topics) * len(todo)
            progress.show(lambda: f"{labelled.topic.name}, patience {way.name}: crawl {number + 1} of {count}", number, count)  # noqa: B023
            found.append(crawled(labelled, way, opener))
        write_file(arguments.out / FIGURES, csv_of(found, minutes).encode())
    progress.close()
    text = "\n".join(table(found, minutes)) + "\n"
    write_file(arguments.out / TABLE, text.encode())
    draw(found, arguments.out)
    print(f"{text}\nAll figures are in {arguments.out}: {TABLE} (this), {FIGURES}, {PICTURE}.png and {PICTURE}.svg.")


if __name__ == "__main__":
    try:
        main()
    except FocusedError as error:
        sys.exit(f"patience: {error}")
