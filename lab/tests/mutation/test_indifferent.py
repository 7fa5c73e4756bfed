"""Changes that may live are told by rules, or one by one; every note speaks of code that is there."""

from __future__ import annotations

from pathlib import Path

import pytest

from lab.mutation.mutants import Indifferent, Mutant

ROOT = Path(__file__).parents[3]
NOTED = Indifferent.read()


def reason(before: str, after: str, file: str = "a.py", function: str = "f") -> str | None:
    return NOTED.reason(Mutant(file, 1, function, before, after, "alive"))


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


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("np.full(n, 1.0)", "np.full(n, None)"),
        ("np.full(n, 1.0)", "np.full(n, )"),
        ("np.array(x, np.int64)", "np.array(None, np.int64)"),
        ("x + np.float64(1)", "x - np.float64(1)"),
        ("zip(a, b, strict=True)", "zip(a, a, strict=True)"),
    ],
)
def test_no_rule_holds_for_what_changes_a_value(before: str, after: str) -> None:
    assert reason(before, after) is None


def test_a_note_of_one_change_holds_there_alone() -> None:
    (file, function, before, after), because = next(iter(NOTED.changes.items()))
    assert reason(before, after, file, function) == because
    assert reason(before, after, "other.py", function) is None
    assert reason(before, after + "!", file, function) is None


def test_every_note_speaks_of_a_line_that_is_there_and_gives_a_reason() -> None:
    """A line that was changed since must be looked at again."""
    stale = []
    for file, _, before, _ in NOTED.changes:
        code = " ".join((ROOT / file).read_text().split())
        if " ".join(before.split()) not in code:
            stale.append((file, before))
    assert stale == []
    assert all([*NOTED.changes.values(), *NOTED.rules.values()])
