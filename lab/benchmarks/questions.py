"""What questions bring: `adaptive` from hard seeds on the documentation web, with and without asking a search while it crawls.

The search is a stand-in that indexes a tenth of the pages, drawn by a hash of their URL (`stand_in_search`). Every topic is crawled
with the same pages with and without questions, one request at a time and sixteen. Half of the topics were used to choose when to
ask and what (``development``); the figures of the others count (``report``). Two areas are told: by the targets that links lead to
from the seeds, and by all targets, as a search may name those that no link leads to.

Example:
    python -m lab datasets topics topics.json --web docs-web.warc.gz --nofollow ignore --out data/questions/topics
    python -m lab.benchmarks.questions docs-web.warc.gz --topics 'data/questions/topics/*-hard.toml' --out data/questions
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from functools import partial
from pathlib import Path

from focused.exceptions import FocusedError
from focused.reading.reader import Reader
from focused.reporting.progress_line import ProgressLine
from focused.simulation.page_memory import LIMIT
from focused.simulation.simulator import Network
from focused.simulation.web_opener import WebOpener
from focused.topic.topic import QuestionOptions
from lab.benchmarks.stand_in import ONE_IN, Crawled, StandInSearch, crawled, index_of
from lab.results.results_files import write_file
from lab.results.statistics import compare
from lab.topics.labelled_topics import LabelledFile, labelled_files

PAGES, MOST, IN_FLIGHT = 1000, 20, (1, 16)
SECONDS = 10.0  #: between two lines of progress
FIGURES, TABLE = "figures.jsonl", "table.md"
HALVES = ("development", "report")
AREAS = {"area": "by targets that links lead to", "area_of_all": "by all targets"}


def half_of(position: int) -> str:
    """In which half a topic is, by its place in alphabetical order."""
    return HALVES[position % 2]


def table(found: Sequence[Crawled], halves: dict[str, str]) -> Iterator[str]:
    """The figures of all crawls, as Markdown."""
    for in_flight in sorted({one.in_flight for one in found}):
        these = [one for one in found if one.in_flight == in_flight]
        yield f"\n## {in_flight} in flight\n"
        yield "| topic | half | area without | with | of all without | with | targets without | with |"
        yield "|---|---|---|---|---|---|---|---|"
        pairs = [
            (plain, asking)
            for plain in these
            for asking in these
            if (plain.topic, plain.asking, asking.asking) == (asking.topic, False, True)
        ]
        for plain, asking in pairs:
            yield (
                f"| {plain.topic} | {halves[plain.topic]} | {plain.area:.3f} | {asking.area:.3f} | {plain.area_of_all:.3f} | "
                f"{asking.area_of_all:.3f} | {plain.targets} | {asking.targets} |"
            )
        yield ""
        for half in HALVES:
            yield from _compared([pair for pair in pairs if halves[pair[0].topic] == half], half)
        yield from _questions([asking for _, asking in pairs])


def _compared(pairs: Sequence[tuple[Crawled, Crawled]], half: str) -> Iterator[str]:
    if len(pairs) < 2:
        return
    for name, words in AREAS.items():
        plain, asking = ({pair[place].topic: float(getattr(pair[place], name)) for pair in pairs} for place in (0, 1))
        said, better = compare(asking, plain), sum(asking[topic] > plain[topic] for topic in plain)
        yield (
            f"- {half}, normalised area {words}: {sum(plain.values()) / len(plain):.3f} without questions, "
            f"{sum(asking.values()) / len(asking):.3f} with; difference {said.in_short()}, "
            f"better on {better} of {len(pairs)}"
        )


def _questions(crawls: Sequence[Crawled]) -> Iterator[str]:
    yield "\n| topic | at page | words | why | results | new | fetched | targets | led to | targets |"
    yield "|---|---|---|---|---|---|---|---|---|---|"
    for one in crawls:
        for asked in one.brought:
            words = asked.words.replace("|", " ")
            yield (
                f"| {one.topic} | {asked.at} | {words} | {asked.why} | {asked.results} | {asked.new} | {asked.fetched} | "
                f"{asked.targets} | {asked.reached} | {asked.reached_targets} |"
            )


def _index(opener: WebOpener, topics: Sequence[LabelledFile], path: Path, one_in: int) -> StandInSearch:
    topic = topics[0].topic
    index_of(opener.open(topic, Reader(topic.reading, keep=topic.keywords), topics[0].part), path, one_in)
    opener.save()
    return StandInSearch(path)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("web", nargs="+", help="the recorded web, as scrapy simulate takes it")
    parser.add_argument(
        "--topics", nargs="+", required=True, help="topics with labels: files, folders, or patterns with *"
    )
    parser.add_argument("--pages", type=int, default=PAGES, help=f"of each crawl (default: {PAGES})")
    parser.add_argument("--cache", type=Path, help="of what was read of pages (default: cache in the folder --out)")
    parser.add_argument("--questions", type=int, default=MOST, help=f"of each crawl that asks (default: {MOST})")
    parser.add_argument(
        "--in-flight", nargs="+", type=int, default=IN_FLIGHT, help="requests at a time (default: 1 16)"
    )
    parser.add_argument(
        "--one-in", type=int, default=ONE_IN, help=f"pages, of which the search knows one (default: {ONE_IN})"
    )
    parser.add_argument(
        "--out", type=Path, default=Path("data/questions"), help=f"folder of {TABLE}, {FIGURES} and the index"
    )
    arguments = parser.parse_args()
    if min(arguments.pages, arguments.questions, arguments.one_in, *arguments.in_flight) < 1:
        parser.error("give numbers from 1 on")
    opener = WebOpener(arguments.web, arguments.cache or arguments.out / "cache", memory=LIMIT)
    topics = labelled_files(arguments.topics)
    halves = {labelled.topic.name: half_of(position) for position, labelled in enumerate(topics)}
    search = _index(opener, topics, arguments.out / f"one-in-{arguments.one_in}.sqlite", arguments.one_in)
    asking = QuestionOptions(most=arguments.questions)
    todo = [(one, number, how) for one in topics for number in arguments.in_flight for how in (None, asking)]
    progress, found, written = ProgressLine(SECONDS), list[Crawled](), list[str]()
    for labelled, number, how in todo:
        line = partial(
            "{}, {} in flight: crawl {} of {}".format, labelled.topic.name, number, len(found) + 1, len(todo)
        )
        progress.show(line, len(found), len(todo))
        found.append(crawled(labelled, opener, search, arguments.pages, Network(in_flight=number, seed=1), how))
        written.append(json.dumps(asdict(found[-1])))
        write_file(arguments.out / FIGURES, ("\n".join(written) + "\n").encode())
    progress.close()
    search.close()
    text = "\n".join(table(found, halves)) + "\n"
    write_file(arguments.out / TABLE, text.encode())
    print(f"{text}\nAll figures are in {arguments.out}: {TABLE} (this) and {FIGURES}.")


if __name__ == "__main__":
    try:
        main()
    except FocusedError as error:
        sys.exit(f"questions: {error}")
