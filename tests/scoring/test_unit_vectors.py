"""Unit vectors: cosines and sums are those of each text alone."""

from __future__ import annotations

from math import sqrt

import numpy as np
import pytest

from focused.scoring.term_ids import DIMENSIONS
from focused.scoring.unit_vectors import UnitVectors

TEXTS = {1: 3.0, 2: 4.0}, {}, {2: 2.0, DIMENSIONS - 1: 2.0}


def vectors(*texts: dict[int, float], idf: float = 1.0) -> UnitVectors:
    ids = [np.array(list(text), np.int64) for text in texts]
    weights = [np.array(list(text.values())) for text in texts]
    return UnitVectors(ids, weights, lambda ids: np.full(len(ids), idf))


def query(**weights: float) -> np.ndarray:
    made = np.zeros(DIMENSIONS)
    for term, weight in weights.items():
        made[int(term[1:])] = weight
    return made


def test_the_cosine_of_each_text_with_a_query_of_length_one() -> None:
    assert vectors(*TEXTS).cosines(query(t2=1.0)) == pytest.approx([0.8, 0.0, sqrt(0.5)])


def test_terms_weigh_as_much_as_they_are_rare() -> None:
    made = UnitVectors([np.array([1, 2])], [np.array([1.0, 1.0])], lambda ids: np.where(ids == 2, 4.0, 3.0))
    assert made.cosines(query(t1=1.0)) == pytest.approx([0.6])


def test_a_text_whose_terms_are_in_every_page_is_worth_nothing() -> None:
    assert vectors(*TEXTS, idf=0.0).cosines(query(t2=1.0)).tolist() == [0.0, 0.0, 0.0]


def test_the_sum_of_some_texts_each_times_its_share() -> None:
    total = vectors(*TEXTS).sum_of(np.array([2, 0]), np.array([0.5, 2.0]))
    assert total == pytest.approx(
        query(t1=1.2, t2=1.6 + 0.5 * sqrt(0.5)) + query(**{f"t{DIMENSIONS - 1}": sqrt(0.125)})
    )


def test_the_sum_of_no_texts_is_zero() -> None:
    total = vectors(*TEXTS).sum_of(np.empty(0, np.int64))
    assert (len(total), total.any()) == (DIMENSIONS, False)
