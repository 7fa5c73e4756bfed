"""Unit vectors: cosines and sums are those of each text alone."""

from math import sqrt

import numpy as np
import pytest

from focused.crawl.arrays import IntArray
from focused.scorers.topic_model import UnitVectors
from focused.scorers.vectors import HASHED

LAST = HASHED - 1
TEXTS: tuple[dict[int, float], ...] = {1: 3.0, 2: 4.0}, {}, {2: 2.0, LAST: 2.0}
KEYWORDS = np.array([2, 5])


def alike(ids: IntArray) -> np.ndarray:
    return np.ones(len(ids))


def vectors(*texts: dict[int, float], idf: float = 1.0) -> UnitVectors:
    ids = [np.array(list(text), np.int64) for text in texts]
    weights = [np.array(list(text.values())) for text in texts]
    return UnitVectors(ids, weights, lambda ids: idf * alike(ids), KEYWORDS)


def test_the_terms_are_those_of_all_texts_and_those_asked_for() -> None:
    assert vectors(*TEXTS[::2]).terms.tolist() == [1, 2, 5, LAST]


def test_the_cosine_of_each_text_with_a_query_of_length_one() -> None:
    made = vectors(*TEXTS)
    assert made.cosines((made.terms == 2).astype(float)) == pytest.approx([0.8, 0.0, sqrt(0.5)])


def test_terms_weigh_as_much_as_they_are_rare() -> None:
    made = UnitVectors([np.array([1, 2])], [np.ones(2)], lambda ids: np.where(ids == 2, 4.0, 3.0), KEYWORDS)
    assert made.cosines(np.array([1.0, 0.0, 0.0])) == pytest.approx([0.6])


def test_a_text_whose_terms_are_in_every_page_is_worth_nothing() -> None:
    made = vectors(*TEXTS, idf=0.0)
    assert made.cosines(np.ones(len(made.terms))).tolist() == [0.0, 0.0, 0.0]


def test_the_sum_of_some_texts_each_times_its_share() -> None:
    total = vectors(*TEXTS[::2]).sum_of(np.array([1, 0]), np.array([0.5, 2.0]))
    assert total == pytest.approx([1.2, 1.6 + 0.5 * sqrt(0.5), 0.0, 0.5 * sqrt(0.5)])


def test_the_sum_of_no_texts_is_zero() -> None:
    assert vectors(*TEXTS[::2]).sum_of(np.empty(0, np.int64)).tolist() == [0.0] * 4
