"""Which code is changed, which tests are asked, and what a person reads in the end."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from focused.exceptions import FocusedError
from lab.mutation.mutants import Indifferent, Mutant
from lab.mutation.mutate import CONTRACT, DEFAULT, Trials, alive_in, files_of, numbers_of, selected_tests

ROOT = Path(__file__).parents[3]
NOTED = Indifferent({(re.compile("<=|<"), "<"): "no matter"}, {})


def mutant(after: str, verdict: str) -> Mutant:
    return Mutant("focused/a.py", 7, "f", "x < 1", after, verdict)  # type: ignore[arg-type]


MUTANTS = [mutant("x < 2", "killed"), mutant("x < 2", "alive"), mutant("x <= 1", "alive"), mutant("y", "untested")]


@pytest.mark.parametrize(
    ("file", "tests", "keywords"),
    [
        ("focused/scoring/hits.py", ["tests/scoring"], ""),
        ("lab/measures/robustness.py", ["lab/tests/measures"], ""),
        ("focused/strategies/dom.py", ["tests/strategies/test_dom.py", *CONTRACT], "not contract or [dom"),
        ("focused/strategies/ss1/ancestors.py", ["tests/strategies/ss1", *CONTRACT], "not contract or [ss1"),
    ],
)
def test_the_tests_of_a_file_lie_where_the_file_does(file: str, tests: list[str], keywords: str) -> None:
    assert selected_tests(Path(file)) == (tests, keywords)


def test_every_file_has_tests_that_are_there() -> None:
    for file in files_of(DEFAULT):
        for quick in (False, True):
            paths = [name.partition("::")[0] for name in selected_tests(file, quick=quick)[0]]
            assert [path for path in paths if not (ROOT / path).exists()] == [], file


def test_the_contract_tests_that_are_asked_are_there() -> None:
    for test in CONTRACT:
        path, *_, name = test.split("::")
        assert f"def {name}(" in (ROOT / path).read_text()


def test_a_folder_stands_for_all_its_files_and_each_is_taken_once() -> None:
    files = files_of(["focused/scoring", "focused/scoring/hits.py"])
    assert Path("focused/scoring/hits.py") in files
    assert len(files) == len(set(files))
    assert not [file for file in files if file.name == "__init__.py"]


@pytest.mark.parametrize("path", ["focused/scoring/hitz.py", "README.md", "tests", "/etc", "focused/topics"])
def test_what_is_no_code_is_refused_in_one_line(path: str) -> None:
    with pytest.raises(
        FocusedError, match=rf"^{re.escape(path)}: no .*; give a file or folder such as focused/scoring$"
    ):
        files_of([path])


def test_what_is_noted_is_not_shown_and_counts_apart() -> None:
    assert numbers_of(MUTANTS, NOTED) == [4, 1, 1, 1, 1]
    assert alive_in(MUTANTS, NOTED) == [
        ("focused/a.py:7", "x < 1", "x < 2", "alive"),
        ("focused/a.py:7", "x < 1", "y", "untested"),
    ]


def test_results_are_kept_until_the_file_or_a_test_changes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root, file = tmp_path / "root", Path("focused/scoring/half.py")
    test = root / "tests" / "scoring" / "test_half.py"
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


def test_what_no_test_calls_is_untested(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Trials, "_run", lambda *_: False)
    monkeypatch.setattr("lab.mutation.mutate.read_mutants", lambda *_: MUTANTS)
    (tmp_path / "lab").mkdir()
    (tmp_path / "lab" / "a.py").write_text("")
    (tmp_path / "lab" / "tests").mkdir()
    found = Trials(tmp_path, tmp_path / "out").mutants(Path("lab/a.py"), lambda _: None)
    assert {mutant.verdict for mutant in found} == {"untested"}
