"""Which code is changed, which tests are asked, what mutmut leaves, which changes may live, and what a person reads."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from focused.exceptions import FocusedError
from lab.mutation.mutants import Indifferent, Mutant, read_mutants
from lab.mutation.mutate import CONTRACT, DEFAULT, Trials, alive_in, files_of, numbers_of, selected_tests

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


ROOT = Path(__file__).parents[3]
NOTED = Indifferent({(re.compile("<=|<"), "<"): "no matter"}, {})


def mutant(after: str, verdict: str) -> Mutant:
    return Mutant("focused/a.py", 7, "f", "x < 1", after, verdict)  # type: ignore[arg-type]


MUTANTS = [mutant("x < 2", "killed"), mutant("x < 2", "alive"), mutant("x <= 1", "alive"), mutant("y", "untested")]


@pytest.mark.parametrize(
    ("file", "tests", "keywords"),
    [
        ("focused/papers/models/taxonomy.py", ["tests/models"], ""),
        ("lab/measures.py", ["lab/tests/measures"], ""),
        ("focused/strategies/dom.py", ["tests/strategies/test_dom.py", *CONTRACT], "not contract or [dom"),
        ("focused/papers/strategies/ss1.py", ["tests/strategies/ss1", *CONTRACT], "not contract or [ss1"),
    ],
)
def test_the_tests_of_a_file_lie_where_the_file_does(file: str, tests: list[str], keywords: str) -> None:
    assert selected_tests(Path(file)) == (tests, keywords)


def test_every_file_has_tests_that_are_there() -> None:
    for file in files_of(DEFAULT):
        for quick in (False, True):
            paths = [name.partition("::")[0] for name in selected_tests(file, quick=quick)[0]]
            assert [path for path in paths if not (ROOT / path).exists()] == [], file


@pytest.mark.parametrize("path", ["focused/strategies/hitz.py", "README.md", "tests", "/etc", "focused/topics"])
def test_what_is_no_code_is_refused_in_one_line(path: str) -> None:
    with pytest.raises(
        FocusedError, match=rf"^{re.escape(path)}: no .*; give a file or folder such as focused/strategies$"
    ):
        files_of([path])


def test_what_is_noted_is_not_shown_and_counts_apart() -> None:
    assert numbers_of(MUTANTS, NOTED) == [4, 1, 1, 1, 1]
    assert alive_in(MUTANTS, NOTED) == [
        ("focused/a.py:7", "x < 1", "x < 2", "alive"),
        ("focused/a.py:7", "x < 1", "y", "untested"),
    ]


def test_results_are_kept_until_the_file_or_a_test_changes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root, file = tmp_path / "root", Path("focused/scorers/half.py")
    test = root / "tests" / "scorers" / "test_half.py"
    for path in (root / file, test):
        path.parent.mkdir(parents=True)
        path.write_text("first")
    runs = []
    monkeypatch.setattr(Trials, "_run", lambda *_: runs.append(1) or True)
    monkeypatch.setattr("lab.mutation.mutate.read_mutants", lambda *_: MUTANTS)
    for text in ("first", "first", "second"):
        test.write_text(text)
        assert Trials(root, tmp_path / "out").mutants(file, lambda _: None) == MUTANTS
    assert len(runs) == 2


NOTES = Indifferent.read()


def reason(before: str, after: str, file: str = "a.py", function: str = "f") -> str | None:
    return NOTES.reason(Mutant(file, 1, function, before, after, "alive"))


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("np.array(x, np.int64)", "np.array(x, None)"),
        ("np.array(x, np.int64)", "np.array(x, )"),
        ("np.cumsum(x, dtype=np.float64)", "np.cumsum(x, )"),
        ("x.astype(np.float64)", "x.astype(None)"),
        ("zip(a, b, strict=True)", "zip(a, b, strict=False)"),
        ("np.fromiter(x, np.int64, len(x))", "np.fromiter(x, np.int64, )"),
    ],
)
def test_a_rule_holds_for_what_only_helps_types_and_memory(before: str, after: str) -> None:
    assert reason(before, after)


def test_every_note_speaks_of_a_line_that_is_there_and_gives_a_reason() -> None:
    """A line that was changed since must be looked at again."""
    stale = []
    for file, _, before, _ in NOTES.changes:
        code = " ".join((ROOT / file).read_text().split())
        if " ".join(before.split()) not in code:
            stale.append((file, before))
    assert stale == []
    assert all([*NOTES.changes.values(), *NOTES.rules.values()])
