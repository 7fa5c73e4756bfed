"""What each source of seeds brings, from the same words and with the same budget, paired over the topics of the documentation web.

Compared are hard seeds with and without hubs and questions, a search, its first answer, a sitemap, and an earlier crawl
(`seed_ways`). The search is a stand-in that knows a tenth of the pages, drawn by a hash of their URL; backlinks are those
on the same pages. Pages that are looked at to find seeds take places in the budget. Nothing is tuned here; topics of the half
``development`` were used before to tune questions.

Example:
    python -m lab datasets topics topics.json --web docs-web.warc.gz --nofollow ignore --out data/seed-sources/topics
    python -m lab.benchmarks.seed_sources docs-web.warc.gz --topics 'data/seed-sources/topics/*-hard.toml' --out data/seed-sources
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from focused.exceptions import FocusedError
from focused.reading.reader import Reader
from focused.reporting.progress_line import ProgressLine
from focused.simulation.page_memory import LIMIT
from focused.simulation.recorded_backlinks import RecordedBacklinks
from focused.simulation.simulator import Fetch, Network
from focused.simulation.web_opener import WebOpener
from lab.benchmarks.part_of_web import part_of
from lab.benchmarks.questions import half_of
from lab.benchmarks.seed_crawls import Crawled, crawled
from lab.benchmarks.seed_table import report
from lab.benchmarks.seed_ways import HARD, SEARCH, WAYS, Sources
from lab.benchmarks.stand_in_search import ONE_IN, StandInSearch, index_of
from lab.benchmarks.web_arguments import web_parser
from lab.results.results_files import write_file
from lab.results.rows_csv import csv_of
from lab.topics.labelled_files import LabelledFile, labelled_files

PAGES, IN_FLIGHT, MINUTES = 500, 16, 90.0
SECONDS = 10.0  #: between two lines of progress
FIGURES, TABLE = "figures.csv", "table.md"


class Comparison:
    """Crawls topic after topic in all ways; a crawl that another needs as an earlier one is made before its turn, and once."""

    def __init__(self, topics: Sequence[LabelledFile], opener: WebOpener, arguments: argparse.Namespace) -> None:
        self._topics = {labelled.topic.name: labelled for labelled in topics}
        self._halves = {labelled.topic.name: half_of(place) for place, labelled in enumerate(topics)}
        self._ways = [way for way in WAYS if way in {*arguments.ways, HARD}]
        self._pages, self._network = arguments.pages, Network(in_flight=arguments.in_flight, seed=1)
        self._searches: dict[str, tuple[Crawled, list[Fetch]]] = {}
        self._progress, self.rows = ProgressLine(SECONDS), list[Crawled]()
        first = topics[0]
        web = opener.open(first.topic, Reader(first.topic.reading, keep=first.topic.keywords), first.part)
        index = arguments.out / f"one-in-{arguments.one_in}.sqlite"
        index_of(web, index, arguments.one_in)
        part = part_of(web, arguments.links_one_in or arguments.one_in)
        report = ProgressLine(SECONDS)
        reading = RecordedBacklinks(part, 1, lambda count: report.show(lambda: f"links: {count:,} pages read"))
        reading.backlinks_of([first.topic.seeds[0]])
        opener.save()
        others = {name: labelled.topic for name, labelled in self._topics.items()}
        self._sources = Sources(web, part, StandInSearch(index), others, lambda name: self._search(name)[1])

    def crawl(self, name: str) -> None:
        """Crawl a topic in each way."""
        for way in self._ways:
            line = partial(
                "{}, {}: crawl {} of {}".format, name, way, len(self.rows) + 1, len(self._ways) * len(self._topics)
            )
            self._progress.show(line, len(self.rows), len(self._ways) * len(self._topics))
            self.rows.append((self._search(name) if way == SEARCH else self._crawl(name, way))[0])

    def _search(self, name: str) -> tuple[Crawled, list[Fetch]]:
        if name not in self._searches:
            self._searches[name] = self._crawl(name, SEARCH)
        return self._searches[name]

    def _crawl(self, name: str, way: str) -> tuple[Crawled, list[Fetch]]:
        labelled = self._topics[name]
        begin = self._sources.ways[way](labelled.topic)
        return crawled(labelled, self._halves[name], way, begin, self._sources.web, self._pages, self._network)


def main() -> None:
    parser = web_parser(__doc__, PAGES)
    parser.add_argument("--in-flight", type=int, default=IN_FLIGHT, help=f"requests at a time (default: {IN_FLIGHT})")
    parser.add_argument(
        "--one-in", type=int, default=ONE_IN, help=f"pages, of which the stand-ins know one (default: {ONE_IN})"
    )
    parser.add_argument("--links-one-in", type=int, help="the same of who knows links, where that is another number")
    parser.add_argument(
        "--ways",
        nargs="+",
        choices=WAYS,
        default=WAYS,
        metavar="WAY",
        help=f"beside hard seeds (default: {'; '.join(WAYS[1:])})",
    )
    parser.add_argument(
        "--minutes", type=float, default=MINUTES, help=f"begin no topic after this time (default: {MINUTES:g})"
    )
    parser.add_argument(
        "--out", type=Path, default=Path("data/seed-sources"), help=f"folder of {TABLE}, {FIGURES} and the index"
    )
    arguments = parser.parse_args()
    numbers = (
        arguments.pages,
        arguments.in_flight,
        arguments.one_in,
        1 if arguments.links_one_in is None else arguments.links_one_in,
    )
    if min(numbers) < 1 or not arguments.minutes > 0:
        parser.error("give numbers from 1 on, and minutes above 0")
    topics = labelled_files(arguments.topics)
    if len(topics) < 2:
        parser.error("--topics: one topic tells nothing about others; name at least 2")
    ends = time.monotonic() + 60 * arguments.minutes
    opener = WebOpener(arguments.web, arguments.cache or arguments.out / "cache", memory=LIMIT)
    comparison = Comparison(topics, opener, arguments)
    text = ""
    # Topics that nothing was tuned on come first, should the time not be enough for all.
    for labelled in (*topics[1::2], *topics[::2]):
        if time.monotonic() > ends:
            print(f"{arguments.minutes:g} minutes are over; the other topics are left out", file=sys.stderr)
            break
        comparison.crawl(labelled.topic.name)
        opener.save()
        # A long benchmark may be cut off.
        write_file(arguments.out / FIGURES, csv_of(comparison.rows).encode())
        text = "\n".join(report(comparison.rows)) + "\n"
        write_file(arguments.out / TABLE, text.encode())
    opener.close()
    print(f"{text}\nAll figures are in {arguments.out}: {TABLE} (this) and {FIGURES}.")


if __name__ == "__main__":
    try:
        main()
    except FocusedError as error:
        sys.exit(f"seed_sources: {error}")
