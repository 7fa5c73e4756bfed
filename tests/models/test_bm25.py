"""BM25: combined weights by hand, and what each of its constants does."""

import numpy as np
import pytest

from focused.papers.strategies.ss2 import bm25, collection_frequency_weights

ONE = np.array([1.0])


def test_a_term_weighs_more_the_rarer_it_is_and_always_something() -> None:
    weights = collection_frequency_weights(np.array([1, 5, 10]), 10)
    assert weights == pytest.approx([1.9924302, 0.6931472, 0.0465200])  # ln(11/1.5), ln(11/5.5), ln(11/10.5)


def test_a_term_that_no_document_holds_weighs_nothing() -> None:
    assert collection_frequency_weights(np.array([0]), 10).tolist() == [0]
    assert collection_frequency_weights(np.array([0]), 0).tolist() == [0]


def test_terms_add_up_by_their_weights() -> None:
    # 1.5 of the first and 1 * 3 / (2 + 1) = 1 of the second: 0.5 * 1.5 + 2 * 1
    assert bm25(np.array([[2, 1]]), np.array([10]), np.array([0.5, 2.0]), 10) == pytest.approx([2.75])


def test_a_count_saturates_where_the_printed_equation_would_grow_without_end() -> None:
    many = bm25(np.array([[1_000_000]]), np.array([1_000_000]), ONE, 1_000_000)
    assert many == pytest.approx([3], abs=1e-4)  # k1 + 1


def test_a_collection_without_documents_knows_no_length() -> None:
    assert bm25(np.array([[2]]), np.array([20]), ONE, 0.0) == pytest.approx([1.5])


@pytest.mark.parametrize(
    ("constants", "expected"),
    [
        # length 10 of 10 on average: 2 * 3 / (2 * 1 + 2) = 1.5;  20: 2 * 3 / (2 * 1.75 + 2) = 1.0909;  TF 0: 0
        ({}, [1.5, 1.0909091, 0]),
        ({"b": 0}, [1.5, 1.5, 0]),  # no length counts
        ({"k1": 0}, [1, 1, 0]),  # only that a term is there
    ],
)
def test_weights_by_hand_and_what_each_constant_does(constants: dict[str, float], expected: list[float]) -> None:
    assert bm25(np.array([[2], [2], [0]]), np.array([10, 20, 10]), ONE, 10, **constants) == pytest.approx(expected)
