"""Clocks of a crawl: the CPU time that it has taken, and the time that it has spent crawling."""

from __future__ import annotations

import threading
from collections.abc import Callable
from time import monotonic, thread_time
from types import TracebackType
from typing import TypeVar


class Stopwatch:
    """Runs from the start; can be stopped and started."""

    def __init__(self) -> None:
        self._before = 0.0
        self._since: float | None = monotonic()

    @property
    def seconds(self) -> float:
        return self._before + (monotonic() - self._since if self._since is not None else 0.0)

    @property
    def runs(self) -> bool:
        return self._since is not None

    def stop(self) -> None:
        self._before, self._since = self.seconds, None

    def start(self, elapsed: float = 0.0) -> None:
        """Go on, as if ``elapsed`` seconds more had passed."""
        self._before, self._since = self.seconds + elapsed, monotonic()


ResultT = TypeVar("ResultT")


class CpuTime:
    """Counts the CPU time of blocks of code (``with cpu: ...``), which may lie in one another, in the thread of the crawl.

    Attributes
    ----------
    seconds : so far, jobs in other threads included (`around`)
    """

    def __init__(self) -> None:
        self.seconds = 0.0
        self._depth, self._since = 0, 0.0
        self._lock = threading.Lock()

    def __enter__(self) -> None:
        if not self._depth:
            self._since = thread_time()
        self._depth += 1

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._depth -= 1
        if not self._depth:
            self._add(thread_time() - self._since)

    def around(self, job: Callable[[], ResultT]) -> Callable[[], ResultT]:
        """A job for another thread, whose time counts as well."""

        def counted() -> ResultT:
            since = thread_time()
            try:
                return job()
            finally:
                self._add(thread_time() - since)

        return counted

    def _add(self, seconds: float) -> None:
        with self._lock:
            self.seconds += seconds
