"""lab/notes/evaluation.md tells of every yardstick and of who sees labels, and its example runs."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from lab.crawlers.yardsticks import get_yardstick, names
from lab.tests.test_documented_measures import example, section


def test_every_yardstick_is_in_the_table_and_nothing_else_is() -> None:
    rows = re.findall(r"^\| `(\w+)` \|.*\| (yes|no) \|$", section("Yardsticks"), re.MULTILINE)
    assert {name: answer == "yes" for name, answer in rows} == {
        name: get_yardstick(name).sees_labels for name in names()
    }


def test_every_yardstick_is_explained() -> None:
    assert sorted(re.findall(r"^- \*\*(\w+)\*\* ", section("Yardsticks"), re.MULTILINE)) == names()


def test_the_example_goes_straight_to_its_target(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    scope: dict[str, Any] = {}
    exec(example("Yardsticks"), scope)
    assert scope["order"].index(scope["target"]) == 7
