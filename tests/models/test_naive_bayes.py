"""Naive Bayes by hand: counts, Laplace's smoothing, priors, and what a long text does."""

from math import log

import numpy as np
import pytest
from numpy.typing import NDArray

from focused.papers.models.taxonomy import NaiveBayes, rows, tally

# Class 0: a a b in two texts, class 1: b c in one. |V| = 3, n_0 = 3, n_1 = 2.
BAYES = NaiveBayes.fit([["a", "a"], ["b"], ["b", "c"]], [0, 0, 1], 2)


def evidence(bayes: NaiveBayes, terms: list[str]) -> NDArray[np.float32]:
    """(n, c) log P(t | c) of n terms."""
    return bayes.log_likelihoods[rows(bayes.vocabulary, terms)]


def test_a_term_is_as_probable_as_it_is_frequent_in_the_class_plus_one() -> None:
    assert BAYES.vocabulary == {"a": 0, "b": 1, "c": 2}
    expected = [[3 / 6, 1 / 5], [2 / 6, 2 / 5], [1 / 6, 2 / 5]]
    assert np.exp(evidence(BAYES, ["a", "b", "c"])) == pytest.approx(np.array(expected))
    assert np.exp(BAYES.log_priors) == pytest.approx([2 / 3, 1 / 3])


def test_a_posterior_is_prior_times_the_probability_of_every_term() -> None:
    # 2/3 * 3/6 * 2/6 = 1/9 against 1/3 * 1/5 * 2/5 = 2/75: 25/31
    assert BAYES.probabilities(["a", "b"]) == pytest.approx([25 / 31, 6 / 31])


def test_unknown_terms_and_an_empty_text_leave_the_priors() -> None:
    assert BAYES.probabilities(["x", "y"]) == pytest.approx([2 / 3, 1 / 3])
    assert BAYES.probabilities([]) == pytest.approx([2 / 3, 1 / 3])


def test_with_a_length_a_longer_text_counts_as_one_of_so_many_known_terms() -> None:
    long = ["a"] * 6 + ["b"] * 6 + ["x"] * 100
    assert BAYES.probabilities(long, length=2) == pytest.approx(BAYES.probabilities(["a", "b"]))
    assert BAYES.probabilities(["a"], length=2) == pytest.approx(BAYES.probabilities(["a"]))
    assert BAYES.probabilities(long)[0] > 0.99


def test_thousands_of_terms_overflow_nothing() -> None:
    assert BAYES.probabilities(["a"] * 100_000) == pytest.approx([1.0, 0.0])


def test_rare_terms_stay_out_of_the_vocabulary() -> None:
    bayes = NaiveBayes.fit([["a", "a"], ["b"], ["b", "c"]], [0, 0, 1], 2, least=2)
    assert bayes.vocabulary == {"b": 0}
    assert evidence(bayes, ["b"])[0] == pytest.approx([log(2 / 2), log(2 / 2)])


def test_terms_that_none_of_its_texts_has_neither_count_nor_speak() -> None:
    shared = {"x": 0, "a": 1, "b": 2, "c": 3}
    texts = [["a", "a"], ["b"], ["b", "c"]]
    bayes = NaiveBayes.of_tallies(shared, [tally(shared, text) for text in texts], [0, 0, 1], 2)
    assert evidence(bayes, ["a", "b", "c"]) == pytest.approx(evidence(BAYES, ["a", "b", "c"]))
    assert evidence(bayes, ["x"]).tolist() == [[0.0, 0.0]]


def test_a_class_without_texts_is_impossible() -> None:
    assert NaiveBayes.fit([["a"]], [0], 2).probabilities(["a"]).tolist() == [1.0, 0.0]


def test_a_term_of_several_texts_counts_once_in_each() -> None:
    # class 0: a 3, b 1 in two texts, |V| = 2
    bayes = NaiveBayes.fit([["a", "a"], ["a", "b"]], [0, 0], 1)
    assert np.exp(evidence(bayes, ["a", "b"])[:, 0]) == pytest.approx([4 / 6, 2 / 6])
    assert NaiveBayes.fit([["a"]], [0], 1).log_priors.tolist() == [0.0]


def test_a_text_as_long_as_the_length_is_not_shortened() -> None:
    for terms in (["a"], ["a", "b"]):
        assert BAYES.probabilities(terms, length=len(terms)) == pytest.approx(BAYES.probabilities(terms))
