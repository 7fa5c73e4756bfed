"""Measures time, without the time in which a page waits for its host or a crawl is paused."""

from __future__ import annotations

import time


class Stopwatch:
    """Runs from the start; can be stopped and started."""

    def __init__(self) -> None:
        self._before = 0.0
        self._since: float | None = time.monotonic()

    @property
    def seconds(self) -> float:
        return self._before + (time.monotonic() - self._since if self._since is not None else 0.0)

    @property
    def runs(self) -> bool:
        return self._since is not None

    def stop(self) -> None:
        self._before, self._since = self.seconds, None

    def start(self, elapsed: float = 0.0) -> None:
        """Go on, as if ``elapsed`` seconds more had passed."""
        self._before, self._since = self.seconds + elapsed, time.monotonic()
