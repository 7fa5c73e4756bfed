"""The scorecard counts what it says, keeps its rows, and names what has become worse."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from focused.exceptions import EvaluationError
from lab.scorecard.__main__ import measure
from lab.scorecard.card import COLUMNS, PARTS, before, row_of, rows_of, worse, write_rows
from lab.scorecard.house import code_lines, house
from lab.scorecard.starting import EMPTY

ONE = '''"""Two lines
of text."""

class Twice:
    """Text."""

    a = 1

    def f(self): ...

    def g(self): ...
'''
FILES = {
    "focused/__init__.py": '"""A package."""\n',
    "focused/settings.py": "A = 1\n",
    "focused/one.py": ONE,
    "focused/room/two.py": "class Twice: ...\n\n\nclass _Own: ...\n",
    "focused/room/three.py": "class Once: ...\n\n\nclass _Own: ...\n",
    "focused/commands/a.py": "class Command: ...\n",
    "focused/commands/b.py": "class Command: ...\n",
    "lab/a.py": "A = 1\nB = 2\n",
    "lab/tests/test_a.py": "A = 1\n",
    "tests/test_a.py": "A = 1\n",
    "docs/how-to/a.md": "three words here\n",
    "README.md": "# One\n",
}


def test_a_checkout_is_counted(tmp_path: Path) -> None:
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    found = house(tmp_path)
    assert {name: found[name] for name in ("files", "rooms", "methods", "names_twice", "words")} == {
        "files": 7,
        "rooms": 3,  # one, room, commands
        "methods": 2,
        "names_twice": 1,
        "words": 5,
    }
    assert (found["lab_lines"], found["test_lines"], found["lines"]) == (2, 1, 23)


def test_a_line_of_code_is_neither_blank_nor_docstring() -> None:
    text = FILES["focused/one.py"]
    assert code_lines(text, ast.parse(text)) == 4


def test_rows_come_back_as_they_were_and_old_columns_go(tmp_path: Path) -> None:
    path = tmp_path / "card.csv"
    rows = [row_of("2026-11-24", "abc", {"docs_easy": 0.5678, "code": 33000.0})]
    write_rows(path, rows)
    path.write_text(path.read_text().replace("docs_easy,", "docs_easy,gone,", 1).replace("abc,0.568,", "abc,0.568,7,"))
    assert [{name: text for name, text in row.items() if text} for row in rows_of(path)] == [
        {"date": "2026-11-24", "commit": "abc", "docs_easy": "0.568", "code": "33000"}
    ]
    assert path.read_text().startswith("# ")


def test_what_became_worse_by_more_than_noise_is_named() -> None:
    last = {"docs_easy": 0.5, "traps_wasted": 0.2, "memory_mb": 100.0, "methods": 60.0, "docs_easy_spread": 0.1}
    now = {"docs_easy": 0.47, "traps_wasted": 0.21, "memory_mb": 106.0, "methods": 61.0, "docs_easy_spread": 0.9}
    assert list(worse(row_of("", "", now), last)) == ["docs_easy", "memory_mb", "methods"]
    better = {"docs_easy": 0.9, "traps_wasted": 0.0, "memory_mb": 1.0, "methods": 1.0}
    assert list(worse(row_of("", "", better), last)) == []


def test_before_is_the_last_known_figure_of_each_column() -> None:
    rows = [row_of("1", "a", {"code": 2.0, "files": 9.0}), row_of("2", "b", {"code": 3.0})]
    assert before(rows) == {"code": 3.0, "files": 9.0}


def test_a_part_that_fails_is_told_of_and_what_is_done_is_not_done_again(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def fails() -> dict[str, float]:
        raise EvaluationError("the web is not there")

    assert measure({"docs": fails, "house": lambda: {"code": 1.0}}, tmp_path) == {"code": 1.0}
    assert "docs is left out: the web is not there" in capsys.readouterr().err
    assert measure({"house": fails}, tmp_path) == {"code": 1.0}


def test_every_column_belongs_to_a_part_and_has_a_name_of_its_own() -> None:
    assert len({column.name for column in COLUMNS}) == len(COLUMNS)
    assert PARTS == ("docs", "webkb", "wiki", "traps", "cost", "start", "house", "suite")


def test_the_empty_project_is_one_that_scrapy_knows() -> None:
    assert all(compile(text, name, "exec") for name, text in EMPTY.items() if name.endswith(".py"))
