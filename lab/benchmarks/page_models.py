"""Compares page models: how each ranks the pages of one fixed crawl, what `adaptive` makes of each, and what 10 examples add.

The fixed crawl is by `dom`, so that all models see the same pages in the same order; each says how relevant a page is before the
next one comes. Topics are development topics: Wikispeedia with near and with far seeds, a host per subject, and WebKB's 16 tasks.
Examples are targets drawn at random; they are taken out of what is judged, with and without them.

Example:
    python -m lab.benchmarks.page_models wikispeedia.tar.xz webkb.tar.xz --topics 8 --out data/page-models
"""

from __future__ import annotations

import argparse
import csv
import io
import math
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from random import Random
from typing import TypeVar

from focused.exceptions import FocusedError
from focused.reading.reader import Reader
from focused.reporting.progress_line import ProgressLine
from focused.simulation.analysed_web import AnalysedWeb
from focused.simulation.page_memory import LIMIT
from focused.simulation.web_opener import WebOpener
from focused.topic.topic import Scope, Topic
from lab.benchmarks.page_model_trials import AREA, EXAMPLES, LABELS, RANKING, Figures, Trial
from lab.benchmarks.rival_page_models import MODELS, TAKES_EXAMPLES
from lab.results.results_files import write_file
from lab.results.results_table import markdown
from lab.results.statistics import FEWEST_TOPICS, Mean, compare, mean
from lab.topics.labelled_files import PARTS
from lab.topics.labelled_topics import LabelledTopic
from lab.topics.webkb_topics import webkb_topics
from lab.topics.wikispeedia_topics import NEARNESS, development, wikispeedia_topics
from lab.webs.kinds import data_set_kind
from lab.webs.webkb import WebKB
from lab.webs.wikispeedia import Wikispeedia

LAYOUT = "subject"  #: hosts of Wikispeedia
PAGES, CRAWL_PAGES = 600, 500
SECONDS = 10.0  #: between two lines of progress
HEADINGS = {
    "roc_auc": "ROC-AUC",
    "average_precision": "average precision",
    "brier": "Brier",
    "calibration_error": "calibration error",
    AREA: "area of the crawl",
}
GAINS = ("roc_auc", "average_precision", AREA)  #: figures of which more is better
NOTHING = 1e-9  #: a loss below is rounding

Kind = TypeVar("Kind")


@dataclass(frozen=True)
class Bed:
    """Topics of one kind, and the web that they are of."""

    name: str
    opener: WebOpener
    topics: list[LabelledTopic]

    def trial(self, labelled: LabelledTopic, pages: int, crawl_pages: int) -> Trial:
        return Trial(labelled, *self.opened(labelled), pages, crawl_pages)

    def opened(self, labelled: LabelledTopic) -> tuple[Topic, AnalysedWeb]:
        """What a crawl of a topic needs."""
        reading = {"fold_index": labelled.fold_index}
        scope = Scope(nofollow=labelled.nofollow) if labelled.nofollow else Scope()
        topic = Topic(
            name=labelled.name, keywords=labelled.keywords, seeds=labelled.seeds, reading=reading, scope=scope
        )
        reader = Reader(topic.reading, keep=topic.keywords)
        part = {name: str(labelled.origin[name]) for name in PARTS if name in labelled.origin}
        return topic, self.opener.open(topic, reader, part)


def beds(data: Sequence[Path], topics: int, cache: Path, layouts: Sequence[str] = (LAYOUT,)) -> Iterator[Bed]:
    """The beds of each data set, with so many topics each, drawn at random; 0 = all.

    Raises FocusedError for other data.
    """
    for path in data:
        opener = WebOpener([str(path)], cache, memory=LIMIT)
        kind = data_set_kind(path)
        if kind == "wikispeedia":
            for layout, nearness in product(layouts, NEARNESS):
                web = Wikispeedia(path, layout=layout)
                found = wikispeedia_topics(web, drawn(development(), topics), nearness)
                name = f"Wikispeedia, {nearness} seeds" + (f", a host per {layout}" if len(layouts) > 1 else "")
                yield Bed(name, opener, found)
        elif kind == "webkb":
            yield Bed("WebKB", opener, drawn(webkb_topics(WebKB(path)), topics))
        else:
            raise FocusedError(f"{path}: page models are compared on Wikispeedia and WebKB; this is {kind}")


def drawn(among: Sequence[Kind], count: int) -> list[Kind]:
    """Some of these, in their order; all if so many are not there."""
    if not 0 < count < len(among):
        return list(among)
    return [among[place] for place in sorted(Random(0).sample(range(len(among)), count))]


def tried(bed: Bed, pages: int, crawl_pages: int) -> Iterator[Figures]:
    """Try all models on all topics of a bed, and show how far it is."""
    progress = ProgressLine(SECONDS)
    for number, labelled in enumerate(bed.topics, 1):
        for figures in bed.trial(labelled, pages, crawl_pages).figures():
            progress.show(
                lambda: f"{bed.name}: topic {number} of {len(bed.topics)}, {labelled.name}, {figures.model}"  # noqa: B023
            )
            yield figures
        bed.opener.save()
    progress.close()


def report(bed: str, found: Sequence[Figures]) -> Iterator[str]:
    """Yield both tables of a bed, line by line."""
    yield f"## {bed}: {len({figures.topic for figures in found})} topics"
    yield ""
    yield from markdown(list(_models(found)))
    yield ""
    yield f"What {EXAMPLES} examples add:"
    yield ""
    yield from markdown(list(_gains(found)))
    yield ""


def _models(found: Sequence[Figures]) -> Iterator[list[str]]:
    yield ["page model", *HEADINGS.values()]
    for model in (*MODELS, LABELS):
        names = (AREA,) if model == LABELS else (*RANKING, AREA)
        cells = (_cell(_values(found, model, name, 0, 0)) if name in names else "" for name in HEADINGS)
        yield [model, *cells]


def _gains(found: Sequence[Figures]) -> Iterator[list[str]]:
    """Figures with examples, and the differences by topic to those without, both judged without these pages."""
    yield ["page model", *(part for name in GAINS for part in (HEADINGS[name], "gain (95 % interval)", "worse on"))]
    for model in TAKES_EXAMPLES:
        row = [model]
        for name in GAINS:
            with_them = _values(found, model, name, EXAMPLES, EXAMPLES)
            before = _values(found, model, name, 0, EXAMPLES)
            if len(before) < FEWEST_TOPICS:
                row += ["-", "-", "-"]
                continue
            gain = compare(with_them, before)
            worse = sum(with_them[topic] < before[topic] - NOTHING for topic in before)
            row += [
                f"{mean(with_them).value:.3f}",
                gain.in_short(),
                f"{worse} of {len(before)}",
            ]
        yield row


def _values(found: Sequence[Figures], model: str, name: str, examples: int, out: int) -> dict[str, float]:
    """A figure by topic, where it is known."""
    rows = (row for row in found if (row.model, row.examples, row.judged_without) == (model, examples, out))
    return {row.topic: row.values[name] for row in rows if not math.isnan(row.values[name])}


def _cell(values: Mapping[str, float]) -> str:
    if not values:
        return "-"
    one = mean(values) if len(values) >= FEWEST_TOPICS else Mean(next(iter(values.values())), math.nan, 1)
    return f"{one.value:.3f} ± {one.standard_error:.3f}" if one.topics > 1 else f"{one.value:.3f}"


def csv_of(rows: Mapping[str, Sequence[Figures]]) -> str:
    """All figures: a row for each bed, topic, model and number of examples."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    names = (*RANKING, AREA)
    writer.writerow(("bed", "topic", "model", "examples", "judged_without", *names))
    for bed, found in rows.items():
        for row in found:
            values = ("" if math.isnan(row.values[name]) else f"{row.values[name]:.6g}" for name in names)
            writer.writerow((bed, row.topic, row.model, row.examples, row.judged_without, *values))
    return text.getvalue()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", nargs="+", type=Path, help="Wikispeedia and WebKB: folders or tar archives")
    parser.add_argument("--topics", type=int, default=8, help="of each bed, drawn at random; 0 = all (default: 8)")
    parser.add_argument("--pages", type=int, default=PAGES, help=f"of the fixed crawl (default: {PAGES})")
    parser.add_argument(
        "--crawl-pages",
        type=int,
        default=CRAWL_PAGES,
        help=f"of each crawl by adaptive; 0 = no such crawls, ranking alone (default: {CRAWL_PAGES})",
    )
    parser.add_argument("--out", type=Path, default=Path("data/page-models"), help="folder of table.md and figures.csv")
    arguments = parser.parse_args()
    for name, least in (("topics", 0), ("pages", 1), ("crawl_pages", 0)):
        if getattr(arguments, name) < least:
            parser.error(f"--{name.replace('_', '-')} {getattr(arguments, name)}: give a number from {least} on")
    found: dict[str, list[Figures]] = {}
    text = ""
    for bed in beds(arguments.data, arguments.topics, arguments.out / "cache"):
        found[bed.name] = list(tried(bed, arguments.pages, arguments.crawl_pages))
        section = "\n".join(report(bed.name, found[bed.name]))
        print(section, flush=True)
        text += section + "\n"
        write_file(arguments.out / "table.md", text.encode())
        write_file(arguments.out / "figures.csv", csv_of(found).encode())
    print(f"All figures are in {arguments.out}: table.md (this), figures.csv.")


if __name__ == "__main__":
    try:
        main()
    except FocusedError as error:
        sys.exit(f"page_models: {error}")
