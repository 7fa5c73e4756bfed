"""Measures what time a page takes, without the time in which it waits for its host's turn."""

from __future__ import annotations

from time import monotonic


class Stopwatch:
    """Runs from the start; can be stopped and started."""

    def __init__(self) -> None:
        self._before = 0.0
        self._since: float | None = monotonic()

    @property
    def seconds(self) -> float:
        return self._before + (monotonic() - self._since if self._since is not None else 0.0)

    def stop(self) -> None:
        self._before, self._since = self.seconds, None

    def start(self, elapsed: float = 0.0) -> None:
        """Go on, as if ``elapsed`` seconds more had passed."""
        self._before, self._since = self.seconds + elapsed, monotonic()
