"""The experiment of Almpanidis et al. (2007): their printed figures stand beside ours, computed by hand on a made-up WebKB."""

from __future__ import annotations

from pathlib import Path

import pytest

from lab.benchmarks import reproduce_webkb
from lab.benchmarks.reproduce_webkb import PAPER, STRATEGIES, reproduce
from lab.experiment import comparing
from tests.lab.small_topics import write_webkb


@pytest.fixture
def report(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    monkeypatch.setattr(comparing, "draw", lambda *_: [])
    return reproduce(write_webkb(tmp_path), tmp_path / "out", 1, ["breadth_first", "dom"]).splitlines()


def cells(lines: list[str], name: str) -> list[str]:
    line = next(line for line in lines if line.startswith(f"| {name}"))
    return [cell.strip() for cell in line.strip("|").split("|")[1:]]


def test_the_papers_figures_of_a_strategy_stand_above_ours(report: list[str]) -> None:
    student = report[report.index("## student") : report.index("## course")]
    assert cells(student, "hcla, paper") == ["0.56", "0.37", "0.21", "0.18", "0.43", "0.35"]
    assert len([line for line in student if ", paper" in line]) == len(PAPER)
    names = [line.split("|")[1].strip() for line in student if ", paper" in line or ", here" in line]
    assert names.index("breadth_first, here") == names.index("breadth_first, paper") + 1
    # The student's page comes fourth at every university: P = 1/4, R = 1, F1 = 0.5 / 1.25.
    assert cells(student, "breadth_first, here") == ["0.25"] * 3 + ["0.40"] * 3


def test_a_kind_that_some_university_does_not_link_to_has_no_mean(report: list[str]) -> None:
    course = report[report.index("## course") : report.index("## faculty")]
    assert cells(course, "dom, here") == ["-"] * 6


def test_every_strategy_of_the_papers_table_takes_part() -> None:
    assert {*PAPER, "plsi_phits"} <= set(STRATEGIES)
    assert "rl_spider" not in STRATEGIES


def test_crawls_go_to_the_end_one_request_at_a_time(tmp_path: Path) -> None:
    made = reproduce_webkb.experiment(tmp_path, tmp_path, ["dom"])
    assert (made.plan.pages, made.network.in_flight, made.network.delay) == (0, 1, 0)
