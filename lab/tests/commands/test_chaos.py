"""`python -m lab chaos`: chooses scenarios, writes the table, and says what is wrong."""

from __future__ import annotations

import csv

import pytest
from scrapy.cmdline import execute

import lab.commands.chaos
from lab.chaos.kills import Kill
from lab.chaos.scene import SCENARIOS, Outcome, Scenario, Scene
from lab.chaos.server import Web

OUTCOMES = {
    "well": Outcome([0], "", ended="dead end | all is fetched", good=frozenset({"a"}), collected=["a"]),
    "ill": Outcome([1], "", ended="no host \x1b[31manswers"),
}


@pytest.fixture
def chaos(monkeypatch, tmp_path, capsys):
    """Runs the command with two made-up scenarios; returns exit code, stdout and stderr."""
    monkeypatch.setenv("SCRAPY_SETTINGS_MODULE", "lab.settings")
    made_up = {name: Scenario(name, f"is {name}", lambda: Scene(Web(), (), 1)) for name in OUTCOMES}
    made_up["lacking"] = Scenario("lacking", "", lambda: Scene(Web(), (), 1), ("no_such_module",))
    monkeypatch.setattr(lab.commands.chaos, "SCENARIOS", made_up)
    monkeypatch.setattr(lab.commands.chaos, "run", lambda scenario, _: OUTCOMES[scenario.name])

    def call(*arguments):
        with pytest.raises(SystemExit) as end:
            execute(["python -m lab", "chaos", "--out", str(tmp_path), *arguments])
        return end.value.code, *capsys.readouterr()

    return call


def test_scenarios_are_listed(chaos):
    code, out, _ = chaos("--list")
    assert code == 0
    assert "is well" in out
    assert "no_such_module" in out


def test_all_run_and_what_is_wrong_is_said(chaos, tmp_path):
    code, out, err = chaos()
    assert code == 1
    assert "ill, exit: exit code 1: no host  [31manswers" in out
    assert "left out, this machine has no no_such_module" in err
    rows = list(csv.DictReader((tmp_path / "chaos.csv").read_text().splitlines()))
    assert [(row["scenario"], row["wrong"], row["good pages"]) for row in rows] == [
        ("well", "", "1 of 1"),
        ("ill", "exit", "0 of 0"),
    ]
    table = (tmp_path / "chaos.md").read_text()
    assert "| dead end / all is fetched |" in table
    assert "\x1b" not in table + out + err


def test_mistakes_are_told_in_one_line(chaos):
    assert "wel: unknown; did you mean well?" in chaos("wel")[2]
    assert "--kills -1: give a number from 0 on" in chaos("--kills", "-1")[2]


def test_kills_are_made_and_judged_as_well(chaos, monkeypatch, tmp_path):
    def kill_twice(times, out, say):
        say(f"{times} in {out.name}")
        return [Kill(1, 1, 5, 2, "well", ""), Kill(2, 1, 5, 99, "well", "too much was asked again")]

    monkeypatch.setattr(lab.commands.chaos, "run_kills", kill_twice)
    (tmp_path / "kills").mkdir()
    (tmp_path / "kills" / "old").touch()
    code, out, err = chaos("well", "--kills", "2")
    assert (code, "2 in kills" in err) == (1, True)
    assert "kill 2: too much was asked again" in out
    assert "kill 1" not in out
    assert not (tmp_path / "kills").exists()  # what an earlier run left there


def test_the_real_scenarios_have_names_of_their_own():
    assert {"dead_links", "robots_files", "strategy-adaptive", "restarts"} <= SCENARIOS.keys()
    assert all(name == scenario.name and scenario.about for name, scenario in SCENARIOS.items())
