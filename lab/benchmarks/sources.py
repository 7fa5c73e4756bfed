"""What sitemaps bring: crawls of a recorded web whose hosts have some, with and without asking for them.

Three quarters of the hosts have sitemaps made from the URLs recorded there (see `lab.webs.sitemap_web`); no label is in them. Each
topic is crawled by `adaptive` twice, with everything else the same. Areas are normalised over all targets, for a sitemap names
such as no link leads to.

Example:
    python -m lab datasets topics topics.json --web docs-web.warc.gz --nofollow ignore --out data/sources/topics
    python -m lab.benchmarks.sources docs-web.warc.gz --topics "data/sources/topics/*-hard.toml" --out data/sources
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from time import process_time

from focused.exceptions import FocusedError
from focused.reading.reader import Reader
from focused.reading.urls import host_of
from focused.reporting.progress_line import ProgressLine
from focused.run.assemble import assemble
from focused.simulation.page_memory import LIMIT
from focused.simulation.simulator import Network, Simulator
from focused.simulation.web_opener import WebOpener
from focused.strategies.adaptive.adaptive import Adaptive
from focused.topic.topic import Budget, Sources
from lab.benchmarks.web_arguments import web_parser
from lab.judging.run import Run
from lab.judging.spelling import Spelling
from lab.measures.normalised_area import normalised_area
from lab.results.results_files import write_file
from lab.results.results_table import markdown
from lab.results.rows_csv import csv_of
from lab.results.statistics import compare, mean
from lab.topics.labelled_files import LabelledFile, labelled_files
from lab.webs.sitemap_web import SitemapWeb

PAGES = 2000
SECONDS = 10.0  #: between two lines of progress
WITHOUT, WITH = "without", "with"
FIGURES, TABLE = "figures.csv", "table.md"


@dataclass(frozen=True)
class Crawled:
    """What came of one crawl.

    area : normalised, over all targets
    targets : found
    unlinked : of these, such as no links lead to
    hosts : that have targets, and were reached
    unlinked_hosts : of these, such as have no target that links lead to
    known : hosts that were heard of
    lists, brought, links : lists asked for, lists that came, links of theirs that waited
    from_lists : pages that were fetched because of a list
    seconds : of the processor, without reading pages
    """

    topic: str
    way: str
    in_flight: int
    pages: int
    area: float
    targets: int
    unlinked: int
    hosts: int
    unlinked_hosts: int
    known: int
    lists: int
    brought: int
    links: int
    from_lists: int
    seconds: float


def crawled(
    labelled: LabelledFile,
    way: str,
    sources: Sources,
    in_flight: int,
    pages: int,
    opener: WebOpener,
    webs: dict[int, SitemapWeb],
) -> Crawled:
    """Crawl a topic. No label reaches the crawl."""
    chosen = {"strategy": Adaptive.name, "strategy_options": {}, "budget": Budget(pages=pages), "sources": sources}
    topic = labelled.topic.model_copy(update=chosen)
    reader = Reader(topic.reading, keep=topic.keywords)
    pages_web = opener.open(topic, reader, labelled.part)
    if id(pages_web) not in webs:
        webs.clear()
        webs[id(pages_web)] = SitemapWeb(pages_web)
    web = webs[id(pages_web)]
    _, crawl = assemble(topic, seed=1)
    crawl.lists.on = way != WITHOUT
    urls: list[str] = []
    duplicates: dict[str, str] = {}
    started, reading = process_time(), pages_web.cpu_seconds
    for fetch in Simulator(crawl, web, Network(in_flight=in_flight, seed=1)).fetches():
        if fetch.outcome == "page":
            urls.append(fetch.final_url)
            if fetch.duplicate_of is not None:
                duplicates[fetch.final_url] = fetch.duplicate_of
    seconds = process_time() - started - (pages_web.cpu_seconds - reading)
    opener.save()
    judgements = labelled.read().judgements
    reachable = judgements.reachable_targets
    label = Spelling(judgements, reader.rules).label
    urls = [label(url) for url in urls]
    duplicates = {label(url): label(first) for url, first in duplicates.items()}
    run = Run(Adaptive.name, topic.name, 1, urls, duplicates)
    found = judgements.targets.intersection(urls)
    of_targets = {host_of(url) for url in judgements.targets}
    reached = of_targets & {host_of(url) for url in urls}
    totals = crawl.lists.totals
    return Crawled(
        topic=topic.name,
        way=way,
        in_flight=in_flight,
        pages=len(urls),
        area=normalised_area(run, replace(judgements, reachable=None), pages),
        targets=len(found),
        unlinked=len(found - reachable),
        hosts=len(reached),
        unlinked_hosts=len(reached - {host_of(url) for url in reachable}),
        known=len(crawl.hosts),
        lists=totals.asked,
        brought=totals.brought,
        links=totals.links,
        from_lists=totals.pages,
        seconds=seconds,
    )


def report(rows: Sequence[Crawled]) -> Iterator[str]:
    """Yield the tables, line by line."""
    for in_flight in dict.fromkeys(row.in_flight for row in rows):
        chosen = [row for row in rows if row.in_flight == in_flight]
        ways = list(dict.fromkeys(row.way for row in chosen))
        topics = [
            name for name in dict.fromkeys(row.topic for row in chosen) if all(_of(chosen, way, name) for way in ways)
        ]
        yield f"{len(topics)} topics, {in_flight} in flight"
        yield ""
        names = (
            "area",
            "targets",
            "unlinked",
            "hosts",
            "unlinked_hosts",
            "known",
            "lists",
            "links",
            "from_lists",
            "seconds",
        )
        table = [["", *names, "area gained", "better on", "worse on"]]
        without = {name: _of(chosen, WITHOUT, name) for name in topics}
        for way in ways:
            found = {name: _of(chosen, way, name) for name in topics}
            means = [mean(_figures(found, name)).value for name in names]
            row = [way, f"{means[0]:.3f}", *(f"{value:.1f}" for value in means[1:])]
            if way != WITHOUT:
                areas, before = _figures(found, "area"), _figures(without, "area")
                gain = compare(areas, before)
                row += [
                    gain.in_short(),
                    str(sum(areas[name] > before[name] + 0.005 for name in topics)),
                    str(sum(areas[name] < before[name] - 0.005 for name in topics)),
                ]
            table.append([*row, *[""] * (len(table[0]) - len(row))])
        yield from markdown(table)
        yield ""


def _of(rows: Sequence[Crawled], way: str, topic: str) -> Crawled | None:
    return next((row for row in rows if row.way == way and row.topic == topic), None)


def _figures(rows: Mapping[str, Crawled | None], name: str) -> dict[str, float]:
    return {topic: float(getattr(row, name)) for topic, row in rows.items()}


def main() -> None:
    parser = web_parser(__doc__, PAGES)
    parser.add_argument("--in-flight", nargs="+", type=int, default=[1], help="requests at a time (default: 1)")
    parser.add_argument(
        "--after", nargs="+", type=int, default=[Sources().after], help="relevant pages before a host is asked"
    )
    parser.add_argument("--share", type=float, default=Sources().share, help="of its pages that are relevant")
    parser.add_argument("--out", type=Path, default=Path("data/sources"), help=f"folder of {TABLE} and {FIGURES}")
    arguments = parser.parse_args()
    if min(arguments.pages, *arguments.in_flight, *arguments.after) < 1 or not 0 <= arguments.share <= 1:
        parser.error("give numbers from 1 on, and a share from 0 to 1")
    opener = WebOpener(arguments.web, arguments.cache or arguments.out / "cache", memory=LIMIT)
    ways = {WITHOUT: Sources()}
    for after in arguments.after:
        name = WITH if len(arguments.after) == 1 else f"{WITH}, after {after}"
        ways[name] = Sources(sitemaps=True, feeds=True, after=after, share=arguments.share)
    if len(labelled_files(arguments.topics)) < 2:
        parser.error("--topics: one topic tells nothing about others; name at least 2")
    topics, rows, webs = labelled_files(arguments.topics), list[Crawled](), dict[int, SitemapWeb]()
    progress, text = ProgressLine(SECONDS), ""
    for labelled in topics:
        for in_flight in arguments.in_flight:
            for way, sources in ways.items():
                place = len(rows) + 1, len(topics) * len(ways) * len(arguments.in_flight)
                progress.show(
                    partial("{}, {}: crawl {} of {}".format, labelled.topic.name, way, *place), place[0] - 1, place[1]
                )
                rows.append(crawled(labelled, way, sources, in_flight, arguments.pages, opener, webs))
        write_file(arguments.out / FIGURES, csv_of(rows).encode())  # a benchmark of hours may be cut off
        text = "\n".join(report(rows)) if labelled is not topics[0] else ""
        write_file(arguments.out / TABLE, text.encode())
    progress.close()
    print(f"{text}\nAll figures are in {arguments.out}: {TABLE} (this) and {FIGURES}.")


if __name__ == "__main__":
    try:
        main()
    except FocusedError as error:
        sys.exit(f"sources: {error}")
