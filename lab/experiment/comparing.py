"""Runs a comparison: makes the crawls that are missing, judges all, writes what came out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from focused.exceptions import EvaluationError, FocusedError
from focused.explain.plain_output import ProgressLine
from focused.page.reader import Reader
from focused.simulation.labelled_files import LabelledFile, labelled_files
from focused.simulation.web_opener import WebOpener, collection_of
from focused.simulation.workers import FailedTask, Result, Task, do
from lab.crawlers.web_links import links_of
from lab.experiment.crawling import HALVES, Crawling, crawlings
from lab.experiment.experiment import Experiment
from lab.judging.judging import JudgedTopic, Judging
from lab.results.plots import draw
from lab.results.results import Results
from lab.results.results_files import write_csv_files, write_file
from lab.results.results_table import table
from lab.topics.wikispeedia_topics import REPORT

EXPERIMENT, TABLE = "experiment.toml", "table.md"
CRAWLS, PLOTS = "crawls", "plots"  #: folders
TRACES = "failures.txt"  #: where in the code something unforeseen happened
MOST_NAMES = 3  #: of crawls that failed for the same reason


class Comparing:
    """A comparison under way.

    Parameters
    ----------
    folder : of all that is written; crawls that lie there from before are not made again
    cache : folder that keeps what is read of the web
    processes : so many crawls at a time
    interval : seconds between two lines of progress
    models : folder of the user's trained models
    beside : crawls of the same topics that another comparison has made, to be judged together with these

    Raises EvaluationError or TopicError for a mistake in the topics, ModelError for a trained model, WebError if a file of the
    web is missing.
    """

    def __init__(
        self,
        experiment: Experiment,
        folder: Path,
        cache: Path,
        processes: int,
        interval: float,
        models: Path | None = None,
        beside: Sequence[Crawling] = (),
    ) -> None:
        self.experiment, self.folder = experiment, folder
        self._processes, self._progress = processes, ProgressLine(interval)
        self._opener = WebOpener(experiment.plan.web, cache, hide_outside=experiment.plan.outside == "hide")
        self._topics = labelled_files(experiment.plan.topics)
        self.crawls = list(crawlings(experiment, self._topics, self._opener, folder / CRAWLS, models))
        self._beside = beside
        self.missing = [crawling for crawling in self.crawls if not crawling.path.exists()]

    def run(self) -> Results:
        """Crawl and judge. Raises EvaluationError if no crawl is there in the end, or a process died."""
        write_file(self.folder / EXPERIMENT, self.experiment.as_toml().encode())
        try:
            self._follow_links()
            _, failed = self._do(self.missing, "crawls", len(self.crawls) - len(self.missing))
            judgings = [judging for topic in self._topics if (judging := self._judging(topic)).records]
            if not judgings:
                raise EvaluationError("\n".join(_told(failed)))
            judged, unjudged = self._do(judgings, "topics judged")
        finally:
            self._progress.close()
            self._opener.close()
        self._keep_traces({**failed, **unjudged})
        order = [labelled.topic.name for labelled in self._topics]
        judged.sort(key=lambda topic: order.index(topic.name))
        return Results(self.experiment, judged, [*self._warnings(judged), *_told(failed), *_told(unjudged)])

    def _follow_links(self) -> None:
        """Where labels do not say what can be reached: the web is read on all cores, before each process reads it for itself."""
        for labelled in self._topics:
            topic = labelled.topic
            try:
                if labelled.read().judgements.reachable is not None:
                    continue
                web = self._opener.open(topic, Reader(topic.reading, keep=topic.keywords), labelled.part)
            except FocusedError:
                continue  # told when the topic is judged
            links_of(web, topic.scope, self._told_of_reading, self._processes)
        if self._processes > 1:
            self._opener.close()

    def _told_of_reading(self, done: int, total: int) -> None:
        self._progress.show(lambda: f"{done:,}/{total:,} pages read", done, total)

    def _do(
        self, tasks: Sequence[Task[Result]], what: str, kept: int = 0
    ) -> tuple[list[Result], dict[str, FailedTask]]:
        """Do tasks and show how far they are; return their results, and the failures by name of the task."""
        total = kept + len(tasks)
        self._progress.restart()
        results: list[Result] = []
        failed: dict[str, FailedTask] = {}
        latest = "the first ones are under way"

        def line() -> str:
            trouble = f", {len(failed)} failed" if failed else ""
            return f"{kept + len(results):,}/{total:,} {what}{trouble} | {latest}"

        def show() -> None:
            self._progress.show(line, len(results) + len(failed), len(tasks))

        show()
        for task, result in do(tasks, self._opener, self._processes):
            latest = str(task)
            if isinstance(result, FailedTask):
                failed[latest] = result
            else:
                results.append(result)
            show()
        return results, failed

    def _judging(self, labelled: LabelledFile) -> Judging:
        """The task to judge what has been crawled for a topic."""
        known = [*self.crawls, *self._beside]
        made = [crawl for crawl in known if crawl.topic.name == labelled.topic.name and crawl.path.exists()]
        halves = {(crawl.strategy, crawl.half): crawl.path for crawl in made if crawl.half}
        first, second = HALVES
        pairs = [
            (path, halves[strategy, second])
            for (strategy, half), path in halves.items()
            if half == first and (strategy, second) in halves
        ]
        plan, levels = self.experiment.plan, self.experiment.measures
        return Judging(labelled, [crawl.path for crawl in made if not crawl.half], pairs, plan.pages, levels)

    def _warnings(self, judged: Sequence[JudgedTopic]) -> Iterator[str]:
        """What must be known of the topics and the web."""
        final = sum(labelled.split == REPORT for labelled in self._topics)
        if final:
            share = f"{final} of {len(self._topics)}"
            yield f"**Report topics: {share}, for final figures only.** Nothing may be tuned by what is seen here."
        if collection_of(self.experiment.plan.web):
            yield "The web is an earlier crawl: a URL that it did not fetch is unknown here, not irrelevant."
        targets, reachable = sum(topic.targets for topic in judged), sum(topic.reachable for topic in judged)
        if reachable < targets:
            yield f"Targets that cannot be reached from the seeds: {targets - reachable:,} of {targets:,}."
        if unrecorded := sum(topic.unrecorded for topic in judged):
            yield f"Labels that name URLs which are not recorded: {unrecorded:,}."

    def _keep_traces(self, failed: Mapping[str, FailedTask]) -> None:
        """Write what happened in the code, for failures that are no known mistakes."""
        texts = [f"{name}\n{failure.trace}" for name, failure in failed.items() if failure.trace]
        if texts:
            write_file(self.folder / TRACES, "\n".join(texts).encode())
        else:
            (self.folder / TRACES).unlink(missing_ok=True)


def write_results(results: Results, folder: Path) -> str:
    """Write tables and plots into a folder; return the table for a person. Raises StorageError."""
    text = table(results)
    write_file(folder / TABLE, text.encode())
    write_csv_files(results, folder)
    if results.topics:
        draw(results, folder / PLOTS)
    return text


def _told(failed: Mapping[str, FailedTask]) -> Iterator[str]:
    """Failures in a line for each reason."""
    names: dict[str, list[str]] = {}
    for name, failure in failed.items():
        trace = f" (see {TRACES})" if failure.trace else ""
        names.setdefault(f"{failure.message}{trace}", []).append(name)
    for message, those in names.items():
        more = f" and {len(those) - MOST_NAMES} more" if len(those) > MOST_NAMES else ""
        yield f"Missing: {'; '.join(those[:MOST_NAMES])}{more}: {message}"
