"""Shark-search: equations 2 to 5 on pages small enough to count, and the depth bound of fish-search."""

from dataclasses import replace

import numpy as np
import pytest

from focused.crawl.arrays import FloatArray
from focused.page.page import Page
from focused.strategies.shark_search import SharkSearch
from focused.testing.toy_world import Visits, make_page, toy_world

# Anchors are the first two terms of a paragraph. cos(q, page) = 3 / (sqrt 1 sqrt(9 + 1 + 1 + 1 + 1 + 1)) = 3 / sqrt 14
PAGE = make_page(
    "http://a.example/",
    ("solar cell solar", ["http://b.example/"]),  # anchor = 1 / sqrt 2, so that the context counts 1
    ("tax law solar", ["http://c.example/"]),  # anchor = 0, context = 1 / sqrt 3
    ("hat box", ["http://d.example/"]),  # anchor = 0, context = 0
)
PAGE_COSINE = 3 / 14**0.5
IRRELEVANT = make_page("http://n.example/", ("tax", ["http://m.example/"]))


def score(page: Page, parts: tuple[float, ...] = (), **options: float) -> tuple[FloatArray, FloatArray]:
    """Scores and parts of the links of a page that was chosen by a score of these parts."""
    return SharkSearch(SharkSearch.Options(**options), toy_world({"solar": 1})).score(
        replace(Visits().of(page), parts=parts)
    )


def test_the_parts_are_inherited_anchor_context_and_depth() -> None:
    inherited = 0.5 * PAGE_COSINE
    assert score(PAGE)[1] == pytest.approx(
        np.array([[inherited, 0.5**0.5, 1, 3], [inherited, 0, 3**-0.5, 3], [inherited, 0, 0, 3]])
    )


@pytest.mark.parametrize(
    ("options", "scores"),
    [
        ({}, [0.5832887, 0.2581810, 0.2004459]),  # half of each of the next two
        ({"gamma": 1.0}, [0.4008919, 0.4008919, 0.4008919]),  # what is inherited alone: 0.5 * 0.8017837
        ({"gamma": 0.0}, [0.7656854, 0.1154701, 0.0]),  # the neighbourhood alone
        ({"gamma": 0.0, "beta": 1.0}, [0.7071068, 0.0, 0.0]),  # the anchor alone
        ({"gamma": 0.0, "beta": 0.0}, [1.0, 0.5773503, 0.0]),  # the context alone
        ({"gamma": 1.0, "delta": 0.1}, [0.0801784, 0.0801784, 0.0801784]),
    ],
)
def test_the_options_weigh(options: dict[str, float], scores: list[float]) -> None:
    assert score(PAGE, **options)[0] == pytest.approx(scores)


def test_a_page_that_is_not_relevant_hands_on_what_it_inherited() -> None:
    scores, parts = score(IRRELEVANT, parts=(0.4, 0.9, 1.0, 3.0))
    assert parts == pytest.approx(np.array([[0.2, 0, 0, 2]]))
    assert scores == pytest.approx([0.1])
    assert score(PAGE, parts=(0.4, 0.9, 1.0, 3.0), threshold=0.9)[1][0, 0] == pytest.approx(0.2)
    assert score(IRRELEVANT)[0] == pytest.approx([0.0])  # a seed inherits nothing


def test_a_path_ends_as_in_fish_search() -> None:
    assert np.isnan(score(IRRELEVANT, parts=(0.4, 0.0, 0.0, 1.0))[0]).all()
    assert np.isnan(score(IRRELEVANT, depth=1)[0]).all()
