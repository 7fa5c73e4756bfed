"""Page models: hand-computed relevances, limits, and what a misspelt name is answered."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from focused.scorers.relevance import page_model, page_model_version
from focused.testing.toy_world import make_page

KEYWORDS = {"solar": 1}
TEXTS = [["solar", "cell", "cell", "cell", "cell"]]

words = st.text("abc", min_size=1, max_size=2)
texts = st.lists(words, max_size=12)


def test_cosine_compares_a_page_with_the_keywords_alone() -> None:
    relevance = page_model("cosine", KEYWORDS, TEXTS)
    # dot = 1, |q| = 1, |p| = sqrt 2
    assert relevance(make_page("http://a.example/", ("solar cell", []))) == pytest.approx(0.7071068)
    assert relevance(make_page("http://a.example/", ("cell", []))) == 0.0


def test_centroid_gives_keywords_and_each_text_the_same_weight_however_long_they_are() -> None:
    relevance = page_model("centroid", KEYWORDS, TEXTS)
    # text = (1, 4) / sqrt 17 = (0.2425356, 0.9701425); keywords = (1, 0); their sum = (1.2425356, 0.9701425)
    # |sum| = sqrt(1.5438948 + 0.9411765) = 1.5764109; the page (0, 1): 0.9701425 / 1.5764109
    assert relevance(make_page("http://a.example/", ("cell", []))) == pytest.approx(0.6154122)
    # the page (1, 1): (1.2425356 + 0.9701425) / (1.5764109 * 1.4142136) = 2.2126781 / 2.2293817
    assert relevance(make_page("http://a.example/", ("solar cell", []))) == pytest.approx(0.9925076)


def test_centroid_of_keywords_alone_is_cosine() -> None:
    page = make_page("http://a.example/", ("solar cell cell", []))
    assert page_model("centroid", KEYWORDS, [])(page) == pytest.approx(page_model("cosine", KEYWORDS, [])(page))


@pytest.mark.parametrize("name", ["cosine", "centroid"])
@given(keywords=st.dictionaries(words, st.integers(1, 5)), examples=st.lists(texts), page=texts)
def test_relevance_lies_between_0_and_1_whatever_is_empty(
    name: str, keywords: dict[str, int], examples: list[list[str]], page: list[str]
) -> None:
    assert 0 <= page_model(name, keywords, examples)(make_page("http://a.example/", (" ".join(page), []))) <= 1


def test_an_unknown_model_is_refused_and_the_nearest_is_named() -> None:
    with pytest.raises(ValueError, match=r"^page model 'centriod': unknown; did you mean centroid\?$"):
        page_model("centriod", KEYWORDS, [])


@given(st.dictionaries(words, st.integers(1, 5)), texts)
def test_what_the_terms_add_sums_up_to_the_relevance(keywords: dict[str, int], terms: list[str]) -> None:
    model, page = page_model("cosine", keywords, []), make_page("http://a.example/", (" ".join(terms), []))
    shares = model.shares(page)
    assert sum(shares.values()) == pytest.approx(model(page))
    assert {term for term, share in shares.items() if share} == keywords.keys() & set(terms)


def test_of_a_model_that_is_like_none_all_are_listed() -> None:
    with pytest.raises(ValueError, match=r"^page model 'tf': unknown; page models: cosine, centroid$"):
        page_model("tf", KEYWORDS, [])


def test_a_page_model_has_a_version_and_one_that_is_not_ours_has_none() -> None:
    assert page_model_version("cosine") == "page model cosine 1"
    assert page_model_version("somebody's") == "page model somebody's"
