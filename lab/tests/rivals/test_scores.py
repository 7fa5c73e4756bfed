"""What the tables say of crawls: by labels, and by topics rather than by crawls."""

from __future__ import annotations

import csv
from io import StringIO
from pathlib import Path

import pytest

from lab.rivals.crawls import Conditions, Files, Outcome
from lab.rivals.report import Judge, Score, compared_by, points, report, rows
from lab.tests.small_comparison import ONE, url
from lab.topics.labelled_topics import labelled_files, write_topics


def outcome(crawler: str, topic: str = "one", order: int = 0, pages: int = 4) -> Outcome:
    return Outcome(crawler, topic, order, "1", Conditions(pages, 10, 0.0, 1.0), "enough pages", 2.0, 3.0)


def score(crawler: str, topic: str, order: int, found: int, area: float, group: str = "") -> Score:
    return Score(outcome(crawler, topic, order), group, {4: found}, area, 4, 5, 9)


def judged(tmp_path: Path, fetched: str, pages: int = 4) -> Score:
    """A crawl of topic ``one``, of which t, u and the lost one are targets."""
    write_topics([ONE], tmp_path / "topics")
    (labelled,) = labelled_files([str(tmp_path / "topics")])
    files = Files(tmp_path / "out", "x", "one", 0)
    files.make_folder()
    files.log.write_text("".join(f"- GET {url(f'one/{page}')} 200 1\n" for page in fetched.split()))
    return Judge(labelled).score(files, outcome("x", pages=pages))


def test_targets_are_counted_by_the_labels(tmp_path: Path) -> None:
    made = judged(tmp_path, "hub t x u")
    assert (made.found, made.pages) == ({4: 2}, 4)


def test_pages_beyond_the_number_allowed_do_not_count(tmp_path: Path) -> None:
    made = judged(tmp_path, "hub x y z t u")
    assert (made.found, made.pages, made.requests) == ({4: 0}, 4, 6)


def test_a_crawl_that_ended_early_keeps_what_it_had(tmp_path: Path) -> None:
    assert judged(tmp_path, "hub t", pages=200).found == {100: 1, 200: 1}


def test_earlier_targets_make_more_area(tmp_path: Path) -> None:
    late, early = judged(tmp_path / "a", "hub x t u"), judged(tmp_path / "b", "t u hub x")
    assert late.found == early.found
    assert late.area < early.area


@pytest.mark.parametrize(("pages", "wanted"), [(50, [50]), (400, [100, 200, 400]), (500, [100, 200, 400, 500])])
def test_targets_are_counted_at_the_usual_points_and_at_the_end(pages: int, wanted: list[int]) -> None:
    assert points(pages) == wanted


def test_orders_of_a_topic_are_one_observation() -> None:
    """Ten crawls of one topic must not outweigh one of another, nor make an interval narrow."""
    scores = [score("a", "one", order, 10, 0.5) for order in range(10)] + [score("a", "two", 0, 20, 0.5)]
    scores += [score("b", "one", order, 0, 0.1) for order in range(10)] + [score("b", "two", 0, 0, 0.1)]
    made = compared_by(scores, "a", "b", lambda one: float(one.found[4]))
    assert made is not None
    comparison, wins, losses = made
    assert (comparison.difference.value, comparison.difference.topics, wins, losses) == (15.0, 2, 2, 0)
    assert "| a | 11 | 15.0 |" in report(scores, "a")


def test_a_topic_that_one_has_not_crawled_yet_counts_for_nobody() -> None:
    """A comparison that was stopped: means over other topics would be no comparison."""
    scores = [score("a", "one", 0, 10, 0.5), score("b", "one", 0, 0, 0.1), score("a", "two", 0, 99, 0.9)]
    assert "| a | 1 | 10.0 | 0.500 |" in report(scores, "a")
    assert report(scores[1:], "a") == "No topic was crawled by all yet.\n"


def test_each_kind_of_seeds_has_a_table_of_its_own() -> None:
    scores = [score(name, f"{t}-{g}", 0, 3, 0.5, g) for name in "ab" for t in "xy" for g in ("easy", "hard")]
    text = report(scores, "a")
    assert [line for line in text.splitlines() if line.startswith("##")] == [
        "## All topics (4)",
        "## Easy seeds (2)",
        "## Hard seeds (2)",
    ]
    assert "`a` less `b`:" in text


def test_one_topic_tells_no_difference() -> None:
    text = report([score(name, "one", 0, 3, 0.5) for name in "ab"], "a")
    assert "fewer than 2 topics, nothing to tell" in text


def test_the_table_of_crawls_holds_every_crawl() -> None:
    (row,) = csv.DictReader(StringIO(rows([score("a", "one", 3, 7, 0.25, "easy")])))
    assert (row["crawler"], row["order"], row["seeds"], row["found_4"], row["area"]) == (
        "a",
        "3",
        "easy",
        "7",
        "0.25000",
    )
