"""Fuzzing: what breaks a promise is found, made short and kept; what reads the input of strangers keeps its promises."""

from __future__ import annotations

import logging
import random
from pathlib import Path

import pytest

from lab.fuzzing.fuzzing import RUNNING, fuzz, mutated
from lab.fuzzing.targets import TARGETS, Target, TooSlowError

CASES = Path(__file__).parent / "cases"  #: what was found once and is mended, a folder for each target
NEW_CASES = 150


def fails_with_a_question_mark(case: bytes) -> None:
    if b"?" in case:
        raise ValueError("a question")


QUESTIONS = Target("a target that fails", (b"one two three", b"four"), fails_with_a_question_mark)


@pytest.mark.parametrize("name", TARGETS)
def test_what_strangers_write_breaks_no_promise(name: str, caplog: pytest.LogCaptureFixture) -> None:
    target, chance = TARGETS[name], random.Random(name)
    caplog.set_level(logging.CRITICAL)
    for case in target.cases:
        target.run(case)
    for _ in range(NEW_CASES):
        target.run(mutated(chance.choice(target.cases), target.cases, chance))


@pytest.mark.parametrize("path", sorted(CASES.rglob("*.case")), ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_what_was_found_once_stays_mended(path: Path) -> None:
    TARGETS[path.parent.name].run(path.read_bytes())


def test_a_finding_is_made_short_and_kept_with_its_traceback_once(tmp_path: Path) -> None:
    found = fuzz(QUESTIONS, tmp_path / "new", 0.5)
    ((path, what),) = found.findings.items()
    assert (path.read_bytes(), what) == (b"?", "ValueError: a question")
    assert "fails_with_a_question_mark" in path.with_suffix(".txt").read_text()
    assert found.tried > 10
    assert not (tmp_path / "new" / RUNNING).exists()


def test_what_was_found_is_tried_first_and_found_again(tmp_path: Path) -> None:
    (tmp_path / "kept.case").write_bytes(b"why?")
    found = fuzz(QUESTIONS, tmp_path, 0)
    assert len(found.findings) == 1


def test_a_case_that_ended_the_process_is_found_by_the_next_run(tmp_path: Path) -> None:
    (tmp_path / RUNNING).write_bytes(b"hangs")
    found = fuzz(Target("fine", (b"x",), lambda _: None), tmp_path, 0)
    ((path, what),) = found.findings.items()
    assert path.read_bytes() == b"hangs"
    assert "ended the process" in what


def test_a_case_that_takes_too_long_is_a_finding(monkeypatch: pytest.MonkeyPatch) -> None:
    times = iter((0.0, 3.0))
    monkeypatch.setattr("lab.fuzzing.targets.time.process_time", lambda: next(times))
    with pytest.raises(TooSlowError, match=r"2 bytes take 3\.0 s"):
        Target("slow", (), lambda _: None).run(b"xy")


def test_every_promise_is_checked_by_a_target_that_can_fail(monkeypatch: pytest.MonkeyPatch) -> None:
    """A reader that breaks its promises is found out, each target by a fault of its own."""
    faults = {
        "urls": ("lab.fuzzing.targets.at_canonical_host", lambda _: "http://other/"),
        "reading": ("focused.page.reader.span_norms", lambda _, spans: dict.fromkeys(spans, float("nan"))),
        "robots": ("lab.fuzzing.targets.LONGEST_DELAY", -1.0),
        "topics": ("lab.fuzzing.targets.load_topic", lambda *_, **__: 1 / 0),
        "rows": ("lab.fuzzing.targets.OwnRequests.take", lambda *_: 1),
    }
    assert faults.keys() == TARGETS.keys()
    for name, (place, fault) in faults.items():
        with monkeypatch.context() as patch, pytest.raises((AssertionError, ZeroDivisionError)):
            patch.setattr(place, fault)
            for case in TARGETS[name].cases:
                TARGETS[name].run(case)
