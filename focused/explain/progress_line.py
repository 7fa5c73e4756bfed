"""How far long work of a command is, on stderr: one live line with a bar on a terminal, plain lines now and then in a log."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from focused.page.plain_text import plain

if TYPE_CHECKING:
    from rich.progress import Progress

LIVE_SECONDS = 0.5  #: between two refreshes of the live line
CLEAR = "\r\x1b[K"  #: to the start of the line, and erase it


class ProgressLine:
    """Shows how far work is, when it is time to.

    interval : seconds between two lines where nobody sees a live one
    """

    def __init__(self, interval: float) -> None:
        self._live = sys.stderr.isatty()
        self.interval = LIVE_SECONDS if self._live else interval
        self._started = time.monotonic()
        self._due = self._started + self.interval
        self._bar: Progress | None = None

    def show(self, line: Callable[[], str], done: float = 0, total: float = 0) -> None:
        """Show what ``line`` makes, if it is time for it; with a bar and the time left where the total is known.

        done, total : of whatever is counted; a total of 0 is not known
        """
        now = time.monotonic()
        if now < self._due:
            return
        self._due = now + self.interval
        if self._live:
            self._draw(line(), done, total)
            return
        print(f"{plain(line())}{self._left(now, done, total)}", file=sys.stderr, flush=True)

    def restart(self) -> None:
        """Begin another stage of the work, of which as much is left as will be shown, at once."""
        self.close()
        self._started = self._due = time.monotonic()

    def close(self) -> None:
        """Take the live line away."""
        if self._bar is not None:
            self._bar.stop()
            self._bar = None

    def _draw(self, text: str, done: float, total: float) -> None:
        if self._bar is None:
            from rich.console import Console  # slow to import, and nobody looks at most commands
            from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

            known = (BarColumn(bar_width=20), TaskProgressColumn(), TimeRemainingColumn()) if total else ()
            console = Console(stderr=True)
            self._bar = Progress(
                *known, TextColumn("{task.description}", markup=False), console=console, transient=True
            )
            self._bar.add_task("", total=total or None)
            self._bar.start()
        (task,) = self._bar.task_ids
        self._bar.update(task, completed=done, total=total or None, description=plain(text), refresh=True)

    def _left(self, now: float, done: float, total: float) -> str:
        if not (total and done):
            return ""
        return f" | {done / total:.0%}, {in_words((now - self._started) * (total - done) / done)} left"


def in_words(seconds: float) -> str:
    """A duration as people say it: ``40 s``, ``12 min``, ``3.5 h``."""
    if seconds < 100:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 6000 else f"{seconds / 3600:.1f} h"
