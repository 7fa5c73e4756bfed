"""Whether one crawler is better than another: means with standard errors, and paired tests over topics.

The unit is the topic. Repeats of a crawl of one topic (other seeds, other random numbers) are averaged first, because they
are not independent: ten repeats of five topics are five observations, not fifty.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from focused.crawl.arrays import FloatArray
from focused.exceptions import EvaluationError, needs_extra

Figures = Mapping[str, float]  #: topic -> a strategy's figure on it, the mean of its repeats

FEWEST_TOPICS = 2  # of one topic nobody can say how much figures vary
SAME = 1e-12  # figures of measures lie about 1; differences that differ by less are rounding errors


@dataclass(frozen=True)
class Mean:
    """A mean over topics with one standard error (the bar of a plot)."""

    value: float
    standard_error: float
    topics: int


@dataclass(frozen=True)
class Comparison:
    """How much better one strategy is than another, topic by topic; both p values are one-tailed.

    difference : mean over topics of (better - worse) with one standard error
    low, high : bootstrap interval of that mean
    t_test : p of the paired t-test
    wilcoxon : p of the signed-rank test
    """

    difference: Mean
    low: float
    high: float
    t_test: float
    wilcoxon: float


def average_repeats(figures: Mapping[tuple[str, int], float]) -> dict[str, float]:
    """Average the figures of one strategy, by (topic, seed of the repeat), to one for each topic.

    Raises EvaluationError for a figure that is not finite, such as the search length of a share never reached.
    """
    repeats: defaultdict[str, list[float]] = defaultdict(list)
    for (topic, seed), figure in figures.items():
        _check_finite(figure, f"topic {topic}, seed {seed}")
        repeats[topic].append(figure)
    return {topic: math.fsum(values) / len(values) for topic, values in repeats.items()}


def spread(figures: Mapping[tuple[str, int], float]) -> float | None:
    """How much luck moves a figure of one strategy, by (topic, repeat): the standard deviation over the repeats of a topic (n - 1),
    mean over topics; None where no topic has two repeats.
    """
    repeats: defaultdict[str, list[float]] = defaultdict(list)
    for (topic, _), figure in figures.items():
        repeats[topic].append(figure)
    deviations = [float(np.std(values, ddof=1)) for values in repeats.values() if len(values) > 1]
    return math.fsum(deviations) / len(deviations) if deviations else None


def mean(figures: Figures) -> Mean:
    """Mean over topics; its standard error is the standard deviation (n - 1) / sqrt(n). EvaluationError below 2 topics."""
    return _mean(_checked(figures))


def compare(better: Figures, worse: Figures, *, level: float = 0.95, seed: int = 0) -> Comparison:
    """Test whether the first strategy's figures are greater than the second's, topic by topic.

    For a measure of which less is better (search length) the strategies are given the other way round.

    Parameters
    ----------
    level : confidence level of the bootstrap interval, in (0, 1)
    seed : of the bootstrap

    Raises EvaluationError if the strategies were not run on the same topics, for fewer than 2 topics, or for a figure
    that is not finite.
    """
    differences = paired_differences(better, worse)
    low, high = bootstrap_interval(differences, level=level, seed=seed)
    return Comparison(_mean(differences), low, high, t_test(differences), wilcoxon(differences))


def paired_differences(better: Figures, worse: Figures) -> FloatArray:
    """(topics,) differences in order of topic; EvaluationError as `compare` says."""
    if odd := sorted(better.keys() ^ worse.keys()):
        first = odd[0]
        side = "first" if first in better else "second"
        raise EvaluationError(
            f"topic {first} was run by the {side} strategy only ({len(odd)} such topics in all); "
            "paired tests need the same topics of both"
        )
    topics = sorted(better)
    return _checked({topic: better[topic] for topic in topics}) - _checked({topic: worse[topic] for topic in topics})


def t_test(differences: FloatArray) -> float:
    """One-tailed p of the paired t-test: how likely such a mean difference is if there is none (Student 1908).

    Where all differences are the same, which is beyond the test: 0 if they are positive, 1 if they are not.
    """
    if np.ptp(differences) < SAME:
        return 0.0 if differences.mean() > SAME else 1.0
    return float(_scipy_stats().ttest_1samp(differences, 0.0, alternative="greater").pvalue)


def wilcoxon(differences: FloatArray) -> float:
    """One-tailed p of the signed-rank test, which asks for no normal distribution (Wilcoxon 1945).

    Exact for up to 50 topics without ties, or 13 with them. Topics without a difference are left out; 1 if none is left.
    """
    decimals = round(-math.log10(SAME))
    rounded = differences.round(decimals)  # 0.3 - 0.2 and 0.2 - 0.1 are a tie
    if not rounded.any():
        return 1.0
    return float(_scipy_stats().wilcoxon(rounded[rounded != 0], alternative="greater").pvalue)


def bootstrap_interval(
    differences: FloatArray, *, level: float = 0.95, resamples: int = 10_000, seed: int = 0
) -> tuple[float, float]:
    """Ends of the two-sided bootstrap interval of the mean, bias-corrected and accelerated (Efron 1987); seeded."""
    if not 0 < level < 1:
        raise EvaluationError(f"the level of a confidence interval lies between 0 and 1, such as 0.95; it is {level}")
    if np.ptp(differences) < SAME:
        return float(differences.mean()), float(differences.mean())
    interval = (
        _scipy_stats()
        .bootstrap(
            (differences,), np.mean, n_resamples=resamples, confidence_level=level, rng=np.random.default_rng(seed)
        )
        .confidence_interval
    )
    return float(interval.low), float(interval.high)


def holm(p_values: Mapping[str, float]) -> dict[str, float]:
    """Correct the p values of several tests, by name, for their number (Holm 1979): the smallest of n counts n times.

    Raises EvaluationError for a value outside [0, 1].
    """
    adjusted: dict[str, float] = {}
    largest = 0.0
    for rank, name in enumerate(sorted(p_values, key=p_values.__getitem__)):
        p = p_values[name]
        if not 0 <= p <= 1:
            raise EvaluationError(f"test {name}: a p value lies between 0 and 1, not at {p}")
        largest = max(largest, min(1.0, (len(p_values) - rank) * p))
        adjusted[name] = largest
    return {name: adjusted[name] for name in p_values}


def _scipy_stats() -> Any:
    """FocusedError where scipy is not installed."""
    with needs_extra("papers", "a paired test"):
        from scipy import stats
    return stats


def _mean(values: FloatArray) -> Mean:
    return Mean(float(values.mean()), float(values.std(ddof=1) / math.sqrt(len(values))), len(values))


def _checked(figures: Figures) -> FloatArray:
    """(topics,) the figures, if they are enough and finite."""
    if len(figures) < FEWEST_TOPICS:
        raise EvaluationError(
            f"figures of {len(figures)} topics ({', '.join(figures) or 'none'}) tell nothing about others; "
            f"run at least {FEWEST_TOPICS} topics"
        )
    for topic, figure in figures.items():
        _check_finite(figure, f"topic {topic}")
    return np.fromiter(figures.values(), np.float64, len(figures))


def _check_finite(figure: float, place: str) -> None:
    if not math.isfinite(figure):
        raise EvaluationError(
            f"{place}: the figure is {figure}, not a finite number; leave the topic out for all strategies, "
            "or compare by a measure that every crawl has"
        )
