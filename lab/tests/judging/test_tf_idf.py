"""Similarity to a description, against numbers computed by hand from equations 2 and 3 of Pant & Menczer 2003."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from focused.exceptions import FocusedError
from lab.judging.evidence import similarities

# |C| = 3; df: cell 1, roof 2, wind 2; ln 3 = 1.098612, ln 1.5 = 0.405465
PAGES = {"one": ["cell", "roof", "cell"], "two": ["roof", "wind"], "three": ["wind"]}


def test_similarity_is_the_cosine_of_the_weights() -> None:
    # d = (cell 1.098612, wind 0.405465), length 1.171047
    # one = (cell 1.098612, roof 0.75 x 0.405465), length 1.139923: 1.206949 / 1.334904
    # two = (roof 0.405465, wind 0.405465), length 0.573414: 0.164402 / 0.671495
    # three = (wind 0.405465): 0.405465 / 1.171047
    found = similarities(["cell", "wind"], PAGES)
    assert found == {url: pytest.approx(value, abs=1e-6) for url, value in FOUND.items()}


FOUND = {"one": 0.904147, "two": 0.244830, "three": 0.346241}


def test_terms_that_no_page_holds_change_nothing() -> None:
    assert similarities(["cell", "wind", "unheard"], PAGES) == similarities(["cell", "wind"], PAGES)


def test_a_term_that_all_pages_hold_weighs_nothing() -> None:
    assert similarities(["wind"], {"one": ["wind"], "two": ["wind", "cell"]}) == {"one": 0.0, "two": 0.0}


def test_an_empty_page_is_similar_to_nothing_but_counts_in_the_collection() -> None:
    found = similarities(["wind"], {"one": ["wind"], "two": []})
    assert found == {"one": pytest.approx(1.0), "two": 0.0}


def test_an_empty_description_is_refused() -> None:
    with pytest.raises(FocusedError, match=r"^the topic's description has no terms, so .*; write a longer one$"):
        similarities([], PAGES)


TEXTS = st.lists(st.sampled_from("abcdef"), max_size=8)


@given(st.lists(st.sampled_from("abcdefg"), min_size=1), st.lists(TEXTS, max_size=6))
def test_similarity_lies_between_0_and_1_whatever_the_pages_are(description: list[str], texts: list[list[str]]) -> None:
    pages = {str(number): text for number, text in enumerate(texts)}
    found = similarities(description, pages)
    assert found.keys() == pages.keys()
    assert all(0.0 <= value <= 1.0 for value in found.values())


def test_the_description_is_weighed_like_a_page_a_rare_term_of_it_at_least_by_half() -> None:
    # ln(3/1), of all three terms: d = (cell 1, roof .5 + .5 · 1/4 = .625), length 1.179248; each page is one term
    pages = {"cell": ["cell"], "roof": ["roof"], "wind": ["wind"]}
    found = similarities(["cell", "cell", "cell", "cell", "roof"], pages)
    assert found == {"cell": pytest.approx(1 / 1.179248), "roof": pytest.approx(0.625 / 1.179248), "wind": 0.0}


def test_a_page_that_is_the_description_has_similarity_1_whatever_rounding_does() -> None:
    description = ["roof", "cell", "cell"]
    assert similarities(description, {"same": description, "one": ["law"], "two": ["tax"]})["same"] == 1.0
