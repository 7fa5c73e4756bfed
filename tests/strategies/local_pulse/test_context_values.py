"""Values of link contexts: classes of Q, and naive Bayes from words to class."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from focused.papers.strategies.local_pulse import ContextValues

LOG2 = math.log(2)
A, B, C, UNKNOWN = 7, 8, 9, 10
# Contexts: a | a b | c c | c b. Each term occurs in two of four: log N/df = log 2 = 0.6931472.
SAMPLES, TERMS = np.array([0, 1, 1, 2, 2, 3, 3]), np.array([A, A, B, C, C, C, B])
VALUES = ContextValues.fit(np.array([0.0, 0.0, 1.0, 0.8]), SAMPLES, TERMS, 5)


def predict(*terms: int, values: ContextValues = VALUES, value: str = "likeliest") -> float:
    evidence = values.evidence(np.zeros(len(terms), np.int64), np.array(terms, np.int64), 1)
    return float(values.predict(evidence, "expected" if value == "expected" else "likeliest")[0])


def test_a_class_is_worth_the_mean_q_of_its_samples_and_empty_intervals_make_none() -> None:
    # [0, .2) holds 0 and 0; [.8, 1] holds .8 and 1; the three between them nothing
    assert VALUES.values == pytest.approx([0.0, 0.9])
    assert np.exp(VALUES.log_priors) == pytest.approx([0.5, 0.5])


def test_terms_are_as_probable_as_equation_5_says() -> None:
    probabilities = np.exp(VALUES.log_likelihoods[[A, B, C]])
    weights = np.array([[2.0, 0.0], [1.0, 1.0], [0.0, 3.0]]) * LOG2
    totals = np.array([3.0, 4.0]) * LOG2
    assert probabilities == pytest.approx((1 + weights) / (3 + totals), rel=1e-6)
    assert probabilities[0, 0] == pytest.approx(0.469795, abs=1e-6)  # (1 + 2 log 2) / (3 + 3 log 2)


@pytest.mark.parametrize(
    ("terms", "q"),
    [
        ([A], 0.0),  # .4698 against 1 / (3 + 4 log 2) = .1732
        ([C], 0.9),
        ([B], 0.0),  # 1/3 against .2933
        ([B, C], 0.9),  # 1/3 · .1969 = .0656 against .2933 · .5335 = .1565
        ([UNKNOWN], 0.0),  # says nothing; of two equal priors the lower class
        ([], 0.0),
    ],
)
def test_a_context_has_the_mean_q_of_its_likeliest_class(terms: list[int], q: float) -> None:
    assert predict(*terms) == pytest.approx(q)


def test_an_expected_value_weighs_all_classes_by_probability() -> None:
    # P(second class | b c) = .156468 / (.156468 + .065624) = .704516
    assert predict(B, C, value="expected") == pytest.approx(0.9 * 0.704516, abs=1e-5)
    assert predict(UNKNOWN, value="expected") == pytest.approx(0.45)


def test_a_term_of_every_sample_tells_no_class() -> None:
    values = ContextValues.fit(np.array([0.0, 1.0]), np.array([0, 1]), np.array([A, A]), 2)
    assert np.exp(values.log_likelihoods[A]) == pytest.approx([1.0, 1.0])  # (1 + 0) / (1 + 0)


def test_equal_q_make_one_class() -> None:
    values = ContextValues.fit(np.array([0.3, 0.3]), np.array([0, 1]), np.array([A, B]), 5)
    assert predict(A, values=values) == pytest.approx(0.3)


def test_samples_without_any_term_teach_the_priors() -> None:
    values = ContextValues.fit(np.array([0.2]), np.empty(0, np.int64), np.empty(0, np.int64), 5)
    assert predict(A, values=values) == pytest.approx(0.2)


@given(st.lists(st.tuples(st.floats(0, 3), st.lists(st.integers(0, 9), max_size=5)), min_size=1, max_size=20))
def test_every_prediction_lies_within_the_q_that_were_seen(learned: list[tuple[float, list[int]]]) -> None:
    q = np.array([value for value, _ in learned])
    samples = np.array([i for i, (_, terms) in enumerate(learned) for _ in terms], np.int64)
    terms = np.array([term for _, context in learned for term in context], np.int64)
    values = ContextValues.fit(q, samples, terms, 5)
    for value in ("likeliest", "expected"):
        assert q.min() - 1e-9 <= predict(*range(5), values=values, value=value) <= q.max() + 1e-9


@given(
    values=st.lists(st.floats(0, 3), min_size=1, max_size=6, unique=True).map(sorted),
    links=st.lists(st.tuples(st.integers(0, 5), st.floats(0, 1)), min_size=1, max_size=20),
)
def test_pages_order_the_links_of_a_class_and_never_lift_one_into_the_next(
    values: list[float], links: list[tuple[int, float]]
) -> None:
    learned = ContextValues(np.array(values), np.zeros(len(values)), np.zeros((1, len(values)), np.float32))
    classes = np.array([number % len(values) for number, _ in links])
    pages = np.array([page for _, page in links])
    scores = learned.ties_broken(learned.values[classes], pages)
    order = np.lexsort((pages, classes))
    assert (np.diff(scores[order]) >= 0).all()


def test_pages_lift_a_link_by_up_to_half_the_way_to_the_next_class() -> None:
    scores = VALUES.ties_broken(np.array([0.0, 0.0, 0.9, 0.9]), np.array([0.2, 1.0, 0.0, 1.0]))
    assert scores == pytest.approx([0.09, 0.45, 0.9, 1.4])  # a further class would lie 1 above the last


def test_the_likeliest_class_is_meant_where_nothing_else_is_said() -> None:
    evidence = VALUES.evidence(np.zeros(2, np.int64), np.array([B, C]), 1)
    assert VALUES.predict(evidence).tolist() == VALUES.predict(evidence, "likeliest").tolist() == [pytest.approx(0.9)]
