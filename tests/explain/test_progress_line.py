"""Long work shows how far it is: a bar with what is left on a terminal, a line now and then elsewhere."""

import re
import sys

import pytest

from focused.explain import plain_output
from focused.explain.plain_output import ProgressLine, in_words


class Clock:
    now = 0.0

    def monotonic(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(plain_output, "time", clock)
    return clock


def test_a_log_gets_a_line_when_it_is_time_with_what_is_left(clock: Clock, capsys: pytest.CaptureFixture[str]) -> None:
    line = ProgressLine(10.0)
    line.show(lambda: "too early", 1, 4)
    clock.now = 10.0
    line.show(lambda: "1 of 4", 1, 4)
    clock.now = 15.0
    line.show(lambda: "too early again", 2, 4)
    clock.now = 20.0
    line.show(lambda: "nobody knows how many")
    line.close()
    assert capsys.readouterr().err.splitlines() == ["1 of 4 | 25%, 30 s left", "nobody knows how many"]


def test_another_stage_is_reckoned_by_itself(clock: Clock, capsys: pytest.CaptureFixture[str]) -> None:
    line = ProgressLine(10.0)
    clock.now = 100.0
    line.restart()
    clock.now = 110.0
    line.show(lambda: "half", 1, 2)
    assert capsys.readouterr().err == "half | 50%, 10 s left\n"


def test_a_terminal_gets_a_bar(
    clock: Clock, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    monkeypatch.setenv("TERM", "xterm")
    line = ProgressLine(10.0)
    clock.now = 1.0
    line.show(lambda: "[pages] of a.example", 30, 60)
    line.close()
    shown = re.sub(r"\x1b\[[0-9;?]*\w", "", capsys.readouterr().err)
    assert "50%" in shown
    assert "[pages] of a.example" in shown


@pytest.mark.parametrize(("seconds", "words"), [(0.4, "0 s"), (99, "99 s"), (720, "12 min"), (12_600, "3.5 h")])
def test_a_duration_in_words(seconds: float, words: str) -> None:
    assert in_words(seconds) == words
