"""Average precision at N, against numbers computed by hand."""

from __future__ import annotations

import pytest

from focused.exceptions import FocusedError
from lab.measures import average_precision_at
from lab.tests.measures.crawls import crawl, page

SIMILARITIES = {page("a"): 0.5, page("b"): 0.1, page("c"): 0.3, page("never"): 0.9}


def test_it_is_the_mean_similarity_of_the_pages_so_far() -> None:
    curve = average_precision_at(crawl("a b c"), SIMILARITIES)
    assert curve.tolist() == [pytest.approx(value) for value in (0.5, 0.3, 0.3)]


def test_a_crawl_without_pages_has_an_empty_curve() -> None:
    assert average_precision_at(crawl(""), SIMILARITIES).tolist() == []


def test_a_page_that_is_in_no_collection_is_refused() -> None:
    with pytest.raises(FocusedError) as refusal:
        average_precision_at(crawl("a x y"), SIMILARITIES)
    assert str(refusal.value) == (
        "run of dom on topic solar, seed 0: 2 of its pages have no relevance, 'http://a.example/x' for one; "
        "compute it for the pages of all runs that are compared"
    )
