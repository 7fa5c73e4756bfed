"""Word outcomes: a URL is worth what pages behind links with the same words were worth."""

from __future__ import annotations

import numpy as np
import pytest

from focused.scoring.word_outcomes import PRIOR, WORDS, WordOutcomes
from focused.storage.snapshot import decode, encode

EXPECTED = 0.1


def words(*numbers: int) -> np.ndarray:
    return np.array(numbers, np.int64)


def add(outcomes: WordOutcomes, url: int, *numbers: int) -> None:
    """Note words of one URL, which stand behind others."""
    outcomes.add_words(words(url), words(1, 2, 3, *numbers), np.array([[3, 3 + len(numbers)]]))


def of(outcomes: WordOutcomes, url: int) -> float:
    return float(outcomes.of(words(url), EXPECTED)[0])


def test_where_nothing_is_written_the_expected_is_expected() -> None:
    assert of(WordOutcomes(), 3) == pytest.approx(EXPECTED)


def test_a_link_is_worth_the_mean_over_its_words() -> None:
    outcomes = WordOutcomes()
    add(outcomes, 0, 5, 6)
    outcomes.add_outcome(0, 1.0)
    add(outcomes, 1, 5, 7)  # 5 led to a relevant page, 7 is new
    seen = (1 + EXPECTED * PRIOR) / (1 + PRIOR)
    assert of(outcomes, 1) == pytest.approx((seen + EXPECTED) / 2)


def test_a_word_that_stands_twice_learns_once() -> None:
    outcomes = WordOutcomes()
    add(outcomes, 0, 5, 5)
    outcomes.add_outcome(0, 1.0)
    add(outcomes, 1, 5)
    assert of(outcomes, 1) == pytest.approx((1 + EXPECTED * PRIOR) / (1 + PRIOR))


def test_only_the_first_words_count() -> None:
    outcomes = WordOutcomes()
    add(outcomes, 0, *range(WORDS), 99)
    outcomes.add_outcome(0, 1.0)
    add(outcomes, 1, 99)
    assert of(outcomes, 1) == pytest.approx(EXPECTED)


def test_words_of_many_urls_are_noted_at_once() -> None:
    outcomes = WordOutcomes()
    outcomes.add_words(words(0, 1, 2), words(5, 6), np.array([[0, 1], [1, 1], [0, 2]]))
    outcomes.add_outcome(0, 1.0)
    seen = (1 + EXPECTED * PRIOR) / (1 + PRIOR)
    assert [of(outcomes, url) for url in range(3)] == pytest.approx([seen, EXPECTED, (seen + EXPECTED) / 2])


def test_where_no_word_is_written_nothing_is_noted() -> None:
    outcomes = WordOutcomes()
    outcomes.add_words(words(0), words(), np.array([[0, 0]]))
    outcomes.add_words(words(), words(), np.empty((0, 2), np.int64))
    assert of(outcomes, 0) == pytest.approx(EXPECTED)


def test_it_survives_a_restart() -> None:
    outcomes, restored = WordOutcomes(), WordOutcomes()
    add(outcomes, 0, 5, 6)
    outcomes.add_outcome(0, 0.7)
    restored.restore(decode(encode(outcomes.state())))
    for one in (outcomes, restored):
        add(one, 1, 6, 8)
    assert of(restored, 1) == of(outcomes, 1) != EXPECTED
