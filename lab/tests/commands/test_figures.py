"""`python -m lab figures`, run in this process on a made-up web."""

from __future__ import annotations

import pytest

from lab.commands.figures import Command
from lab.figures.figure import Bench
from lab.figures.papers import get_figure, names
from lab.tests.figures.bench import bench
from tests.commands.running import refusal, run_command

__all__ = ["bench"]


def figures(bench: Bench, *arguments: str) -> int:
    folder = bench.folder.parent
    options = ("--processes", "1", "--out", str(folder / "figures"))
    return run_command(Command(), *options, *arguments, data_dir=folder / "data")


def test_without_a_name_all_are_listed_with_what_they_need(bench: Bench, capsys: pytest.CaptureFixture[str]) -> None:
    assert figures(bench) == 0
    listed = capsys.readouterr().out
    for name in names():
        assert name in listed
        assert get_figure(name).paper in listed


def test_a_figure_is_made_into_a_folder_of_its_name(bench: Bench, capsys: pytest.CaptureFixture[str]) -> None:
    assert figures(bench, "iq_learning", str(bench.webs["wikispeedia"])) == 0
    report = bench.folder.parent / "figures/iq_learning/figure.md"
    assert capsys.readouterr().out.startswith(report.read_text())
    assert report.read_text().startswith("# Ye, Li, Huang & Xu 2006")


@pytest.mark.parametrize(
    ("given", "told"),
    [
        (
            ["iq_learnin"],
            "iq_learnin: neither a figure nor a data set is called so: unknown; did you mean iq_learning?",
        ),
        (["iq_learning"], "iq_learning needs wikispeedia: give its archive"),
        (["all"], "augmented_seeds needs wikispeedia: give its archive"),
        (["iq_learning", "--processes", "0"], "--processes 0: give a number from 1 on"),
    ],
)
def test_a_mistake_is_one_clear_line(
    bench: Bench, capsys: pytest.CaptureFixture[str], given: list[str], told: str
) -> None:
    assert told in refusal(figures(bench, *given), capsys)
