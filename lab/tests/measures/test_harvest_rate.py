"""Harvest rate, against numbers counted by hand."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from focused.exceptions import FocusedError
from lab.measures import harvest_rate
from lab.tests.measures.crawls import crawl, judged


def test_it_is_the_share_of_relevant_pages() -> None:
    assert harvest_rate(crawl("t x o y"), judged("t", also="o")).tolist() == [1.0, 0.5, pytest.approx(2 / 3), 0.5]


def test_neutral_pages_count_neither_for_nor_against() -> None:
    assert harvest_rate(crawl("n t m x"), judged("t", neutral="n m")).tolist() == [0.0, 1.0, 1.0, 0.5]


def test_a_duplicate_counts_as_a_page_and_not_as_relevant_again() -> None:
    assert harvest_rate(crawl("t u", duplicates={"u": "t"}), judged("t u")).tolist() == [1.0, 0.5]


def test_a_crawl_without_pages_has_an_empty_curve() -> None:
    assert harvest_rate(crawl(""), judged("t")).tolist() == []
    assert harvest_rate(crawl(""), judged("t"), window=5).tolist() == []


def test_a_window_without_pages_is_refused() -> None:
    with pytest.raises(FocusedError, match=r"^the window of the harvest rate must be 1 page or more, not 0$"):
        harvest_rate(crawl("t"), judged("t"), window=0)


@given(st.lists(st.sampled_from("txn"), max_size=12), st.integers(1, 15))
def test_the_sliding_rate_is_that_of_a_crawl_of_the_windows_pages(kinds: list[str], window: int) -> None:
    names = [f"{kind}{number}" for number, kind in enumerate(kinds)]
    targets = [name for name in names if name.startswith("t")]
    known = judged(" ".join(["t", *targets]), neutral=" ".join(name for name in names if name.startswith("n")))
    sliding = harvest_rate(crawl(" ".join(names)), known, window)
    for end in range(1, len(names) + 1):
        assert sliding[end - 1] == harvest_rate(crawl(" ".join(names[max(0, end - window) : end])), known)[-1]
