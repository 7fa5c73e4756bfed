"""lab/notes/evaluation.md tells of every measure, and its examples give the numbers that they state."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from lab import importance
from lab.measures import names

DOCUMENT = (Path(__file__).parents[2] / "lab/notes/evaluation.md").read_text()


def section(heading: str) -> str:
    return DOCUMENT.partition(f"\n## {heading}\n")[2].partition("\n## ")[0]


def example(heading: str) -> str:
    (code,) = re.findall(r"^```python\n(.*?)^```$", section(heading), re.MULTILINE | re.DOTALL)
    return str(code)


def test_every_measure_is_in_the_table_and_nothing_else_is() -> None:
    assert sorted(re.findall(r"^\| `(\w+)` \|", section("Measures"), re.MULTILINE)) == names()


def test_every_importance_is_in_the_table_and_nothing_else_is() -> None:
    assert sorted(re.findall(r"^\| `(\w+)` \|", section("Importance"), re.MULTILINE)) == importance.names()


def test_the_example_of_measures_gives_its_numbers() -> None:
    scope: dict[str, Any] = {}
    exec(example("Measures"), scope)
    stated = re.findall(r"^(\w+\(.*\))  # ([\d.]+)", example("Measures"), re.MULTILINE)
    assert len(stated) == 2
    for expression, number in stated:
        assert round(eval(expression, scope), 2) == float(number), expression


def test_the_example_of_statistics_runs() -> None:
    scope: dict[str, Any] = {}
    exec(example("Statistics"), scope)
    # differences .09, .06, -.02 of the topics' means
    assert scope["found"].difference.value == pytest.approx(0.13 / 3)
