"""The statistics, against numbers computed by hand and against scipy."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from focused.exceptions import FocusedError
from focused.simulation.statistics import (
    Mean,
    average_repeats,
    bootstrap_interval,
    compare,
    holm,
    mean,
    paired_differences,
    t_test,
    wilcoxon,
)

OURS = {"solar": 0.5, "wind": 0.6, "crispr": 0.4, "chess": 0.9, "rail": 0.3}
THEIRS = {"wind": 0.65, "solar": 0.4, "chess": 0.5, "crispr": 0.3, "rail": 0.1}
BAD = [math.nan, -math.inf]


class TestMeans:
    def test_repeats_are_averaged_for_each_topic(self) -> None:
        figures = {("solar", 1): 0.2, ("solar", 2): 0.4, ("wind", 1): 0.7}
        assert average_repeats(figures) == {"solar": pytest.approx(0.3), "wind": 0.7}

    def test_the_standard_error_is_that_of_topics(self) -> None:
        # deviations -1, 0, 1: variance 2 / 2 = 1, error 1 / sqrt(3)
        assert mean({"a": 1.0, "b": 2.0, "c": 3.0}) == Mean(2.0, pytest.approx(0.577350), 3)


class TestPairs:
    def test_a_comparison_holds_the_mean_difference_its_interval_and_both_tests(self) -> None:
        differences = paired_differences(OURS, THEIRS)
        found = compare(OURS, THEIRS, seed=3)
        # sum 0.75; squared deviations .0625 + .0025 + .0025 + .0025 + .04 = .11; error sqrt(.11 / 4 / 5)
        assert found.difference == Mean(pytest.approx(0.15), pytest.approx(0.0741620), 5)
        assert (found.low, found.high) == bootstrap_interval(differences, seed=3)
        assert (found.t_test, found.wilcoxon) == (t_test(differences), wilcoxon(differences))

    def test_topics_of_one_strategy_only_are_refused(self) -> None:
        with pytest.raises(FocusedError) as refusal:
            compare({"solar": 1.0, "wind": 2.0}, {"solar": 1.0, "rail": 2.0})
        assert str(refusal.value) == (
            "topic rail was run by the second strategy only (2 such topics in all); "
            "paired tests need the same topics of both"
        )

    @pytest.mark.parametrize("figure", BAD)
    def test_a_figure_that_is_not_finite_is_refused_on_either_side(self, figure: float) -> None:
        broken = {**OURS, "wind": figure}
        for pair in ((broken, THEIRS), (THEIRS, broken)):
            with pytest.raises(FocusedError, match=rf"^topic wind: the figure is {figure}, not a finite number; leave"):
                compare(*pair)


class TestTTest:
    def test_it_is_scipys_paired_test(self) -> None:
        ours, theirs = (np.array([figures[topic] for topic in sorted(OURS)]) for figures in (OURS, THEIRS))
        assert t_test(ours - theirs) == pytest.approx(stats.ttest_rel(ours, theirs, alternative="greater").pvalue)

    @pytest.mark.parametrize(("difference", "p"), [(0.1, 0.0), (0.0, 1.0), (-0.1, 1.0)])
    def test_equal_differences_are_certain(self, difference: float, p: float) -> None:
        assert t_test(np.array([difference, difference + 1e-16, difference])) == p


class TestWilcoxon:
    def test_it_counts_the_signs_that_give_such_ranks(self) -> None:
        # ranks of 3, -1, 2 are 3, 1, 2; 5 or more of {1, 2, 3} add up in 2 of 8 ways
        assert wilcoxon(np.array([0.3, -0.1, 0.2])) == 2 / 8

    def test_topics_without_a_difference_are_left_out(self) -> None:
        assert wilcoxon(np.array([0.3, 0.0, -0.1, 0.2, 0.0])) == 2 / 8

    def test_it_is_scipys_test(self) -> None:
        differences = np.random.default_rng(1).normal(0.3, 1.0, 36)
        assert wilcoxon(differences) == pytest.approx(stats.wilcoxon(differences, alternative="greater").pvalue)


class TestBootstrap:
    SAMPLE = np.random.default_rng(2).normal(5.0, 2.0, 200)

    def test_it_is_scipys_bca_interval(self) -> None:
        expected = stats.bootstrap(
            (self.SAMPLE,), np.mean, n_resamples=500, method="BCa", rng=np.random.default_rng(7)
        ).confidence_interval
        assert bootstrap_interval(self.SAMPLE, resamples=500, seed=7) == (expected.low, expected.high)


class TestHolm:
    def test_each_p_counts_as_often_as_tests_are_left(self) -> None:
        # .01 x 3; .03 x 2; .04 x 1 is less than .06 before it
        found = holm({"dom": 0.04, "random": 0.01, "best_first": 0.03})
        assert found == {"dom": pytest.approx(0.06), "random": pytest.approx(0.03), "best_first": pytest.approx(0.06)}
        assert list(found) == ["dom", "random", "best_first"]


@settings(max_examples=60)
@given(st.lists(st.sampled_from([-0.5, -0.1, 0.0, 0.1, 0.2, 1e-13, 1.0]), min_size=2, max_size=7))
def test_whatever_the_differences_are_every_number_is_one(values: list[float]) -> None:
    differences = np.array(values)
    assert 0 <= t_test(differences) <= 1
    assert 0 <= wilcoxon(differences) <= 1
    low, high = bootstrap_interval(differences, resamples=100)
    assert min(values) - 1e-9 <= low <= high <= max(values) + 1e-9
