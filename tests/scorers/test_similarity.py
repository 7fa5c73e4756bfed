"""Cosines of pages, anchors and link contexts agree with the definition; nested contexts count by hand."""

import math
from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from focused.scorers.similarity import (
    anchor_similarities,
    context_similarities,
    page_and_context_similarities,
    page_similarity,
    query_length,
    query_weights,
)
from focused.testing.toy_world import make_page

QUERY = {"solar": 2, "cell": 1}  # |q| = sqrt(4 + 1) = sqrt 5
words = st.sampled_from(["solar", "cell", "tax", "law", "größe", "太阳能"])
queries = st.dictionaries(words, st.integers(1, 9))
paragraphs = st.lists(
    st.tuples(st.lists(words, max_size=9).map(" ".join), st.lists(st.just("http://b.example/"), max_size=3)), max_size=6
)


def cosine_by_definition(query: Mapping[str, int], terms: Sequence[str]) -> float:
    counts = Counter(terms)
    dot = sum(weight * counts[term] for term, weight in query.items())
    lengths = math.sqrt(sum(w * w for w in query.values())) * math.sqrt(sum(c * c for c in counts.values()))
    return dot / lengths if lengths else 0.0


def test_weights_of_terms_are_those_of_the_query() -> None:
    assert query_weights(QUERY, ["cell", "tax", "solar", "solar"]).tolist() == [1, 0, 2, 2]
    assert query_length(QUERY) == pytest.approx(2.2360680)  # sqrt 5


def test_nested_contexts_are_judged_each_by_its_own_span() -> None:
    page = make_page("http://a.example/", ("solar tax", ["http://b.example/"]), ("law law", ["http://c.example/"]))
    outer = page.links[1]
    outer.context_start, outer.context_norm = 0, page.norm  # now the whole page: solar 1, tax 1, law 2
    # dot = 2; inner 2 / (sqrt 5 sqrt 2) = 2 / sqrt 10; outer 2 / (sqrt 5 sqrt 6) = 2 / sqrt 30
    assert context_similarities(QUERY, page) == pytest.approx([0.6324555, 0.3651484])


@given(queries, paragraphs)
def test_all_similarities_agree_with_the_definition(
    query: dict[str, int], paragraphs: list[tuple[str, list[str]]]
) -> None:
    page = make_page("http://a.example/", *paragraphs)
    anchors = [cosine_by_definition(query, page.terms[link.anchor_start : link.anchor_end]) for link in page.links]
    contexts = [cosine_by_definition(query, page.terms[link.context_start : link.context_end]) for link in page.links]
    whole, around_links = page_and_context_similarities(query, page)
    assert page_similarity(query, page) == pytest.approx(cosine_by_definition(query, page.terms))
    assert whole == pytest.approx(page_similarity(query, page))
    assert anchor_similarities(query, page) == pytest.approx(np.array(anchors))
    assert around_links == pytest.approx(np.array(contexts))
    assert context_similarities(query, page) == pytest.approx(np.array(contexts))
    assert 0 <= whole <= 1 and all(0 <= similarity <= 1 for similarity in around_links)


def test_a_text_that_is_the_query_has_similarity_1_whatever_rounding_does() -> None:
    for words in ("solar", "solar cell tax"):  # 3 / (√3 · √3) is 1.0000000000000002
        page = make_page("http://a.example/", (words, ["http://b.example/"]))
        page.links[0].anchor_end = len(page.terms)
        query = dict.fromkeys(page.terms, 1)
        whole, contexts = page_and_context_similarities(query, page)
        found = [page_similarity(query, page), whole, *contexts, *anchor_similarities(query, page)]
        assert found == [1.0] * 4
