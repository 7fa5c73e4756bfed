"""What a person's verdicts do: to the page model, and to the harvest of a crawl that is taught while it runs.

On the 16 tasks of WebKB labels act as the person, who judges what `scrapy label` offers: half those of which the judge of pages is
least certain, half those that it finds best, ten at a time.

- *Judging*: the pages of one fixed crawl by `dom`. After 20, 40, 80 and 160 verdicts, the average precision on the pages that
  were not judged: by the topic's page model, by what was learned whatever cross-validation says, and by what judges pages then.
- *Crawling*: the person judges ten pages after each 25 until 160 are judged; beside each crawl, the same one without verdicts.

Each is done three times (another fifth of the pages left out; another seed), and averaged by task before differences are tested.

Example:
    python -m lab.benchmarks.verdicts webkb.tar.xz --out data/verdicts
"""

from __future__ import annotations

import argparse
import csv
import io
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

import numpy as np

from focused.crawl.crawl import Crawl
from focused.reading.page import Page
from focused.reporting.progress_line import ProgressLine
from focused.run.assemble import assemble, page_model_of
from focused.scoring.taught_regression import TaughtRegression, average_precision, kept_of
from focused.scoring.verdict_teacher import VerdictTeacher
from focused.simulation.analysed_web import Fetched
from focused.simulation.simulator import Simulator
from focused.strategies import get_strategy
from focused.topic.topic import Budget, Topic
from lab.benchmarks.page_models import Bed, beds
from lab.judging.run import Run
from lab.measures.area_under_recall import area_under_recall
from lab.results.results_files import write_file
from lab.results.results_table import markdown
from lab.results.statistics import compare, mean
from lab.topics.labelled_topics import LabelledTopic

COUNTS = (20, 40, 80, 160)  #: verdicts
BATCH, EVERY = 10, 25  #: pages that are judged together; pages fetched between two batches
REPEATS = 3
LEFT_OUT = 5  #: one page in so many is left out of each repeat
PAGES, CRAWL_PAGES = 600, 300
FEWEST_LEFT = 3  #: pages on topic that must be left to judge by
STRATEGIES = ("adaptive", "best_first")
SECONDS = 10.0


@dataclass(frozen=True)
class Row:
    """Figures of one task and repeat: of judging after so many verdicts, or (count 0) of a crawl."""

    task: str
    repeat: int
    count: int
    what: str
    values: Mapping[str, float]


class Task:
    """One task and its pages."""

    def __init__(self, bed: Bed, labelled: LabelledTopic) -> None:
        self.name, self.judgements = labelled.name, labelled.judgements
        topic, self.web = bed.opened(labelled)
        self.topic: Topic = topic

    def judging(self) -> Iterator[Row]:
        pages = self._pages()
        for repeat in range(REPEATS):
            chosen = [page for page in pages if Random(f"{repeat} {page.url}").randrange(LEFT_OUT)]
            yield from self._taught(chosen, repeat)

    def _pages(self) -> list[Page]:
        """What a fixed crawl fetched, without copies and what may be on topic or not."""
        topic = self.topic.model_copy(update={"budget": Budget(pages=PAGES)})
        fetches = Simulator(assemble(topic, get_strategy("dom"))[1], self.web).fetches()
        urls = [fetch.final_url for fetch in fetches if fetch.outcome == "page" and not fetch.duplicate_of]
        found = [answer.page for url in urls if isinstance(answer := self.web.ask(url), Fetched)]
        return [page for page in found if page.url not in self.judgements.neutral]

    def _taught(self, pages: Sequence[Page], repeat: int) -> Iterator[Row]:
        model, threshold = page_model_of(self.topic)[1], self.topic.relevance.threshold
        teacher, known = VerdictTeacher(threshold), set[int]()
        base = [model(page) for page in pages]
        on_topic = np.array([page.url in self.judgements.relevant for page in pages])

        def now(place: int) -> float:
            said = teacher.probability(pages[place], base[place])
            return base[place] if said is None else teacher.relevance(said)

        while len(known) < min(max(COUNTS), len(pages) - BATCH):
            left = [place for place in range(len(pages)) if place not in known]
            for place in offered({place: now(place) for place in left}, threshold):
                known.add(place)
                teacher.judged(place, pages[place], base[place], bool(on_topic[place]))
            if len(known) in COUNTS:
                rest = np.array([place for place in range(len(pages)) if place not in known])
                if FEWEST_LEFT <= on_topic[rest].sum() < len(rest):
                    seen = sorted(known)
                    learned = np.full(len(rest), math.nan)
                    if 0 < on_topic[seen].sum() < len(seen):
                        fit = TaughtRegression.fit([kept_of(pages[i], base[i]) for i in seen], on_topic[seen])
                        learned = np.array([fit.probability(kept_of(pages[i], base[i])) for i in rest])
                    scores = {
                        "before": np.array(base)[rest],
                        "always": learned,
                        "kept": np.array([now(place) for place in rest]),
                    }
                    values = {
                        name: average_precision(by, on_topic[rest]) if not np.isnan(by).any() else math.nan
                        for name, by in scores.items()
                    }
                    keeps = float(teacher.probability(pages[0], base[0]) is not None)
                    yield Row(self.name, repeat, len(known), "judging", {**values, "is kept": keeps})

    def crawling(self, strategy: str) -> Iterator[Row]:
        for repeat in range(REPEATS):
            areas = {name: self._area(strategy, repeat, taught=name == "taught") for name in ("untaught", "taught")}
            yield Row(self.name, repeat, 0, strategy, areas)

    def _area(self, strategy: str, repeat: int, *, taught: bool) -> float:
        topic = self.topic.model_copy(update={"budget": Budget(pages=CRAWL_PAGES)})
        crawl = assemble(topic, get_strategy(strategy), seed=repeat)[1]
        urls: list[str] = []
        unjudged: dict[str, Page] = {}
        verdicts = 0
        for fetch in Simulator(crawl, self.web).fetches():
            if fetch.outcome != "page":
                continue
            urls.append(fetch.final_url)
            answer = self.web.ask(fetch.final_url)
            if isinstance(answer, Fetched) and not fetch.verdict and fetch.final_url not in self.judgements.neutral:
                unjudged[fetch.final_url] = answer.page
            if taught and not len(urls) % EVERY and verdicts < max(COUNTS):
                verdicts += self._teach(crawl, unjudged)
        run = Run(strategy, self.judgements.topic, repeat, urls)
        return area_under_recall(run, self.judgements, CRAWL_PAGES)

    def _teach(self, crawl: Crawl, unjudged: dict[str, Page]) -> int:
        """Judge the pages that are offered; return how many."""
        pages = list(unjudged)
        relevance = {place: crawl.relevance_of(unjudged[url]) for place, url in enumerate(pages)}
        chosen = offered(relevance, self.topic.relevance.threshold)
        for place in chosen:
            page = unjudged.pop(pages[place])
            crawl.judged(crawl.urls.find(page.key), page, page.url in self.judgements.relevant)
        return len(chosen)


def offered(relevance: Mapping[int, float], threshold: float) -> list[int]:
    """What a person is offered: half that of which the judge is least certain, half the best of the others."""
    uncertain = sorted(relevance, key=lambda place: abs(relevance[place] - threshold))[: BATCH // 2]
    best = sorted((place for place in relevance if place not in uncertain), key=lambda place: -relevance[place])
    return [*uncertain, *best[: BATCH - len(uncertain)]]


def report(rows: Sequence[Row]) -> Iterator[str]:
    """Yield the tables, line by line."""
    judged = [row for row in rows if row.what == "judging"]
    table = [
        ["verdicts", "tasks", "page model", "learned (always)", "gain", "what judges then", "gain", "worse on", "kept"]
    ]
    for count in COUNTS:
        by = {name: by_task(judged, count, name) for name in ("before", "always", "kept", "is kept")}
        if len(by["before"]) < 2:
            continue
        gains = [compare(by[name], {task: by["before"][task] for task in by[name]}) for name in ("always", "kept")]
        worse = sum(by["kept"][task] < by["before"][task] - 1e-9 for task in by["before"])
        told = [gain.in_short() for gain in gains]
        means = [f"{mean(by[name]).value:.3f}" for name in ("before", "always", "kept")]
        share = f"{mean(by['is kept']).value:.0%}"
        table.append(
            [str(count), str(len(by["before"])), means[0], means[1], told[0], means[2], told[1], f"{worse}", share]
        )
    yield from markdown(table)
    yield ""
    table = [["strategy", "tasks", "untaught", "taught", "gain", "better on", "worse on"]]
    for strategy in dict.fromkeys(row.what for row in rows if row.what != "judging"):
        crawls = [row for row in rows if row.what == strategy]
        without, taught = (by_task(crawls, 0, name) for name in ("untaught", "taught"))
        gain = compare(taught, without)
        better = sum(taught[task] > without[task] + 1e-9 for task in taught)
        worse = sum(taught[task] < without[task] - 1e-9 for task in taught)
        change = gain.in_short()
        table.append(
            [
                strategy,
                str(len(taught)),
                f"{mean(without).value:.3f}",
                f"{mean(taught).value:.3f}",
                change,
                str(better),
                str(worse),
            ]
        )
    yield from markdown(table)


def by_task(rows: Sequence[Row], count: int, name: str) -> dict[str, float]:
    """A figure by task, the mean of its repeats; left out where it is not known."""
    found: dict[str, list[float]] = {}
    for row in rows:
        if row.count == count and not math.isnan(row.values[name]):
            found.setdefault(row.task, []).append(row.values[name])
    return {task: sum(values) / len(values) for task, values in found.items()}


def csv_of(rows: Sequence[Row]) -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(("task", "repeat", "what", "verdicts", "figure", "value"))
    for row in rows:
        for name, value in row.values.items():
            writer.writerow((row.task, row.repeat, row.what, row.count, name, f"{value:.6g}"))
    return text.getvalue()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path, help="WebKB: a folder or a tar archive")
    parser.add_argument("--tasks", type=int, default=0, help="drawn at random; 0 = all 16 (default: 0)")
    parser.add_argument("--strategies", default=",".join(STRATEGIES), help="that crawl; empty: only judging")
    parser.add_argument("--out", type=Path, default=Path("data/verdicts"), help="folder of table.md and figures.csv")
    arguments = parser.parse_args()
    rows: list[Row] = []
    progress = ProgressLine(SECONDS)
    arguments.out.mkdir(parents=True, exist_ok=True)
    for bed in beds([arguments.data], arguments.tasks, arguments.out / "cache"):
        for number, labelled in enumerate(bed.topics, 1):
            task = Task(bed, labelled)
            progress.show(lambda: f"task {number} of {len(bed.topics)}, {labelled.name}")  # noqa: B023
            rows += task.judging()
            for strategy in filter(None, arguments.strategies.split(",")):
                rows += task.crawling(strategy)
            bed.opener.save()
            write_file(arguments.out / "figures.csv", csv_of(rows).encode())
    progress.close()
    text = "\n".join(report(rows))
    write_file(arguments.out / "table.md", f"{text}\n".encode())
    print(text)


if __name__ == "__main__":
    main()
