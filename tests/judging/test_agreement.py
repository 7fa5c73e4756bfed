"""Thresholds proposed from judgements."""

import numpy as np
import pytest

from focused.desk.judging.audit import FEWEST_JUDGED, agreement, best_threshold

RELEVANCE = np.array([0.1, 0.2, 0.3, 0.4])
RELEVANT = np.array([0.0, 1.0, 0.0, 1.0])
ONES = np.ones(4)


def judged(*, wrong: int = 0) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Forty pages, relevant from 0.3 on; some of the least relevant are taken for relevant."""
    relevance = np.linspace(0.0, 0.39, 40)
    relevant = (relevance > 0.295).astype(float)
    relevant[:wrong] = 1.0
    return relevance, relevant, np.ones(40)


def test_kappa_is_agreement_beyond_chance() -> None:
    # called: no yes yes yes; agreed: 3 of 4; by chance 3/4 * 1/2 + 1/4 * 1/2
    found = agreement(0.15, RELEVANCE, RELEVANT, ONES)
    assert (found.share, found.kappa) == (pytest.approx(0.75), pytest.approx(0.5))


def test_pages_count_by_what_they_stand_for() -> None:
    assert agreement(0.15, RELEVANCE, RELEVANT, np.array([1.0, 1.0, 5.0, 1.0])).share == pytest.approx(3 / 8)


def test_a_threshold_that_calls_everything_relevant_agrees_by_chance_only() -> None:
    assert agreement(0.0, RELEVANCE, RELEVANT, ONES).kappa == 0.0
    assert agreement(0.0, RELEVANCE, ONES, ONES).kappa == 0.0


def test_the_best_threshold_parts_the_judged_pages_and_is_a_round_number() -> None:
    found = best_threshold(0.1, *judged())
    assert found is not None
    assert (found.threshold, found.share, found.kappa) == (0.295, pytest.approx(1.0), pytest.approx(1.0))


def test_single_mistakes_do_not_move_it() -> None:
    found = best_threshold(0.1, *judged(wrong=2))
    assert found is not None
    assert found.threshold == 0.295
    assert found.share == pytest.approx(38 / 40)


def test_the_present_threshold_is_kept_where_none_is_better() -> None:
    found = best_threshold(0.2987, *judged())
    assert found is not None
    assert found.threshold == 0.2987


def test_nothing_is_proposed_from_few_pages_or_from_answers_that_are_all_the_same() -> None:
    relevance, relevant, weights = judged()
    few = slice(40 - FEWEST_JUDGED + 1, 40)
    assert best_threshold(0.1, relevance[few], relevant[few], weights[few]) is None
    assert best_threshold(0.1, relevance, np.ones(40), weights) is None


def test_nothing_is_proposed_where_relevance_is_worse_than_chance() -> None:
    relevance, relevant, weights = judged()
    assert best_threshold(0.5, relevance, 1 - relevant, weights) is None
