"""Strategies judged by labels that none of them saw: recall, precision, the area under recall, and whether one is better."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from focused.crawl.arrays import FloatArray
from focused.page.urls import UrlRules
from focused.simulation.comparison import ComparedStrategy, Crawled, by_strategy
from focused.simulation.judged_run import Run, Spelling
from focused.simulation.labelled_files import LabelledFile
from focused.simulation.labels import Judgements
from focused.simulation.measures import area_under_recall, harvest_rate, target_recall
from focused.simulation.statistics import FEWEST_TOPICS, Comparison, compare, holm


@dataclass(frozen=True)
class JudgedStrategies:
    """What came out, strategy by strategy in the order in which they were named.

    recall, precision : after each page; recall is of the targets that can be reached, as far as labels say
    areas : strategy -> topic and order -> area under the recall curve
    """

    recall: list[ComparedStrategy]
    precision: list[ComparedStrategy]
    areas: Mapping[str, Mapping[tuple[str, int], float]]

    def area(self, strategy: str) -> float:
        """Mean over topics of the mean over orders; all topics have the same orders."""
        values = self.areas[strategy].values()
        return sum(values) / len(values)

    @property
    def unit(self) -> str:
        """What the tests go by: topics or, of a single one, orders. Empty where there are too few of either for a test."""
        keys = next(iter(self.areas.values()))
        if len({topic for topic, _ in keys}) >= FEWEST_TOPICS:
            return "topics"
        return "orders" if len(keys) >= FEWEST_TOPICS else ""

    def tests(self) -> dict[str, tuple[Comparison, float, float]]:
        """Of each strategy but the first: how much more area the first one has, and both p values, corrected for their number.

        Pairs are crawls of the same topic, orders averaged first; of a single topic those of the same order.
        """
        (_, first), *others = ((name, self._figures(name)) for name in self.areas)
        found = {name: compare(first, figures) for name, figures in others} if self.unit else {}
        t_tests = holm({name: one.t_test for name, one in found.items()})
        wilcoxons = holm({name: one.wilcoxon for name, one in found.items()})
        return {name: (one, t_tests[name], wilcoxons[name]) for name, one in found.items()}

    def _figures(self, strategy: str) -> dict[str, float]:
        groups: dict[str, list[float]] = {}
        for (topic, order), area in self.areas[strategy].items():
            groups.setdefault(topic if self.unit == "topics" else f"order {order}", []).append(area)
        return {group: sum(values) / len(values) for group, values in groups.items()}


def judge(found: Sequence[Crawled], files: Sequence[LabelledFile]) -> JudgedStrategies:
    """Judge crawls by the labels of their topics. Raises EvaluationError for labels that cannot be used."""
    known = {file.topic.name: file.read().judgements for file in files}
    rules = {
        file.topic.name: UrlRules(file.topic.reading.fold_index, file.topic.reading.strip_parameters) for file in files
    }
    spelt = {name: Spelling(judgements, rules[name]) for name, judgements in known.items()}
    respelt = [Crawled(_spelt_as(crawled.run, spelt[crawled.run.topic]), crawled.relevant) for crawled in found]
    longest = dict.fromkeys(known, 0)
    for crawled in respelt:
        longest[crawled.run.topic] = max(longest[crawled.run.topic], len(crawled.run.urls))
    areas: dict[str, dict[tuple[str, int], float]] = {}
    for run in (crawled.run for crawled in respelt):
        area = area_under_recall(run, known[run.topic], longest[run.topic])
        areas.setdefault(run.strategy, {})[run.topic, run.seed] = area
    return JudgedStrategies(
        by_strategy(respelt, partial(_recall, known)), by_strategy(respelt, partial(_precision, known)), areas
    )


def _recall(known: Mapping[str, Judgements], crawled: Crawled) -> FloatArray:
    return target_recall(crawled.run, known[crawled.run.topic])


def _precision(known: Mapping[str, Judgements], crawled: Crawled) -> FloatArray:
    return harvest_rate(crawled.run, known[crawled.run.topic])


def _spelt_as(run: Run, spelling: Spelling) -> Run:
    """A run with its URLs as the labels spell them; of two that they spell alike the first counts."""
    copies = {spelling.label(url): spelling.label(first) for url, first in run.duplicates.items()}
    urls = list(dict.fromkeys(map(spelling.label, run.urls)))
    return Run(run.strategy, run.topic, run.seed, urls, {url: first for url, first in copies.items() if url != first})
