"""The time of a page does not run while it waits for its host's turn."""

from __future__ import annotations

import pytest

from focused.live import clocks
from focused.live.clocks import Stopwatch


def test_waiting_does_not_count_and_what_was_taken_meanwhile_does(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 100.0
    monkeypatch.setattr(clocks, "monotonic", lambda: now)
    watch = Stopwatch()
    now = 103.0
    watch.stop()
    now = 150.0
    assert watch.seconds == 3.0
    watch.start(0.5)
    now = 151.0
    assert watch.seconds == 4.5
