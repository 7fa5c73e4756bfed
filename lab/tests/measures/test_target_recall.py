"""Target recall, against numbers counted by hand."""

from __future__ import annotations

import pytest

from focused.exceptions import FocusedError
from lab.measures import target_recall
from lab.tests.measures.crawls import crawl, judged


def test_it_is_the_share_of_targets_fetched() -> None:
    assert target_recall(crawl("x t y u"), judged("t u v w")).tolist() == [0.0, 0.25, 0.25, 0.5]


def test_targets_that_cannot_be_reached_count_only_if_asked_for() -> None:
    known = judged("t u v w", reachable="t u")
    assert target_recall(crawl("t x u"), known).tolist() == [0.5, 0.5, 1.0]
    assert target_recall(crawl("t x u"), known, of_all=True).tolist() == [0.25, 0.25, 0.5]


def test_also_relevant_pages_do_not_count() -> None:
    assert target_recall(crawl("o t"), judged("t", also="o")).tolist() == [0.0, 1.0]


def test_a_target_counts_though_its_bytes_came_before() -> None:
    assert target_recall(crawl("t u", duplicates={"u": "t"}), judged("t u")).tolist() == [0.5, 1.0]


def test_there_is_no_recall_where_no_target_can_be_reached() -> None:
    known = judged("t u", reachable="")
    with pytest.raises(FocusedError) as refusal:
        target_recall(crawl("x"), known)
    assert str(refusal.value) == (
        "judgements of topic solar: none of the 2 targets can be reached from the seeds, so there is no recall; "
        "choose other seeds"
    )
    assert target_recall(crawl("x"), known, of_all=True).tolist() == [0.0]


def test_another_topics_judgements_are_refused() -> None:
    with pytest.raises(FocusedError, match="cannot be measured by the judgements of topic solar"):
        target_recall(crawl("t", topic="wind"), judged("t"))
