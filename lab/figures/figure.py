"""A figure of a paper that is made again: the bench and the bed it is made on, and what the paper claims of it, tested on ours."""

from __future__ import annotations

import sys
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, ClassVar

from focused.simulation.statistics import FEWEST_TOPICS, average_repeats, compare, mean
from lab.experiment.comparing import TABLE, Comparing
from lab.experiment.crawling import Crawling
from lab.experiment.experiment import experiment_of
from lab.judging.judging import grid
from lab.results.plots import save_picture
from lab.results.results import Results
from lab.results.results_files import write_csv_files, write_file
from lab.results.results_table import markdown, table
from lab.topics.labelled_topics import LabelledTopic, write_topics
from lab.topics.wikispeedia_topics import report, wikispeedia_topics
from lab.webs.wikispeedia import Wikispeedia

LEVEL = 0.05  #: of a one-tailed test


@dataclass(frozen=True)
class Claim:
    """One sentence of a paper, and the figures of ours that it is about.

    says : in short, with the place
    printed : what the paper gives for it, such as its p
    better, worse : topic -> figure of who shall be ahead, and of who shall be behind
    """

    says: str
    printed: str
    better: Mapping[str, float]
    worse: Mapping[str, float]


def values_at(results: Results, curve: str, strategy: str, pages: int) -> dict[str, float]:
    """Topic -> the value of a strategy's curve after so many pages, the mean of its repeats."""
    kept = grid(pages)
    crawls = [crawl for crawl in results.crawls if crawl.strategy == strategy]
    return average_repeats(
        {
            (crawl.topic, crawl.repeat): float(crawl.curves[curve][min(len(kept), len(crawl.curves[curve])) - 1])
            for crawl in crawls
        }
    )


def claims_table(claims: Iterable[Claim]) -> list[str]:
    """A row for each claim: our difference with one standard error, p of the paired t-test, and whether it holds here.

    Tests need two topics at least: a claim on fewer cannot be tested.
    """
    rows = [["the paper says", "printed there", "difference here", "p here", "so here"]]
    rows += ([claim.says, claim.printed, *_tested(claim)] for claim in claims)
    return [*markdown(rows), ""]


def _tested(claim: Claim) -> tuple[str, str, str]:
    """The difference, p, and what they say: that it is so, the opposite, or neither."""
    if len(claim.better) < FEWEST_TOPICS:
        return "-", "-", "too few topics"
    found, opposite = compare(claim.better, claim.worse), compare(claim.worse, claim.better)
    so = "yes" if found.t_test < LEVEL else "the opposite" if opposite.t_test < LEVEL else "no difference seen"
    return f"{found.difference.value:+.3f} ± {found.difference.standard_error:.3f}", f"{found.t_test:.2g}", so


def means_table(head: str, columns: Mapping[str, Mapping[str, Mapping[str, float]]], decimals: int = 3) -> list[str]:
    """Means over topics with one standard error: a row for each name, a column for each heading.

    columns : heading -> name of a row -> topic -> figure; a dash where a row has none
    """
    names: Sequence[str] = list(dict.fromkeys(name for column in columns.values() for name in column))
    rows = ([name, *(_cell(column.get(name, {}), decimals) for column in columns.values())] for name in names)
    return [*markdown([[head, *columns], *rows]), ""]


def _cell(values: Mapping[str, float], decimals: int) -> str:
    if not values:
        return "-"
    if len(values) < FEWEST_TOPICS:
        return f"{next(iter(values.values())):.{decimals}f}"
    found = mean(values)
    return f"{found.value:.{decimals}f} ± {found.standard_error:.{decimals}f}"


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


WIKISPEEDIA = "wikispeedia"
LAYOUT = "article"  #: a host per article: hubs count hosts, and no host makes a crawl wait
SEEDS = 10  #: as in Pant & Menczer 2003 and Diligenti et al. 2000
PAGES = 500  #: of a crawl, of 4,598


def topics(bench: Bench, *, each: int = 1) -> list[LabelledTopic]:
    """The 36 topics to report on, or every second or third of them; seeds are articles of the topic.

    Nothing was tuned on them, and nothing may be.
    """
    web = Wikispeedia(bench.webs[WIKISPEEDIA], LAYOUT)
    return wikispeedia_topics(web, report()[::each], seeds=SEEDS, report_topics=True)


def tables(strategies: dict[str, Any], **measures: Any) -> dict[str, Any]:
    """The tables of an experiment on these topics, with the network of a live crawl."""
    return {"experiment": {"pages": PAGES}, "strategies": strategies, "measures": measures}
