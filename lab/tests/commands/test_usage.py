"""`python -m lab --help` names the commands of the laboratory."""

from __future__ import annotations

from lab.__main__ import usage


def test_it_names_the_commands_of_the_laboratory_and_no_others() -> None:
    named = [line.split()[0] for line in usage().splitlines() if line.startswith("  ")]
    assert named == ["calibrate", "datasets", "experiment", "figures", "fuzz"]
