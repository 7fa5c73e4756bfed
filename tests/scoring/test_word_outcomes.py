"""Word outcomes: a URL is worth what pages behind links with the same words were worth."""

from __future__ import annotations

import numpy as np
import pytest

from focused.scoring.word_outcomes import PRIOR, WORDS, WordOutcomes
from focused.storage.snapshot import decode, encode

EXPECTED = 0.1


def words(*numbers: int) -> np.ndarray:
    return np.array(numbers, np.int64)


def of(outcomes: WordOutcomes, url: int) -> float:
    return float(outcomes.of(words(url), EXPECTED)[0])


def test_where_nothing_is_written_the_expected_is_expected() -> None:
    assert of(WordOutcomes(), 3) == pytest.approx(EXPECTED)


def test_a_link_is_worth_the_mean_over_its_words() -> None:
    outcomes = WordOutcomes()
    outcomes.add_words(0, words(5, 6))
    outcomes.add_outcome(0, 1.0)
    outcomes.add_words(1, words(5, 7))  # 5 led to a relevant page, 7 is new
    seen = (1 + EXPECTED * PRIOR) / (1 + PRIOR)
    assert of(outcomes, 1) == pytest.approx((seen + EXPECTED) / 2)


def test_a_word_that_stands_twice_learns_once() -> None:
    outcomes = WordOutcomes()
    outcomes.add_words(0, words(5, 5))
    outcomes.add_outcome(0, 1.0)
    outcomes.add_words(1, words(5))
    assert of(outcomes, 1) == pytest.approx((1 + EXPECTED * PRIOR) / (1 + PRIOR))


def test_only_the_first_words_count() -> None:
    outcomes = WordOutcomes()
    outcomes.add_words(0, words(*range(WORDS), 99))
    outcomes.add_outcome(0, 1.0)
    outcomes.add_words(1, words(99))
    assert of(outcomes, 1) == pytest.approx(EXPECTED)


def test_it_survives_a_restart() -> None:
    outcomes, restored = WordOutcomes(), WordOutcomes()
    outcomes.add_words(0, words(5, 6))
    outcomes.add_outcome(0, 0.7)
    restored.restore(decode(encode(outcomes.state())))
    for one in (outcomes, restored):
        one.add_words(1, words(6, 8))
    assert of(restored, 1) == of(outcomes, 1) != EXPECTED
