"""Is a crawl by `adaptive` better for what earlier crawls taught, those of related topics, and those of unrelated ones?

Every topic is crawled without knowledge first. Then it is crawled again with what crawls of other topics taught, and both crawls
of the topic are compared. Related are topics of the same subject (Wikispeedia), or of the same class at another university
(WebKB); unrelated those of other subjects, or of other classes at other universities. Earlier crawls judged their pages
themselves: no label reaches any crawl.

Example:
    python -m lab.benchmarks.knowledge wikispeedia.tar.xz webkb.tar.xz --split report --out data/knowledge
"""

from __future__ import annotations

import argparse
import csv
import io
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from random import Random

from focused.crawl.world import World
from focused.exceptions import FocusedError
from focused.reporting.progress_line import ProgressLine
from focused.run.assemble import assemble
from focused.simulation.page_memory import LIMIT
from focused.simulation.simulator import Simulator
from focused.simulation.web_opener import WebOpener
from focused.strategies.adaptive.adaptive import Adaptive
from focused.strategies.adaptive.link_knowledge import Knowledge
from focused.strategies.adaptive.word_weights import Outcomes
from focused.topic.topic import Budget
from focused.training.kinds.knowledge import KnowledgeOfCrawls
from lab.benchmarks.page_models import Bed
from lab.judging.run import Run
from lab.measures.area_under_recall import area_under_recall
from lab.results.results_files import write_file
from lab.results.results_table import markdown
from lab.results.statistics import FEWEST_TOPICS, compare
from lab.topics.labelled_topics import LabelledTopic
from lab.topics.webkb_topics import webkb_topics
from lab.topics.wikispeedia_topics import NEARNESS, REPORT, development, report, wikispeedia_topics
from lab.webs.kinds import data_set_kind
from lab.webs.webkb import WebKB
from lab.webs.wikispeedia import LAYOUTS, Wikispeedia

RIDGE = KnowledgeOfCrawls.Options().ridge
RELATIONS = ("related", "unrelated")
SPLITS = ("development", REPORT)
PAGES, EARLIER = 200, 5
STAGES = (
    0.25,
    0.5,
    1.0,
)  #: shares of the pages after which crawls are compared: what was known beforehand counts at first
SECONDS = 10.0  #: between two lines of progress


@dataclass(frozen=True)
class Crawled:
    """A crawl of a topic: the URLs it fetched, in order, and what its links led to."""

    urls: Sequence[str]
    outcomes: Outcomes


@dataclass(frozen=True)
class Figure:
    """Areas under recall of both crawls of a topic, after so many pages, with ``earlier`` crawls of topics so related."""

    bed: str
    topic: str
    relation: str
    earlier: int
    pages: int
    without: float
    with_it: float


def bed_of(path: Path, cache: Path, *, split: str, layout: str, seeds: str) -> Bed:
    """All topics of a data set; of Wikispeedia, those of a split. Raises FocusedError for other data."""
    opener, kind = WebOpener([str(path)], cache, memory=LIMIT), data_set_kind(path)
    if kind == "wikispeedia":
        categories = report() if split == REPORT else development()
        found = wikispeedia_topics(Wikispeedia(path, layout=layout), categories, seeds, report_topics=split == REPORT)
        return Bed(f"Wikispeedia, {split} topics, {seeds} seeds, a host per {layout}", opener, found)
    if kind == "webkb":
        return Bed("WebKB", opener, webkb_topics(WebKB(path)))
    raise FocusedError(f"{path}: knowledge is tried on Wikispeedia and WebKB; this is {kind}")


def earlier_topics(topic: LabelledTopic, among: Sequence[LabelledTopic], relation: str, count: int) -> list[str]:
    """Names of topics so related to one, ``count`` at most, drawn at random."""
    found = sorted(other.name for other in among if _relation(topic, other) == relation)
    return Random(f"{topic.name} {relation}").sample(found, min(count, len(found)))


def _relation(one: LabelledTopic, other: LabelledTopic) -> str:
    """How a topic is related to another; empty for itself, and for one of the same university."""
    (place, kind), (others_place, others_kind) = _place_and_kind(one), _place_and_kind(other)
    return "" if place == others_place else RELATIONS[kind != others_kind]


def _place_and_kind(topic: LabelledTopic) -> tuple[str, str]:
    """University and class; of a topic of Wikispeedia itself and its subject, the first level of its category."""
    origin = {name: str(value) for name, value in topic.origin.items()}
    if "university" in origin:
        return origin["university"], origin["category"]
    return topic.name, origin["category"].split(".")[1]


def crawled(bed: Bed, labelled: LabelledTopic, pages: int, knowledge: Knowledge | None = None) -> Crawled:
    """Crawl a topic by `adaptive`."""
    topic, web = bed.opened(labelled)
    topic = topic.model_copy(update={"budget": Budget(pages=pages)})
    _, crawl = assemble(topic, Adaptive, world=partial(_world, knowledge))
    urls = [fetch.final_url for fetch in Simulator(crawl, web).fetches() if fetch.outcome == "page"]
    assert isinstance(crawl.strategy, Adaptive)
    return Crawled(urls, crawl.strategy.evidence.outcomes())


def _world(known: Knowledge | None, *texts: object, **rest: object) -> World:
    return World(*texts, **{**rest, "knowledge": known})  # type: ignore[arg-type]


def tried(bed: Bed, pages: int, earlier: int) -> Iterator[Figure]:
    """Crawl all topics of a bed without knowledge, then with it, and show how far it is."""
    progress = ProgressLine(SECONDS)
    first: dict[str, Crawled] = {}
    for number, labelled in enumerate(bed.topics, 1):
        progress.show(partial("{}: earlier crawls, {} of {}".format, bed.name, number, len(bed.topics)))
        first[labelled.name] = crawled(bed, labelled, pages)
    for number, labelled in enumerate(bed.topics, 1):
        progress.show(partial("{}: with knowledge, {} of {}".format, bed.name, number, len(bed.topics)))
        for relation in RELATIONS:
            names = earlier_topics(labelled, bed.topics, relation, earlier)
            if not names:
                continue
            known = Knowledge.of([first[name].outcomes for name in names], RIDGE)
            urls = crawled(bed, labelled, pages, known).urls
            for stage in (int(pages * share) for share in STAGES):
                areas = (_area(labelled, one, stage) for one in (first[labelled.name].urls, urls))
                yield Figure(bed.name, labelled.name, relation, len(names), stage, *areas)
    bed.opener.save()
    progress.close()


def _area(labelled: LabelledTopic, urls: Sequence[str], pages: int) -> float:
    return area_under_recall(Run(Adaptive.name, labelled.name, 0, urls[:pages]), labelled.judgements, pages)


def table(found: Sequence[Figure]) -> list[list[str]]:
    """Means over topics, and the difference by topic with its interval, for each bed, relation and stage."""
    rows = [["bed", "earlier crawls", "topics", "pages", "without", "with", "difference (95 % interval)", "worse on"]]
    for bed, relation, pages in dict.fromkeys((one.bed, one.relation, one.pages) for one in found):
        some = [one for one in found if (one.bed, one.relation, one.pages) == (bed, relation, pages)]
        if len(some) < FEWEST_TOPICS:
            continue
        with_it, without = ({one.topic: getattr(one, name) for one in some} for name in ("with_it", "without"))
        gain = compare(with_it, without)
        rows.append(
            [
                bed,
                relation,
                str(len(some)),
                str(pages),
                f"{_mean(without):.3f}",
                f"{_mean(with_it):.3f}",
                gain.in_short(),
                str(sum(one.with_it < one.without for one in some)),
            ]
        )
    return rows


def _mean(figures: Mapping[str, float]) -> float:
    return sum(figures.values()) / len(figures)


def csv_of(found: Sequence[Figure]) -> str:
    """All figures, a row each."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(("bed", "topic", "relation", "earlier", "pages", "without", "with"))
    for one in found:
        row = (one.bed, one.topic, one.relation, one.earlier, one.pages, f"{one.without:.6g}", f"{one.with_it:.6g}")
        writer.writerow(row)
    return text.getvalue()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", nargs="+", type=Path, help="Wikispeedia and WebKB: folders or tar archives")
    parser.add_argument(
        "--split", choices=SPLITS, default=SPLITS[0], help="topics of Wikispeedia (default: development)"
    )
    parser.add_argument("--layout", choices=LAYOUTS, default="article", help="hosts of Wikispeedia (default: article)")
    parser.add_argument("--seeds", choices=NEARNESS, default=NEARNESS[0], help="of Wikispeedia (default: near)")
    parser.add_argument("--pages", type=int, default=PAGES, help=f"of each crawl (default: {PAGES})")
    parser.add_argument("--earlier", type=int, default=EARLIER, help=f"crawls, at most (default: {EARLIER})")
    parser.add_argument("--cache", type=Path, help="of what was read of pages (default: cache in the folder --out)")
    parser.add_argument("--out", type=Path, default=Path("data/knowledge"), help="folder of table.md and figures.csv")
    arguments = parser.parse_args()
    for name, least in (("pages", 4), ("earlier", 1)):
        if getattr(arguments, name) < least:
            parser.error(f"--{name} {getattr(arguments, name)}: give a number from {least} on")
    found: list[Figure] = []
    for path in arguments.data:
        choice = {"split": arguments.split, "layout": arguments.layout, "seeds": arguments.seeds}
        found += tried(
            bed_of(path, arguments.cache or arguments.out / "cache", **choice), arguments.pages, arguments.earlier
        )
        text = "\n".join(markdown(table(found))) + "\n"
        write_file(arguments.out / "table.md", text.encode())
        write_file(arguments.out / "figures.csv", csv_of(found).encode())
    print(f"{text}\nAll figures are in {arguments.out}: table.md (this), figures.csv.")


if __name__ == "__main__":
    try:
        main()
    except FocusedError as error:
        sys.exit(f"knowledge: {error}")
