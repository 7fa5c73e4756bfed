"""Averages, tests, tables and plots of a whole comparison, against numbers computed by hand (see small_comparison)."""

from __future__ import annotations

import csv
import gzip
import math
from pathlib import Path

import numpy as np
import pytest

from lab.experiment.experiment import Experiment, experiment_of
from lab.judging.judging import JudgedCrawl, JudgedTopic
from lab.results import plots
from lab.results.plots import draw
from lab.results.results import Results
from lab.results.results_files import write_csv_files
from lab.results.results_table import table
from lab.tests.small_comparison import compared

# Recall of best_first after each page: one: 0 0 .5 1 1 1, two: 0 0 1 1; of breadth_first: one: 0 0 0 0 .5 1, two: 0 0 0 1
AREAS = {"best_first": (3.5 / 6, 2 / 4), "breadth_first": (1.5 / 6, 1 / 4)}


def experiment(*strategies: str, **plan: object) -> Experiment:
    values = {"web": ["demo"], "topics": ["topics"], **plan}
    return experiment_of({"experiment": values, "strategies": {name: {} for name in strategies}})


def crawl(strategy: str, topic: str, area: float, repeat: int = 1, **figures: float) -> JudgedCrawl:
    recall = np.array([0.0, area])
    return JudgedCrawl(
        strategy,
        topic,
        repeat,
        {"area_under_recall": area, **figures},
        {"target_recall": recall, "harvest_rate": recall},
    )


def topic(name: str, *crawls: JudgedCrawl) -> JudgedTopic:
    return JudgedTopic(name, 2, 3, 3, 0, list(crawls))


def judged(areas: dict[str, tuple[float, ...]]) -> list[JudgedTopic]:
    names = [f"topic{number}" for number in range(len(next(iter(areas.values()))))]
    return [
        topic(name, *(crawl(strategy, name, values[number]) for strategy, values in areas.items()))
        for number, name in enumerate(names)
    ]


def test_figures_are_means_over_topics_with_one_standard_error() -> None:
    results = Results(experiment(*AREAS), judged(AREAS))
    found = results.mean("area_under_recall", "best_first")
    assert found is not None
    assert (found.value, found.standard_error, found.topics) == (pytest.approx(6.5 / 12), pytest.approx(0.5 / 12), 2)


def test_repeats_are_averaged_before_topics() -> None:
    one = topic("one", crawl("dom", "one", 0.2, 1), crawl("dom", "one", 0.4, 2))
    results = Results(experiment("dom"), [one, topic("two", crawl("dom", "two", 0.9))])
    assert results.figures["area_under_recall"]["dom"] == {"one": pytest.approx(0.3), "two": 0.9}
    found = results.mean("area_under_recall", "dom")
    assert found is not None
    assert (found.value, found.topics) == (pytest.approx(0.6), 2)
    curve = results.curve("target_recall", "dom")
    assert curve is not None
    assert curve.values.tolist() == [0, pytest.approx(0.6)]
    assert curve.errors.tolist() == [0, pytest.approx(0.3)]


def test_the_spread_over_repeats_is_a_standard_deviation_averaged_over_topics(tmp_path: Path) -> None:
    areas = {"one": (0.2, 0.4, 0.6), "two": (0.5, 0.5, 0.5)}
    topics = [topic(name, *(crawl("dom", name, area, n) for n, area in enumerate(areas[name], 1))) for name in areas]
    results = Results(experiment("dom", repeats=3), topics)
    assert results.spread("area_under_recall", "dom") == pytest.approx((0.2 + 0.0) / 2)
    assert "| dom      | 0.450 ± 0.050 ~ 0.100 |" in table(results)
    assert "Behind ~ stands" in table(results)
    write_csv_files(results, tmp_path)
    with (tmp_path / "summary.csv").open(newline="") as file:
        assert next(csv.DictReader(file))["spread"] == "0.1"
    with (tmp_path / "per_crawl.csv").open(newline="") as file:
        assert [row["area_under_recall"] for row in csv.DictReader(file)] == ["0.2", "0.4", "0.6", "0.5", "0.5", "0.5"]


def test_a_figure_that_some_crawl_has_not_is_averaged_over_the_other_topics() -> None:
    one = topic("one", crawl("dom", "one", 0, 1, search_length=7), crawl("dom", "one", 0, 2, search_length=math.inf))
    results = Results(experiment("dom"), [one, topic("two", crawl("dom", "two", 0, search_length=5))])
    found = results.mean("search_length", "dom")
    assert found is not None
    assert (found.value, found.topics) == (5, 1)
    assert "| 5 (1)" in table(results)


MANY = {
    "dom": (0.5, 0.6, 0.7, 0.8, 0.65),
    "best_first": (0.4, 0.52, 0.57, 0.71, 0.55),
    "breadth_first": (0.52, 0.55, 0.7, 0.79, 0.66),
}


def test_the_challenger_is_tested_against_each_baseline_with_corrected_p_values() -> None:
    results = Results(experiment(*MANY), judged(MANY))
    by_name = {test.baseline: test for test in results.tests}
    assert list(by_name) == ["best_first", "breadth_first"]
    best = by_name["best_first"]
    assert best.comparison.difference.value == pytest.approx(0.1)
    assert best.t_test_holm == pytest.approx(2 * best.comparison.t_test)  # the smaller p of two
    assert by_name["breadth_first"].t_test_holm == pytest.approx(by_name["breadth_first"].comparison.t_test)
    assert best.comparison.low < 0.1 < best.comparison.high


def test_the_gap_to_the_oracle_is_measured_from_the_best_of_the_others() -> None:
    areas = {"dom": (0.5, 0.5), "best_first": (0.3, 0.5), "breadth_first": (0.1, 0.1), "oracle": (0.8, 0.8)}
    results = Results(experiment(*areas), judged(areas))
    assert results.gap_closed == ("best_first", pytest.approx(0.1 / 0.4))
    assert "Gap to the oracle closed: 25% of the way from best_first" in table(results)
    assert [test.baseline for test in results.tests] == ["best_first", "breadth_first"]


def test_the_table_of_two_strategies() -> None:
    lines = table(Results(experiment(*AREAS), judged(AREAS), ["**2 report topics**"])).splitlines()
    assert lines[:5] == [
        "# Comparison of best_first, breadth_first",
        "",
        "2 topics; 1,000 pages a crawl; mean over topics ± one standard error.",
        "",
        "- **2 report topics**",
    ]
    assert "| best_first    | 0.542 ± 0.042     |" in lines
    assert "| breadth_first | 0.250 ± 0.000     |" in lines
    assert lines.index("| best_first    | 0.542 ± 0.042     |") < lines.index("| breadth_first | 0.250 ± 0.000     |")
    row = next(line for line in lines if line.startswith("| breadth_first | +0.292"))
    assert row.split("|")[3].strip().startswith("+0.2")


def test_the_table_says_how_far_crawls_flatter_themselves() -> None:
    topics = [
        topic("one", crawl("dom", "one", 0.5, own_harvest_less_true=0.4, own_harvest_distance=0.4)),
        topic("two", crawl("dom", "two", 0.5, own_harvest_less_true=-0.2, own_harvest_distance=0.2)),
    ]
    lines = table(Results(experiment("dom"), topics)).splitlines()
    start = lines.index("## What the crawls believed")
    assert lines[start + 2] == "| strategy | difference    | distance      |"
    assert lines[start + 4] == "| dom      | 0.100 ± 0.300 | 0.300 ± 0.100 |"


def test_csv_files_hold_everything(tmp_path: Path) -> None:
    write_csv_files(Results(experiment(*MANY), judged(MANY)), tmp_path)

    def rows(name: str) -> list[dict[str, str]]:
        data = (tmp_path / name).read_bytes()
        text = gzip.decompress(data) if name.endswith(".gz") else data
        return list(csv.DictReader(text.decode().splitlines()))

    assert rows("summary.csv")[0] == {
        "strategy": "dom",
        "measure": "area_under_recall",
        "mean": "0.65",
        "standard_error": "0.05",
        "topics": "5",
        "spread": "",
    }
    assert rows("per_topic.csv")[1] == {"topic": "topic0", "strategy": "best_first", "area_under_recall": "0.4"}
    assert [(row["measure"], row["baseline"], row["difference"]) for row in rows("tests.csv")] == [
        ("area_under_recall", "best_first", "0.1"),
        ("area_under_recall", "breadth_first", "0.006"),
    ]
    curves = rows("curves.csv.gz")
    assert len(curves) == 5 * 3 * 2
    assert curves[1] == {
        "topic": "topic0",
        "strategy": "dom",
        "repeat": "1",
        "pages": "2",
        "target_recall": "0.5",
        "harvest_rate": "0.5",
    }


@pytest.fixture(autouse=True)
def two_plots(monkeypatch: pytest.MonkeyPatch) -> None:
    """Drawing takes its time: of the curves only two."""
    kept = ("target_recall", "average_precision")
    monkeypatch.setattr(plots, "CURVES", {name: plots.CURVES[name] for name in kept})


def results_of(folder: Path) -> Results:
    return compared(folder, measures={"windows": []})


def test_a_plot_names_every_strategy_and_is_the_same_file_every_time(tmp_path: Path) -> None:
    results = results_of(tmp_path)
    pictures = [{path.name: path.read_bytes() for path in draw(results, tmp_path / name)} for name in ("a", "b")]
    assert pictures[0] == pictures[1]
    text = pictures[0]["target_recall.svg"].decode()
    assert all(f"<!-- {strategy} -->" in text for strategy in ("best_first", "breadth_first"))
    assert pictures[0]["target_recall.png"].startswith(b"\x89PNG")
