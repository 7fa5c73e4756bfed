"""What crawls with several patiences found, by virtual time: tables, a row for each crawl, and a picture."""

from __future__ import annotations

import csv
import io
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from typing import Any

from focused.topic.topic import Budget
from lab.results.plots import save_picture
from lab.results.results_table import markdown

DRAWN = 100  #: moments of a curve
PICTURE = "patience"


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


def table(found: Sequence[Crawled], minutes: Sequence[float]) -> Iterator[str]:
    """Means over topics and repeats: a row for each way of crawling."""
    pages = found[0].way.pages
    yield f"{len({one.topic for one in found})} topics, {max(one.way.repeat for one in found)} crawls each way"
    yield ""
    heads = [f"in {time:g} min" for time in minutes]
    within = [f"in {time:g} min and {pages} pages" for time in minutes]
    yield from markdown(
        [["patience", "area", "pages", "pages/s", "virtual hours", *within, *heads], *_rows(found, minutes)]
    )


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
    groups = {
        name: [one for one in fixed if one.way.name == name] for name in dict.fromkeys(one.way.name for one in fixed)
    }
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
            axes.plot(
                moments, [fmean(one.after(moment) for one in some) for moment in moments], label=f"patience {name}"
            )
        axes.set(xlabel="virtual minutes", ylabel="share of targets found, however many pages", title="by time")
        axes.set_ylim(bottom=0)
        axes.grid(alpha=0.3)
        axes.legend(frameon=False)

    return save_picture(folder / PICTURE, areas, recall, columns=2)
