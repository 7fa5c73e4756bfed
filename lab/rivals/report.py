"""What each crawl found, by the server's log and the label files that no crawler saw: tables, and data as CSV and JSON."""

from __future__ import annotations

import csv
import json
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from io import StringIO
from itertools import islice
from pathlib import Path

from focused.page.urls import UrlRules
from focused.simulation.judged_run import Run, Spelling
from focused.simulation.labelled_files import LabelledFile
from focused.simulation.measures import target_recall
from focused.simulation.statistics import FEWEST_TOPICS, Comparison, average_repeats, compare, spread
from lab.experiment.crawl_record import write_whole
from lab.measures import normalised_area
from lab.rivals.crawls import Files, Outcome
from lab.rivals.served import AccessLog

POINTS = (100, 200, 400, 1000, 2000)  #: pages after which targets are counted


@dataclass(frozen=True)
class Score:
    """One crawl, judged.

    group : of its topic, such as ``easy`` seeds; empty if the labels name none
    found : targets among the first so many pages, by their number; a crawl that ended before keeps what it had
    area : normalised area over the pages that crawls were allowed, in [0, 1]
    pages : distinct ones answered with 200, of those allowed
    requests : all that the server answered, or had begun to, until the crawler had ended
    reachable : targets that links lead to
    """

    outcome: Outcome
    group: str
    found: dict[int, int]
    area: float
    pages: int
    requests: int
    reachable: int


def points(pages: int) -> list[int]:
    """Those of POINTS that crawls of so many pages have, and their end."""
    return [*(point for point in POINTS if point < pages), pages]


class Judge:
    """Judges the crawls of one topic."""

    def __init__(self, labelled: LabelledFile) -> None:
        labels = labelled.read()
        self._known = labels.judgements
        self._rules = UrlRules(labelled.topic.reading.fold_index, labelled.topic.reading.strip_parameters)
        self._label = Spelling(self._known, self._rules).label
        group = labels.origin.get("seeds", "")
        self.group = group if isinstance(group, str) else ""

    def score(self, files: Files, outcome: Outcome) -> Score:
        """Read the log of a crawl and count. Raises EvaluationError for what is no log."""
        log, allowed = AccessLog(files.log, self._rules).update(), outcome.conditions.pages
        urls = [self._label(url) for url in islice(log.pages.values(), allowed)]
        run = Run(outcome.crawler, outcome.topic, outcome.order, urls)
        recall = target_recall(run, self._known) * len(self._known.reachable_targets)
        counts = [0, *(round(value) for value in recall.tolist())]
        return Score(
            outcome,
            self.group,
            {point: counts[min(point, len(counts) - 1)] for point in points(allowed)},
            normalised_area(run, self._known, allowed),
            len(urls),
            log.requests,
            len(self._known.reachable_targets),
        )


TABLE, ROWS, DATA = "rivals.md", "crawls.csv", "rivals.json"
Figure = Callable[[Score], float]


def by_topic(scores: Sequence[Score], crawler: str, figure: Figure) -> dict[str, float]:
    """A crawler's figure on each topic, the mean of its orders."""
    return average_repeats(
        {(s.outcome.topic, s.outcome.order): figure(s) for s in scores if s.outcome.crawler == crawler}
    )


def report(scores: Sequence[Score], baseline: str) -> str:
    """All tables: over all topics, and over those of each kind of seeds. Crawlers come in the order of their first crawl."""
    counted = crawled_by_all(scores)
    if not counted:
        return "No topic was crawled by all yet.\n"
    groups = sorted({score.group for score in counted} - {""})
    parts = [("all topics", counted)]
    if len(groups) > 1:
        parts += [(f"{group} seeds", [score for score in counted if score.group == group]) for group in groups]
    return "\n".join(line for title, chosen in parts for line in _part(title, chosen, baseline))


def crawled_by_all(scores: Sequence[Score]) -> list[Score]:
    """The crawls of those topics and orders that every crawler has: means over other topics are not comparable."""
    crawlers = set(crawlers_of(scores))
    by_task: defaultdict[tuple[str, int], set[str]] = defaultdict(set)
    for score in scores:
        by_task[score.outcome.topic, score.outcome.order].add(score.outcome.crawler)
    return [score for score in scores if by_task[score.outcome.topic, score.outcome.order] == crawlers]


def _part(title: str, scores: Sequence[Score], baseline: str) -> list[str]:
    crawlers = crawlers_of(scores)
    figures = _figures(scores)
    topics = len({score.outcome.topic for score in scores})
    lines = [f"## {title.capitalize()} ({topics})", ""]
    lines += _row(["crawler", "crawls", *figures, "spread of orders", "CPU s", "wall s", "requests"])
    lines += _row(["---"] * (len(figures) + 6))
    for crawler in crawlers:
        own = [score for score in scores if score.outcome.crawler == crawler]
        means = [_mean(by_topic(scores, crawler, figure).values()) for figure in figures.values()]
        cells = [crawler, str(len(own)), *(f"{value:.1f}" for value in means[:-1]), f"{means[-1]:.3f}", _spread(own)]
        cells += [f"{_mean(s.outcome.cpu for s in own):.1f}", f"{_mean(s.outcome.wall for s in own):.0f}"]
        lines += _row([*cells, f"{_mean(s.requests for s in own):.0f}"])
    for other in (name for name in crawlers if baseline in crawlers and name != baseline):
        lines += ["", *_differences(scores, figures, baseline, other)]
    return [*lines, ""]


def crawlers_of(scores: Sequence[Score]) -> list[str]:
    """Names, each once."""
    return list(dict.fromkeys(score.outcome.crawler for score in scores))


def _figures(scores: Sequence[Score]) -> dict[str, Figure]:
    """Those of the table by their heading; the last is the area."""
    figures = {f"found in {point:,}": _found_in(point) for point in _points(scores)}
    return figures | {"area": lambda score: score.area}


def _points(scores: Sequence[Score]) -> list[int]:
    return sorted({point for score in scores for point in score.found})


def _found_in(pages: int) -> Figure:
    return lambda score: float(score.found[pages])


def _differences(scores: Sequence[Score], figures: dict[str, Figure], better: str, worse: str) -> list[str]:
    """A line for each figure, over the topics that both have crawled."""
    lines = [f"`{better}` less `{worse}`:", ""]
    for heading, figure in figures.items():
        compared = compared_by(scores, better, worse, figure)
        if compared is None:
            return [f"`{better}` less `{worse}`: fewer than {FEWEST_TOPICS} topics, nothing to tell"]
        comparison, wins, losses = compared
        digits = 3 if heading == "area" else 1
        lines.append(
            f"- {heading}: {comparison.difference.value:+.{digits}f} (95 % interval {comparison.low:+.{digits}f} to "
            f"{comparison.high:+.{digits}f}; more on {wins} topics, less on {losses} of {comparison.difference.topics})"
        )
    return lines


def compared_by(scores: Sequence[Score], better: str, worse: str, figure: Figure) -> tuple[Comparison, int, int] | None:
    """The paired comparison over the topics that both have, with wins and losses; None below two topics."""
    one, other = by_topic(scores, better, figure), by_topic(scores, worse, figure)
    topics = one.keys() & other.keys()
    if len(topics) < FEWEST_TOPICS:
        return None
    compared = compare({t: one[t] for t in topics}, {t: other[t] for t in topics})
    return compared, sum(one[t] > other[t] for t in topics), sum(one[t] < other[t] for t in topics)


def _spread(scores: Sequence[Score]) -> str:
    """What luck makes of the area of one crawler."""
    found = spread({(score.outcome.topic, score.outcome.order): score.area for score in scores})
    return "-" if found is None else f"{found:.3f}"


def _mean(values: Iterable[float]) -> float:
    numbers = list(values)
    return sum(numbers) / len(numbers) if numbers else 0.0


def _row(cells: Sequence[str]) -> list[str]:
    return [f"| {' | '.join(cells)} |"]


def rows(scores: Sequence[Score]) -> str:
    """A line of CSV for each crawl."""
    counted = _points(scores)
    text = StringIO()
    writer = csv.writer(text, lineterminator="\n")
    found = (f"found_{point}" for point in counted)
    writer.writerow(
        ["crawler", "topic", "seeds", "order", "reachable", *found, "area", "pages", "requests", "ended", "cpu", "wall"]
    )
    for score in scores:
        one = score.outcome
        counts = (score.found.get(point, "") for point in counted)
        writer.writerow(
            (
                *(one.crawler, one.topic, score.group, one.order, score.reachable, *counts, f"{score.area:.5f}"),
                *(score.pages, score.requests, one.ended, f"{one.cpu:.2f}", f"{one.wall:.2f}"),
            )
        )
    return text.getvalue()


def write_results(scores: Sequence[Score], baseline: str, folder: Path) -> str:
    """Write the tables and the data; the tables. Raises StorageError if that cannot be."""
    table = report(scores, baseline)
    files = {TABLE: table, ROWS: rows(scores), DATA: json.dumps([asdict(score) for score in scores], indent=1) + "\n"}
    for name, text in files.items():
        write_whole(folder / name, text.encode())
    return table
