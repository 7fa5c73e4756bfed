"""How far live and simulated crawls differ: rows as they are found, and what their mean says."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from benchmarks.live_difference import (
    IN_FLIGHT,
    TABLE,
    Difference,
    Event,
    main,
    offline,
    same_picks,
    under_way,
    verdict,
)
from focused.evaluation.wikispeedia_topics import development, wikispeedia_topics
from focused.webs.wikispeedia import Wikispeedia
from tests.evaluation.small_topics import write_birds


def run(monkeypatch: pytest.MonkeyPatch, *arguments: object) -> None:
    monkeypatch.setattr("sys.argv", ["live_difference", *map(str, arguments)])
    main()


def test_a_topic_crawled_to_its_end_gives_the_same_pages_live_and_simulated(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    birds, out = write_birds(tmp_path, development()[:1]), tmp_path / "out"
    run(monkeypatch, birds, "--strategies", "best_first", "--topics", 1, "--pages", 60, "--orders", 2, "--out", out)
    (row,) = csv.DictReader((out / TABLE).read_text().splitlines())
    assert (row["topic"], row["strategy"], row["in_common"]) == ("engineering-near", "best_first", "1.0")
    assert 0.5 < float(row["area_live"]) <= 1
    assert 0.5 < float(row["area_simulated"]) <= 1
    assert row["same_picks"] == "1.0"
    assert 1 <= float(row["under_way"]) <= int(row["most_under_way"]) <= IN_FLIGHT
    assert "| best_first | engineering-near | 100% |" in capsys.readouterr().out


def test_picks_are_counted_up_to_the_first_that_the_core_would_not_have_made(tmp_path: Path) -> None:
    web = Wikispeedia(write_birds(tmp_path, development()[:1]), "article")
    (topic,) = wikispeedia_topics(web, development()[:1])
    first, second, *_ = topic.seeds
    made, analysed = offline(web, topic, "breadth_first", pages=10)
    events = [Event("pick", 0, first), Event("page", 0, first), Event("pick", 1, second)]
    assert same_picks(made, analysed, events) == 1
    assert same_picks(made, analysed, [events[2], *events[:2]]) == 0


def test_what_is_under_way_is_counted_at_each_pick() -> None:
    kinds = ("pick", "pick", "page", "pick", "failed", "page", "pick")
    assert under_way([Event(kind, 0, "") for kind in kinds]) == [1, 2, 2, 1]


def found(topic: str, live: float, simulated: float) -> Difference:
    return Difference(topic, "dom", 0.5, 0.9, live, simulated, 0.02, 1.0, 15.0, 16)


def test_the_verdict_is_the_mean_difference_over_topics_and_its_interval() -> None:
    said = verdict([found("one", 0.3, 0.2), found("two", 0.4, 0.3), found("three", 0.2, 0.1)])
    assert said.startswith("dom, 3 topics: 50% of pages in common, area live 0.300, simulated 0.200")
    assert "difference +0.1000 (95 % interval +0.1000 to +0.1000)" in said
    assert said.endswith("order alone moves the area of a topic by 0.020")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--strategies", "worst_first"], "worst_first"),
        (["--out", "{birds}/articles.tsv"], "cannot be written"),
    ],
)
def test_a_mistake_is_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str], message: str
) -> None:
    birds = write_birds(tmp_path, development()[:1])
    with pytest.raises(SystemExit, match=message) as ended:
        run(monkeypatch, birds, "--topics", 1, *(argument.format(birds=birds) for argument in arguments))
    assert "\n" not in str(ended.value)
