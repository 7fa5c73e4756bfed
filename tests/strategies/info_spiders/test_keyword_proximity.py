"""Keyword proximity: the nearer a keyword stands to a link, the more it counts."""

import numpy as np
import pytest

from focused.page.page import Page
from focused.papers.strategies.info_spiders import keyword_proximities
from focused.testing.toy_world import make_page

KEYWORDS = ("solar", "wind")


def inputs(page: Page, window: int = 10) -> list[list[float]]:
    return [[float(value) for value in row] for row in keyword_proximities(KEYWORDS, page, window)]


def test_an_occurrence_counts_one_in_the_anchor_and_less_with_every_term_between() -> None:
    # the anchor is the first two terms of the paragraph: "solar x"
    page = make_page("http://a.example/", ("wind y", []), ("solar x solar y wind solar", ["http://b.example/"]))
    # solar: 1 + 1/2 + 1/5; wind: 1/3 before, 1/4 after
    assert inputs(page) == [pytest.approx([1 + 1 / 2 + 1 / 5, 1 / 3 + 1 / 4])]


def test_what_lies_outside_of_the_window_does_not_count() -> None:
    page = make_page("http://a.example/", ("wind y", []), ("solar x solar y wind solar", ["http://b.example/"]))
    assert inputs(page, 1) == [pytest.approx([1 + 1 / 2, 0])]
    assert inputs(page, 0) == [pytest.approx([1, 0])]


def test_each_link_has_its_own() -> None:
    texts = [("solar x", ["http://b.example/", "http://c.example/"]), ("y wind", ["http://d.example/"])]
    assert inputs(make_page("http://a.example/", *texts)) == [
        pytest.approx([1, 1 / 3]),
        pytest.approx([1, 1 / 3]),
        pytest.approx([1 / 3, 1]),
    ]


def test_no_links_no_terms_or_no_keywords_give_nothing() -> None:
    empty = make_page("http://a.example/", ("", ["http://b.example/"]))
    assert inputs(empty) == [[0.0, 0.0]]
    assert inputs(make_page("http://a.example/", ("solar", []))) == []
    assert keyword_proximities((), empty, 10).shape == (1, 0)
    assert keyword_proximities((), empty, 10).dtype == np.float64
