"""Distinct relevant hosts, against numbers counted by hand."""

from __future__ import annotations

from lab.measures import distinct_relevant_hosts
from lab.tests.measures.crawls import crawl, judged


def test_a_host_counts_once_and_only_for_a_relevant_page() -> None:
    run, known = crawl("a/x a/t b/y b/t a/u c/o"), judged("a/t a/u b/t", also="c/o")
    assert distinct_relevant_hosts(run, known).tolist() == [0, 1, 1, 2, 2, 3]


def test_a_mirror_is_no_host_of_its_own() -> None:
    run = crawl("a/t b/t", duplicates={"b/t": "a/t"})
    assert distinct_relevant_hosts(run, judged("a/t b/t")).tolist() == [1, 1]


def test_a_crawl_without_pages_has_an_empty_curve() -> None:
    assert distinct_relevant_hosts(crawl(""), judged("t")).tolist() == []
