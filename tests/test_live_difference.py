"""How far live and simulated crawls differ: rows as they are found, and what their mean says."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from benchmarks.live_difference import IN_FLIGHT, TABLE, Difference, main, verdict
from focused.evaluation.wikispeedia_topics import development
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
    assert 1 <= float(row["under_way"]) <= int(row["most_under_way"]) <= IN_FLIGHT
    assert "| best_first | engineering-near | 100% |" in capsys.readouterr().out


def found(topic: str, live: float, simulated: float) -> Difference:
    return Difference(topic, "dom", 0.5, 0.9, live, simulated, 0.02, 15.0, 16)


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
