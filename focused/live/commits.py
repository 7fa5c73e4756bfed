"""When a crawl commits: it bounds the requests between two commits in number and in time, however busy the machine is."""

from __future__ import annotations

import time
from collections.abc import Callable

RETRY = 0.5  #: seconds before the crawl retries a commit that failed: each try holds up all else for a moment


class Commits:
    """Counts the requests sent, and commits in time.

    A timer alone guarantees nothing: it is late whenever the process is busy, and the crawl sends more meanwhile. So the
    scheduler asks `may_send` before each request.

    Parameters
    ----------
    commit : puts on disk all that happened; False if it cannot now, because another process has locked the database
    seconds, requests : a commit is due when this much time has passed, or this many requests were sent, since the last one
    clock : in seconds
    """

    def __init__(
        self,
        commit: Callable[[], bool],
        seconds: float = 1.0,
        requests: int = 50,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._commit, self._seconds, self._requests, self._clock = commit, seconds, requests, clock
        self._sent = 0
        self._last = self._tried = clock()

    def may_send(self) -> bool:
        """Whether a request may be sent now. Commits first if a commit is due."""
        due = self._sent >= self._requests or self._clock() - self._last >= self._seconds
        return not due or self._now()

    def sent(self) -> None:
        """Count a request."""
        self._sent += 1

    def in_passing(self) -> None:
        """Commit by the clock, also when nothing is sent; skip it just after another commit."""
        if self._clock() - self._last >= self._seconds / 2:
            self._now()

    def _now(self) -> bool:
        if self._tried > self._last and self._clock() - self._tried < RETRY:
            return False
        done = self._commit()
        self._tried = self._clock()
        if done:
            self._sent, self._last = 0, self._tried
        return done
