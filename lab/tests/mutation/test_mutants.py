"""What mutmut leaves is read as a person would write it: file, line, function, before and after, and what the tests said."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from focused.exceptions import FocusedError
from lab.mutation.mutants import Mutant, read_mutants

CODE = """\
LIMIT = 2


def half(number):
    return number / 2


class Counter:
    def __init__(self):
        self.count = 0

    def add(
        self, number, least=1
    ):
        if number >= least:
            self.count += number
"""
#: As mutmut writes it: a copy for every change, and one of the original, beside what calls them.
MUTATED = """\
LIMIT = 2


def half(number):
    return number / 2

def x_half__mutmut_orig(number):
    return number / 2

def x_half__mutmut_1(number):
    return number * 2


class Counter:
    def __init__(self):
        self.count = 0

    def xǁCounterǁadd__mutmut_orig(
        self, number, least=1
    ):
        if number >= least:
            self.count += number

    def xǁCounterǁadd__mutmut_1(
        self, number, least=2
    ):
        if number >= least:
            self.count += number

    def xǁCounterǁadd__mutmut_2(
        self, number, least=1
    ):
        if number > least:
            self.count += number
"""
FILE = "focused/half.py"


@pytest.fixture
def work(tmp_path: Path) -> Path:
    for path, text in ((tmp_path / FILE, CODE), (tmp_path / "mutants" / FILE, MUTATED)):
        path.parent.mkdir(parents=True)
        path.write_text(text)
    return tmp_path


def said(work: Path, **codes: int | None) -> None:
    names = {"half": "focused.half.x_half__mutmut_1"}
    names |= {f"add{number}": f"focused.half.xǁCounterǁadd__mutmut_{number}" for number in (1, 2)}
    meta = {"exit_code_by_key": {names[short]: code for short, code in codes.items()}, "durations_by_key": {}}
    (work / "mutants" / f"{FILE}.meta").write_text(json.dumps(meta))


def test_changes_stand_in_order_of_their_lines_before_and_after(work: Path) -> None:
    said(work, add2=1, add1=0, half=0)
    assert read_mutants(work, FILE) == [
        Mutant(FILE, 5, "half", "return number / 2", "return number * 2", "alive"),
        Mutant(FILE, 13, "Counter.add", "self, number, least=1", "self, number, least=2", "alive"),
        Mutant(FILE, 15, "Counter.add", "if number >= least:", "if number > least:", "killed"),
    ]


@pytest.mark.parametrize(
    ("code", "verdict"),
    [
        *[(0, "alive"), (1, "killed"), (3, "killed"), (-24, "killed"), (36, "killed"), (-11, "killed")],
        *[(33, "untested"), (5, "untested"), (None, "pending"), (2, "pending")],
    ],
)
def test_a_change_is_killed_by_a_test_that_fails_hangs_or_crashes(work: Path, code: int | None, verdict: str) -> None:
    said(work, half=code)
    assert [mutant.verdict for mutant in read_mutants(work, FILE)] == [verdict]


@pytest.mark.parametrize("text", [None, "{", "{}"])
def test_without_a_result_one_line_says_so(work: Path, text: str | None) -> None:
    if text is not None:
        (work / "mutants" / f"{FILE}.meta").write_text(text)
    with pytest.raises(FocusedError, match=r"^focused/half\.py: mutmut has left no result in "):
        read_mutants(work, FILE)
