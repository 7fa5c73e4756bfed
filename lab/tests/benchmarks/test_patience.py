"""The benchmark of patience: what is counted of a crawl by its virtual clock, and what the table says."""

from __future__ import annotations

from pathlib import Path

import pytest

from focused.simulation.web_opener import WebOpener
from lab.benchmarks.patience import crawled, ways
from lab.benchmarks.patience_figures import Crawled, Way, csv_of, draw, table
from lab.tests.small_comparison import ONE, write_small_web
from lab.topics.labelled_files import LabelledFile, labelled_files
from lab.topics.labelled_topics import write_topics

#: Three pages, at 1, 2 and 70 seconds; the second and the third are targets, of four.
CRAWLED = Crawled("one", Way(0.8, 1, pages=2, minutes=1.0, most=9), (1.0, 2.0, 70.0), (0, 1, 2), 0.5, 4)


@pytest.fixture
def topic(tmp_path: Path) -> LabelledFile:
    write_topics([ONE], tmp_path / "topics")
    return labelled_files([str(tmp_path / "topics")])[0]


@pytest.fixture
def opener(tmp_path: Path) -> WebOpener:
    return WebOpener([str(write_small_web(tmp_path))], tmp_path / "cache")


def test_what_is_found_in_a_time_may_be_limited_to_so_many_pages() -> None:
    assert [CRAWLED.after(minutes) for minutes in (0.01, 1, 2)] == [0, 0.25, 0.5]
    assert CRAWLED.after(2, pages=2) == 0.25
    assert (CRAWLED.pages, CRAWLED.seconds) == (2, 2.0)


def test_a_crawl_of_the_small_web_is_judged_by_its_targets_and_its_clock(
    topic: LabelledFile, opener: WebOpener
) -> None:
    found = crawled(topic, Way(0.8, 1, pages=4, minutes=1.0, most=100), opener)
    assert (found.found[-1], found.targets) == (2, 3)  # the third is recorded nowhere
    assert list(found.times) == sorted(found.times) and found.times[0] > 0
    assert 0 < found.area <= 1


def test_a_budget_ends_a_crawl_in_time(topic: LabelledFile, opener: WebOpener) -> None:
    enough = crawled(topic, Way(0.8, 1, pages=100, minutes=10.0, budget=True), opener)
    in_a_second = crawled(topic, Way(0.8, 1, pages=100, minutes=1 / 60, budget=True), opener)
    assert len(in_a_second.times) < len(enough.times)


def test_every_topic_is_crawled_with_each_patience_and_with_each_time() -> None:
    names = [way.name for way in ways((0, 0.8), 1, 500, 2000, (1, 5))]
    assert names == ["0", "0.8", "budget of 1 minutes", "budget of 5 minutes"]


def test_the_table_tells_what_is_not_known() -> None:
    cut = Crawled("one", Way(0, 1, pages=2, minutes=1.0, most=3), (1.0, 2.0, 3.0), (0, 1, 1), 0.25, 4)
    limited = Crawled("one", Way(0.8, 1, pages=2, minutes=1.0, budget=True), (1.0, 2.0), (0, 1), 0.5, 4)
    *_, patient, impatient, budget = [
        [cell.strip() for cell in row.split("|")[1:-1]] for row in table([CRAWLED, cut, limited], [1.0])
    ]
    assert patient == ["0.8", "0.500", "2", "1.00", "0.001", "0.250", "0.250"]
    assert impatient[-1] == "≥ 0.250"  # it had its three pages before the minute was over
    assert budget[1] == "-" and budget[-1] == ""


def test_figures_and_pictures_are_written(tmp_path: Path) -> None:
    assert len(csv_of([CRAWLED], [1.0]).splitlines()) == 2
    assert all(file.stat().st_size for file in draw([CRAWLED], tmp_path))
