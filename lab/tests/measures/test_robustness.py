"""Robustness, against the overlap of sets."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from focused.exceptions import FocusedError
from lab.measures import robustness
from lab.tests.measures.crawls import crawl


@pytest.mark.parametrize("other", [{"strategy": "best_first"}, {"topic": "wind"}])
def test_only_crawls_of_one_strategy_on_one_topic_are_compared(other: dict[str, str]) -> None:
    with pytest.raises(FocusedError, match=r"^robustness compares one strategy on one topic with itself, not run of"):
        robustness(crawl("a"), crawl("a", **other))


ORDERS = st.lists(st.sampled_from("abcdef"), unique=True, max_size=6)


@given(ORDERS, ORDERS)
def test_it_is_the_overlap_of_the_sets_fetched_so_far_whichever_comes_first(one: list[str], other: list[str]) -> None:
    expected = [
        2 * len({*one[:pages]} & {*other[:pages]}) / (len(one[:pages]) + len(other[:pages]))
        for pages in range(1, max(len(one), len(other)) + 1)
    ]
    assert robustness(crawl(" ".join(one)), crawl(" ".join(other))).tolist() == pytest.approx(expected)
    assert robustness(crawl(" ".join(other)), crawl(" ".join(one))).tolist() == pytest.approx(expected)
