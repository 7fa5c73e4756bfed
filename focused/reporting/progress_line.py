"""How far long work of a command is, on stderr: one live line on a terminal, plain lines now and then in a log."""

from __future__ import annotations

import shutil
import sys
import time
from collections.abc import Callable

LIVE_SECONDS = 0.5  #: between two refreshes of the live line
CLEAR = "\r\x1b[K"  #: to the start of the line, and erase it


class ProgressLine:
    """Shows a line when it is time to.

    interval : seconds between two lines where nobody sees a live one
    """

    def __init__(self, interval: float) -> None:
        self._live = sys.stderr.isatty()
        self.interval = LIVE_SECONDS if self._live else interval
        self._due = time.monotonic() + self.interval

    def show(self, line: Callable[[], str]) -> None:
        """Show what ``line`` makes, if it is time for it."""
        if time.monotonic() < self._due:
            return
        self._due = time.monotonic() + self.interval
        width = shutil.get_terminal_size().columns - 1
        text = CLEAR + line()[:width] if self._live else line() + "\n"
        print(text, end="", file=sys.stderr, flush=True)

    def close(self) -> None:
        """Take the live line away."""
        if self._live:
            print(CLEAR, end="", file=sys.stderr, flush=True)
