"""`python -m lab experiment`, run in this process on a tiny web."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from lab.commands.experiment import Command
from lab.experiment import comparing
from lab.tests.small_comparison import ONE, TWO, write_small_web
from lab.topics.labelled_topics import write_topics
from tests.commands.running import refusal, run_command


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write_topics([ONE, TWO], tmp_path / "topics")
    write_small_web(tmp_path)
    return tmp_path


@pytest.fixture(autouse=True)
def no_plots(monkeypatch: pytest.MonkeyPatch) -> None:
    """Drawing takes its time, and has tests of its own."""
    monkeypatch.setattr(comparing, "draw", lambda *_: [])


def compare(folder: Path, *arguments: str) -> int:
    return run_command(
        Command(), "--processes", "1", "--out", str(folder / "out"), *arguments, data_dir=folder / "data"
    )


def arguments(folder: Path, strategies: str = "best_first,breadth_first") -> tuple[str, ...]:
    network = ("--in-flight", "1", "--delay", "0")
    return ("--strategies", strategies, "--topics", str(folder / "topics"), *network, str(folder / "webkb"))


def test_the_table_is_printed_and_all_results_are_written(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert compare(folder, *arguments(folder)) == 0
    captured = capsys.readouterr()
    assert captured.out.startswith("# Comparison of best_first, breadth_first\n")
    assert captured.out.startswith((folder / "out/table.md").read_text())
    assert "4 crawls into" in captured.err
    assert captured.out.splitlines()[-1] == f"All results are in {folder / 'out'}: table.md, CSV files, plots."


def test_the_written_experiment_repeats_what_the_options_said_and_options_override_it(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert compare(folder, *arguments(folder), "--pages", "5") == 0
    written = folder / "out/experiment.toml"
    before = written.read_text()
    assert compare(folder, str(written)) == 0
    assert written.read_text() == before
    assert "4 are there already" in capsys.readouterr().err
    options = ("--pages", "4", "--strategies", "breadth_first", "--robustness", "--challenger", "breadth_first")
    assert compare(folder, *options, str(written)) == 0
    tables = tomllib.loads(written.read_text())
    assert (tables["experiment"]["pages"], tables["experiment"]["robustness"]) == (4, True)
    assert (list(tables["strategies"]), tables["network"]["in_flight"]) == (["breadth_first"], 1)


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        (("--strategies", "don"), "[strategies.don] name: 'don' is unknown; did you mean dom?"),
        (("--pages", "-1"), "--pages: must be at least 0, not -1"),
        (("--challenger", "best_frist"), "--challenger: 'best_frist' is unknown; did you mean best_first?"),
        (("--topics", "nowhere"), "nowhere: no topic with labels there"),
        (("--processes", "0"), "--processes 0: give a number from 1 on"),
        (("--latency", "nan"), "--latency: "),
    ],
)
def test_a_mistake_is_one_clear_line(
    folder: Path, capsys: pytest.CaptureFixture[str], changed: tuple[str, ...], told: str
) -> None:
    assert told in refusal(compare(folder, *arguments(folder), *changed), capsys)
