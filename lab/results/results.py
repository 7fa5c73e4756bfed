"""What a comparison found: figures and curves averaged over repeats and then over topics, and the tests over topics."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from focused.crawl.arrays import FloatArray, IntArray
from focused.simulation.statistics import FEWEST_TOPICS, Comparison, Mean, average_repeats, compare, holm, mean, spread
from lab.experiment.experiment import Experiment
from lab.judging.judging import JudgedCrawl, JudgedTopic, grid

MAIN = "area_under_recall"  #: the figure that strategies are compared by
#: Figures that the challenger is tested on, each for itself.
TESTED = (MAIN, "target_recall", "harvest_rate", "average_precision")
ORACLE = "oracle"  #: the yardstick that `gap_closed` refers to


@dataclass(frozen=True)
class Test:
    """The challenger against one baseline by one figure; both p values are corrected for the number of baselines (Holm)."""

    figure: str
    baseline: str
    comparison: Comparison
    t_test_holm: float
    wilcoxon_holm: float


@dataclass(frozen=True)
class Curve:
    """A mean curve over topics: (n,) pages, values and standard errors (NaN for a single topic)."""

    pages: IntArray
    values: FloatArray
    errors: FloatArray


class Results:
    """All crawls that could be judged.

    Parameters
    ----------
    topics : judged topics
    notes : what a reader of the table must know: what failed, what was left out

    Attributes
    ----------
    strategies : names in the experiment, in its order, of those with any crawl
    topics : those that every one of these strategies has crawled: averages and tests are over them
    incomplete : names of the other topics
    """

    def __init__(self, experiment: Experiment, topics: Sequence[JudgedTopic], notes: Sequence[str] = ()) -> None:
        self.experiment, self.notes = experiment, list(notes)
        crawled = {crawl.strategy for topic in topics for crawl in topic.crawls}
        self.strategies = [name for name in experiment.strategies if name in crawled]
        complete = {topic.name: {crawl.strategy for crawl in topic.crawls} == crawled for topic in topics}
        self.topics = [topic for topic in topics if complete[topic.name]]
        self.incomplete = [name for name, is_complete in complete.items() if not is_complete]

    @property
    def crawls(self) -> Iterator[JudgedCrawl]:
        return (crawl for topic in self.topics for crawl in topic.crawls)

    @cached_property
    def figures(self) -> dict[str, dict[str, dict[str, float]]]:
        """Figure -> strategy -> topic -> mean of the repeats; topics where a repeat has no finite value are left out."""
        return {
            figure: {strategy: average_repeats(values) for strategy, values in by_strategy.items()}
            for figure, by_strategy in self._repeats.items()
        }

    @cached_property
    def _repeats(self) -> dict[str, dict[str, dict[tuple[str, int], float]]]:
        """Figure -> strategy -> (topic, repeat) -> value; topics where a repeat has no finite value are left out."""
        repeats: dict[str, dict[str, dict[tuple[str, int], float]]] = {}
        for crawl in self.crawls:
            for figure, value in crawl.figures.items():
                by_strategy = repeats.setdefault(figure, {name: {} for name in self.strategies})
                by_strategy[crawl.strategy][crawl.topic, crawl.repeat] = value
        return {
            figure: {strategy: _of_whole_topics(values) for strategy, values in by_strategy.items()}
            for figure, by_strategy in repeats.items()
        }

    def mean(self, figure: str, strategy: str) -> Mean | None:
        """Mean over topics; the standard error is NaN for a single topic. None if no topic has the figure."""
        values = self.figures.get(figure, {}).get(strategy, {})
        if len(values) >= FEWEST_TOPICS:
            return mean(values)
        return next((Mean(value, math.nan, 1) for value in values.values()), None)

    def spread(self, figure: str, strategy: str) -> float | None:
        """The standard deviation over the repeats of a topic, mean over topics; None without repeats, or without the figure."""
        return spread(self._repeats.get(figure, {}).get(strategy, {}))

    def curve(self, name: str, strategy: str) -> Curve | None:
        """A mean curve; a crawl that ended early keeps its last value. None if the strategy has no such curve."""
        pages = grid(max(topic.budget for topic in self.topics))
        by_topic = []
        for topic in self.topics:
            repeats = [c.curves[name] for c in topic.crawls if c.strategy == strategy and name in c.curves]
            if repeats:
                curve = np.mean(repeats, axis=0)
                by_topic.append(np.pad(curve, (0, len(pages) - len(curve)), mode="edge"))
        if not by_topic:
            return None
        values, count = np.array(by_topic), len(by_topic)
        unknown = np.full(len(pages), math.nan)
        errors = values.std(axis=0, ddof=1) / math.sqrt(count) if count >= FEWEST_TOPICS else unknown
        return Curve(pages, values.mean(axis=0), errors)

    @cached_property
    def tests(self) -> list[Test]:
        """The challenger against each baseline, by each figure of TESTED; none if there are fewer than 2 topics."""
        return [test for figure in TESTED for test in self._tests(figure)]

    def _tests(self, figure: str) -> Iterator[Test]:
        by_strategy = self.figures.get(figure, {})
        challenger = by_strategy.get(self.experiment.challenger, {})
        found = {
            baseline: compare(challenger, by_strategy[baseline])
            for baseline in self.experiment.baselines
            if len(challenger) >= FEWEST_TOPICS and baseline in by_strategy
        }
        t_tests = holm({name: comparison.t_test for name, comparison in found.items()})
        wilcoxons = holm({name: comparison.wilcoxon for name, comparison in found.items()})
        for name, comparison in found.items():
            yield Test(figure, name, comparison, t_tests[name], wilcoxons[name])

    @property
    def gap_closed(self) -> tuple[str, float] | None:
        """The best rival of the challenger, and the share of the way from it to the oracle that the challenger has gone.

        By mean area; negative where the challenger is behind its rival. None without an oracle or a rival, or where the rival
        is as good as the oracle.
        """
        areas = {name: found.value for name in self.strategies if (found := self.mean(MAIN, name))}
        oracle = [name for name in areas if self.experiment.strategies[name].name == ORACLE]
        challenger = self.experiment.challenger
        rivals = [name for name in areas if name != challenger and not self.experiment.sees_labels(name)]
        if not oracle or not rivals or challenger not in areas:
            return None
        best = max(rivals, key=areas.__getitem__)
        gap = areas[oracle[0]] - areas[best]
        return (best, (areas[challenger] - areas[best]) / gap) if gap > 0 else None


def _of_whole_topics(values: Mapping[tuple[str, int], float]) -> dict[tuple[str, int], float]:
    unknown = {topic for (topic, _), value in values.items() if not math.isfinite(value)}
    return {key: value for key, value in values.items() if key[0] not in unknown}
