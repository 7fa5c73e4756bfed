"""A whole comparison on a tiny web: what it finds, that it goes on where it stopped, and that one failure costs one crawl."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from lab.experiment.comparing import write_results
from lab.experiment.experiment import experiment_of, read_tables
from lab.results import plots
from lab.tests.small_comparison import ONE, TWO, compared, comparing, small_experiment, url
from lab.tests.small_comparison import labelled as topic_of
from tests import small_web
from tests.commands.running import crawled


def test_best_first_goes_through_the_hubs_and_breadth_first_around_them(tmp_path: Path) -> None:
    results = compared(tmp_path)
    areas = results.figures["area_under_recall"]
    assert areas["best_first"] == {"one": pytest.approx(3.5 / 6), "two": pytest.approx(2 / 4)}
    assert areas["breadth_first"] == {"one": pytest.approx(1.5 / 6), "two": pytest.approx(1 / 4)}
    assert results.figures["target_recall_of_all"]["best_first"] == {"one": pytest.approx(2 / 3), "two": 1.0}
    assert results.notes == [
        "Targets that cannot be reached from the seeds: 1 of 4.",
        "Labels that name URLs which are not recorded: 1.",
    ]


def test_everything_is_written_and_the_experiment_can_be_repeated(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(plots, "CURVES", {"target_recall": "recall"})  # drawing takes its time
    experiment = small_experiment(tmp_path, measures={"windows": [50]})
    results, out = comparing(tmp_path, experiment).run(), tmp_path / "out"
    text = write_results(results, out)
    assert (out / "table.md").read_text() == text
    assert {path.name for path in out.iterdir()} == {
        *("crawls", "plots", "experiment.toml", "table.md"),
        *("summary.csv", "per_topic.csv", "per_crawl.csv", "tests.csv", "curves.csv.gz"),
    }
    drawn = ("target_recall", "harvest_rate_50", "area_under_recall")
    assert {path.name for path in (out / "plots").iterdir()} == {
        f"{name}.{form}" for name in drawn for form in plots.FORMATS
    }
    assert experiment_of(read_tables(out / "experiment.toml")) == experiment


def test_a_stopped_comparison_makes_only_the_crawls_that_are_missing(tmp_path: Path) -> None:
    experiment = small_experiment(tmp_path)
    first = comparing(tmp_path, experiment)
    figures = first.run().figures
    times = {crawl.path: crawl.path.stat().st_mtime_ns for crawl in first.crawls}
    lost = first.crawls[1].path
    lost.unlink()
    again = comparing(tmp_path, experiment)
    assert [crawl.path for crawl in again.missing] == [lost]
    assert again.run().figures["area_under_recall"] == figures["area_under_recall"]
    assert lost.exists()
    assert all(path.stat().st_mtime_ns == time for path, time in times.items() if path != lost)


def test_a_crawl_that_fails_is_named_and_does_not_lose_the_others(tmp_path: Path) -> None:
    lost = replace(topic_of("lost", "one/t"), seeds=("http://nowhere.example/",))
    results = compared(tmp_path, topics=[ONE, TWO, lost])
    assert [topic.name for topic in results.topics] == ["one", "two"]
    assert results.notes[-1] == (
        "Missing: best_first on lost, repeat 1; breadth_first on lost, repeat 1: "
        "no page was fetched (not recorded): is a seed of the topic recorded?"
    )


def test_topics_to_report_on_are_marked_in_the_table(tmp_path: Path) -> None:
    results = compared(tmp_path, topics=[ONE, replace(TWO, origin={"split": "report"})])
    assert results.notes[0].startswith("**Report topics: 1 of 2, for final figures only.**")


def test_an_earlier_crawl_with_labels_of_ones_own_is_a_test_bed(tmp_path: Path) -> None:
    crawled(tmp_path / "test")
    targets = frozenset(small_web.url_of(number) for number in (9, 15))
    one = topic_of("one", "one/t")
    mine = replace(
        one,
        keywords=("solar energy",),
        seeds=(small_web.url_of(0),),
        judgements=replace(one.judgements, topic="mine", targets=targets),
    )
    results = compared(tmp_path, topics=[mine], experiment={"web": [str(tmp_path / "test")]})
    assert results.figures["target_recall"]["best_first"] == {"mine": 1.0}
    assert results.notes == [
        "The web is an earlier crawl: a URL that it did not fetch is unknown here, not irrelevant."
    ]


def test_robustness_is_measured_where_there_are_seeds_to_part(tmp_path: Path) -> None:
    two_seeds = replace(ONE, seeds=(url("one/hub"), url("one/")))
    results = compared(tmp_path, topics=[two_seeds, TWO], experiment={"robustness": True})
    # One half fetches the hub and both targets, the other all six pages: 2 * 3 / (3 + 6).
    assert results.figures["robustness"]["breadth_first"] == {"one": pytest.approx(6 / 9)}
    assert len([crawl for crawl in results.crawls if crawl.topic == "one"]) == 2


def test_processes_find_the_same_as_one(tmp_path: Path) -> None:
    experiment = small_experiment(tmp_path, experiment={"repeats": 2}, network={"in_flight": 2, "delay": 0})
    alone = comparing(tmp_path, experiment).run().figures["area_under_recall"]
    together = comparing(tmp_path / "together", experiment, processes=2).run().figures["area_under_recall"]
    assert together == alone
