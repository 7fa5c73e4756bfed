"""Logistic regression over links: its probabilities by hand, where words stand, and what shares of worth mean."""

import math

import numpy as np
import pytest

from focused.page.page import Page
from focused.scorers.regressions import FIELDS, LinkRegression
from focused.scorers.vectors import HASHED, number
from focused.testing.toy_world import make_page

ANCHOR, CONTEXT, URL, TITLE = range(FIELDS)
GOOD, BAD = "http://good.example/", "http://bad.example/"


def by_hand(*weights: tuple[int, str, float], head: int = 0) -> LinkRegression:
    """b = -1, and the weights of words by the place where they stand."""
    found = np.zeros((FIELDS, HASHED), np.float32)
    for place, word, weight in weights:
        found[place, number(word)] = weight
    return LinkRegression(found, -1.0, 10, head)


def learned(page: Page, worth: dict[str, float], **options: float) -> LinkRegression | None:
    return LinkRegression.fit([page] * 10, worth, **{"cost": 10.0, "window": 0, "head": 0, "least": 1, **options})


def probability(logit: float) -> float:
    return 1 / (1 + math.exp(-logit))


@pytest.mark.parametrize(
    ("url", "logit"),
    [
        ("http://a.example/", -1 + 0.5 + 0.25),  # solar in anchor and context
        ("http://a.example/~solar/x9/Cell.html", -1 + 0.75 + 2.0 + 3.0),
        ("http://a.example/papers/1998", -1 + 0.75 + 4.0),  # any number of four digits
    ],
)
def test_the_probability_is_that_of_the_formula(url: str, logit: float) -> None:
    model = by_hand(
        (ANCHOR, "solar", 0.5), (CONTEXT, "solar", 0.25), (URL, "~", 2.0), (URL, "cell", 3.0), (URL, "0000", 4.0)
    )
    page = make_page("http://source.example/", ("tax", []), ("solar", [url]))
    assert model.promise(page) == pytest.approx([probability(logit)])


def test_the_title_of_the_source_counts_for_all_its_links_and_text_further_down_for_none() -> None:
    model = by_hand((TITLE, "faculty", 2.0), (TITLE, "rugby", 5.0), head=1)
    page = make_page("http://source.example/", ("faculty", []), ("ada", [GOOD]), ("rugby", [BAD]))
    assert model.promise(page) == pytest.approx([probability(1.0)] * 2)


def test_a_page_without_links_has_no_promises() -> None:
    assert by_hand().promise(make_page("http://source.example/", ("tax", []))).shape == (0,)


def test_words_that_led_to_pages_on_topic_promise_more() -> None:
    model = learned(make_page("http://hub.example/", ("solar cell", [GOOD]), ("tax law", [BAD])), {GOOD: 1.0, BAD: 0.0})
    assert model is not None
    solar, unknown, tax = model.promise(
        make_page("http://x.example/", *((text, ["http://y.example/"]) for text in ("solar", "rugby", "tax")))
    )
    assert solar > 0.8 > unknown > 0.2 > tax


def test_a_link_of_some_worth_promises_as_much() -> None:
    page = make_page("http://hub.example/", ("list", [GOOD]), ("tax", [BAD]))
    model = learned(page, {GOOD: 0.5, BAD: 0.0}, cost=1e4)
    assert model is not None
    assert model.promise(page) == pytest.approx([0.5, 0.0], abs=0.02)


def test_it_learns_where_every_link_is_worth_something() -> None:
    page = make_page("http://hub.example/", ("solar", [GOOD]), ("tax", [BAD]))
    model = learned(page, {GOOD: 1.0, BAD: 0.25})
    assert model is not None
    solar, tax = model.promise(page)
    assert solar > tax + 0.2


def test_links_to_pages_of_which_nothing_is_known_and_to_the_page_itself_teach_nothing() -> None:
    links = [("solar", [GOOD]), ("tax", [BAD])]
    beside = [("solar", ["http://unknown.example/"]), ("rugby", ["http://hub.example/"])]
    plain, more = (make_page("http://hub.example/", ("top", []), *(links + rest)) for rest in ([], beside))
    worth = {GOOD: 1.0, BAD: 0.0, "http://hub.example/": 1.0}
    one, other = learned(plain, worth), learned(more, worth)
    assert one is not None and other is not None
    assert np.array_equal(one.weights, other.weights) and one.intercept == other.intercept


def test_rare_words_are_unknown() -> None:
    page = make_page("http://hub.example/", ("solar", [GOOD]), ("tax", [BAD]), ("tax", ["http://worse.example/"]))
    model = learned(page, {GOOD: 1.0, BAD: 0.0, "http://worse.example/": 0.0}, least=11)
    assert model is not None
    assert np.flatnonzero(model.weights.any(axis=0)).tolist() == [number("tax")]


@pytest.mark.parametrize(("worth", "least"), [({GOOD: 1.0}, 1), ({BAD: 0.0}, 1), ({}, 1), ({GOOD: 1.0, BAD: 0.0}, 11)])
def test_nothing_is_learned_from_links_that_do_not_differ_or_have_no_word_in_common(
    worth: dict[str, float], least: int
) -> None:
    page = make_page("http://hub.example/", ("solar", [GOOD]), ("tax", [BAD]))
    assert learned(page, worth, least=least) is None
