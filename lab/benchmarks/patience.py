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
import sys
from collections.abc import Sequence
from functools import partial
from itertools import accumulate
from pathlib import Path

from focused.exceptions import FocusedError
from focused.reading.reader import Reader
from focused.reporting.progress_line import ProgressLine
from focused.run.assemble import assemble
from focused.simulation.page_memory import LIMIT
from focused.simulation.simulator import Network, Simulator
from focused.simulation.web_opener import WebOpener
from focused.strategies.adaptive.adaptive import Adaptive
from lab.benchmarks.patience_figures import PICTURE, Crawled, Way, csv_of, draw, table
from lab.judging.run import Run
from lab.judging.spelling import Spelling
from lab.measures.normalised_area import normalised_area
from lab.results.results_files import write_file
from lab.topics.labelled_files import LabelledFile, labelled_files

PATIENCES = (0.0, 0.2, 0.4, 0.6, 0.8, 0.9)
PAGES, MOST, MINUTES = 2000, 8000, (1.0, 2.0, 5.0, 10.0)
SECONDS = 10.0  #: between two lines of progress
FIGURES, TABLE = "figures.csv", "table.md"


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
    label = Spelling(judgements, reader.rules).label
    urls = [label(url) for url in urls]
    duplicates = {label(url): label(first) for url, first in duplicates.items()}
    run = Run(Adaptive.name, topic.name, way.repeat, urls, duplicates)
    targets = judgements.reachable_targets
    found = list(accumulate(url in targets for url in urls))
    return Crawled(topic.name, way, times, found, normalised_area(run, judgements, way.pages), len(targets))


def ways(patiences: Sequence[float], repeats: int, pages: int, most: int, minutes: Sequence[float]) -> list[Way]:
    """All crawls of a topic: with each patience, and with each time as the budget."""
    usual = Adaptive.Options().patience
    return [
        way
        for repeat in range(1, repeats + 1)
        for way in (
            *(Way(patience, repeat, pages, max(minutes), most) for patience in patiences),
            *(Way(usual, repeat, pages, time, budget=True) for time in minutes),
        )
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("web", nargs="+", help="the recorded web, as scrapy simulate takes it")
    parser.add_argument(
        "--topics", nargs="+", required=True, help="topics with labels: files, folders, or patterns with *"
    )
    parser.add_argument(
        "--patience", nargs="+", type=float, default=PATIENCES, help="of the crawls (default: 0 to 0.9)"
    )
    parser.add_argument("--pages", type=int, default=PAGES, help=f"of each crawl, at least (default: {PAGES})")
    parser.add_argument("--most", type=int, default=MOST, help=f"pages while time is left (default: {MOST})")
    parser.add_argument(
        "--minutes", nargs="+", type=float, default=MINUTES, help="after which is counted (default: 1 2 5 10)"
    )
    parser.add_argument("--repeats", type=int, default=1, help="crawls each way, with other latencies (default: 1)")
    parser.add_argument("--cache", type=Path, help="of what was read of pages (default: cache in the folder --out)")
    parser.add_argument(
        "--out", type=Path, default=Path("data/patience"), help=f"folder of {TABLE}, {FIGURES} and a picture"
    )
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
            place = len(found) + 1, len(topics) * len(todo)
            line = partial("{}, patience {}: crawl {} of {}".format, labelled.topic.name, way.name, *place)
            progress.show(line, place[0] - 1, place[1])
            found.append(crawled(labelled, way, opener))
        write_file(arguments.out / FIGURES, csv_of(found, minutes).encode())  # a benchmark of hours may be cut off
        text = "\n".join(table(found, minutes)) + "\n"
        write_file(arguments.out / TABLE, text.encode())
        draw(found, arguments.out)
    progress.close()
    print(f"{text}\nAll figures are in {arguments.out}: {TABLE} (this), {FIGURES}, {PICTURE}.png and {PICTURE}.svg.")


if __name__ == "__main__":
    try:
        main()
    except FocusedError as error:
        sys.exit(f"patience: {error}")
