"""Logistic regression over pages: its probabilities by hand, its features, and what it says of texts it does not know."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from focused.scorers.regressions import FEATURES, PageRegression
from focused.scorers.vectors import HASHED, number

TEXTS = [["solar", "panel"], ["solar", "cell"], ["tax", "law"], ["tax", "court"]] * 5
ON_TOPIC = [True, True, False, False] * 5


def learned(texts: list[list[str]] = TEXTS, on_topic: list[bool] = ON_TOPIC, **options: int) -> PageRegression:
    return PageRegression.fit(texts, on_topic, **{"cost": 10.0, "head": 1, "least": 2, **options})


def by_hand(body: dict[str, tuple[float, float]], head: dict[str, tuple[float, float]], size: int) -> PageRegression:
    """Idf and weight of terms in the text and in the head, b = -1."""
    idf, weights = np.zeros(FEATURES, np.float32), np.zeros(FEATURES, np.float32)
    for half, terms in enumerate((body, head)):
        for term, values in terms.items():
            idf[number(term) + half * HASHED], weights[number(term) + half * HASHED] = values
    return PageRegression(idf, weights, -1.0, size)


def test_the_probability_is_that_of_the_formula() -> None:
    model = by_hand({"a": (1.0, 3.0), "b": (2.0, 0.5)}, {"a": (1.5, 2.0)}, 1)
    a, b, title = (1 + math.log(2)) * 1.0, 2.0, 1.5  # a twice, b once, a in the head once
    logit = -1 + (3.0 * a + 0.5 * b + 2.0 * title) / math.sqrt(a**2 + b**2 + title**2)
    assert model.relevance(["a", "b", "a", "unknown"]) == pytest.approx(1 / (1 + math.exp(-logit)))


def test_a_text_without_known_terms_is_as_probable_as_any() -> None:
    model = learned()
    assert model.relevance([]) == model.relevance(["never", "met"]) == pytest.approx(0.5, abs=0.01)


def test_idf_is_that_of_the_texts_and_rare_terms_are_unknown() -> None:
    model = learned(TEXTS[:4], ON_TOPIC[:4])
    assert model.idf[number("solar")] == pytest.approx(1 + math.log(5 / 3))
    assert model.idf[number("panel")] == 0
    assert np.count_nonzero(model.idf) == 4  # solar and tax, in the text and in the head


def test_words_of_the_head_tell_pages_apart_whose_texts_have_the_same_words() -> None:
    texts = [["solar", "x", "tax"], ["tax", "x", "solar"]] * 10
    model = learned(texts, [True, False] * 10)
    assert model.relevance(texts[0]) > 0.9
    assert model.relevance(texts[1]) < 0.1
    without = learned(texts, [True, False] * 10, head=0)
    assert without.relevance(texts[0]) == without.relevance(texts[1]) == pytest.approx(0.5, abs=0.01)


def test_of_rare_pages_it_expects_few() -> None:
    shares = [learned([["same"]] * 40, [n < count for n in range(40)]).relevance(["same"]) for count in (2, 20)]
    assert shares == pytest.approx([0.05, 0.5], abs=0.02)


def test_texts_without_a_term_in_common_teach_how_many_are_on_topic() -> None:
    model = learned([[f"word{n}"] for n in range(8)], [n < 2 for n in range(8)])
    assert model.relevance(["word1"]) == pytest.approx(0.25)


@given(st.lists(st.text(max_size=4), max_size=20))
def test_any_terms_have_a_probability(terms: list[str]) -> None:
    model = by_hand({"a": (1.0, 30.0)}, {}, 8)
    assert 0.0 <= model.relevance(terms) <= 1.0
