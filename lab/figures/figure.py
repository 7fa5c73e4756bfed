"""A figure of a paper that is made again: what it is, what it needs, and the bench it is made on."""

from __future__ import annotations

import sys
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, ClassVar

from lab.experiment.comparing import TABLE, Comparing
from lab.experiment.crawling import Crawling
from lab.experiment.experiment import experiment_of
from lab.results.plots import save_picture
from lab.results.results import Results
from lab.results.results_files import write_csv_files, write_file
from lab.results.results_table import table
from lab.topics.labelled_topics import LabelledTopic, write_topics

TOPICS = "topics"  #: folder


@dataclass(frozen=True)
class Bench:
    """Where figures are made.

    Parameters
    ----------
    webs : data set by its kind, as ``wikispeedia``
    folder : of all that is written for one figure; crawls that lie there from before are not made again
    cache : folder that keeps what is read of the webs
    processes : so many crawls at a time
    interval : seconds between two lines of progress
    """

    webs: Mapping[str, Path]
    folder: Path
    cache: Path
    processes: int
    interval: float

    def say(self, what: str) -> None:
        """Tell a person what is being done."""
        print(what, file=sys.stderr, flush=True)

    def compare(
        self,
        name: str,
        tables: Mapping[str, Any],
        kind: str,
        topics: Sequence[LabelledTopic],
        *,
        models: Path | None = None,
        beside: Comparison | None = None,
    ) -> Comparison:
        """Crawl topics of a data set as the tables of an experiment say, judge the crawls and write all figures.

        name : folder of all that is written, in that of the figure
        beside : another comparison of the same topics, whose strategies have other names; the crawls of both are judged together

        Raises EvaluationError, and what else `Comparing` raises.
        """
        folder = self.folder / name
        write_topics(topics, folder / TOPICS)
        files = [str((folder / TOPICS / f"{topic.name}.toml").absolute()) for topic in topics]
        plan = {"web": [str(self.webs[kind].absolute())], "topics": files, **tables.get("experiment", {})}
        made = experiment_of({**tables, "experiment": plan})
        crawls = beside.crawls if beside else ()
        comparing = Comparing(made, folder, self.cache, self.processes, self.interval, models, crawls)
        done = len(comparing.crawls) - len(comparing.missing)
        self.say(f"{name}: {len(comparing.crawls):,} crawls, of which {done:,} are there already")
        results = comparing.run()
        if beside:
            both = replace(made, strategies={**beside.results.experiment.strategies, **made.strategies})
            results = Results(both, results.topics, results.notes)
        write_file(folder / TABLE, table(results).encode())
        write_csv_files(results, folder)
        return Comparison(results, comparing.crawls)

    def picture(self, name: str, *fills: Callable[[Any], None], columns: int = 1) -> list[str]:
        """Draw a picture of several axes, and return the line of Markdown that shows it."""
        save_picture(self.folder / name, *fills, columns=columns)
        return [f"![{name}]({name}.png)", ""]


@dataclass(frozen=True)
class Comparison:
    """What a comparison found, and the crawls that it made."""

    results: Results
    crawls: Sequence[Crawling]


class Figure(ABC):
    """A subclass is found by the name of its file.

    paper : who published which figure
    shows : what is to be seen there, in a line
    needs : kinds of data sets
    minutes : that it takes about on two processors
    """

    paper: ClassVar[str]
    shows: ClassVar[str]
    needs: ClassVar[tuple[str, ...]]
    minutes: ClassVar[int]

    @abstractmethod
    def make(self, bench: Bench) -> list[str]:
        """Crawl, judge and draw; return the report as lines of Markdown, with what the paper says beside what came out."""
