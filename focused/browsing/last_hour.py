"""How many requests an hour may bring: of one host, and of all."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

PER_HOUR = 200  #: requests, those for robots.txt apart
PER_HOST_AND_HOUR = 60
HOUR = 3_600.0  #: seconds


class LastHour:
    """The requests of the last hour.

    clock : seconds; never goes back
    """

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._sent: deque[tuple[float, str]] = deque()

    def __len__(self) -> int:
        while self._sent and self._sent[0][0] <= self._clock() - HOUR:
            self._sent.popleft()
        return len(self._sent)

    def take(self, host: str) -> bool:
        """Note a request to a host; False where it may bring no more."""
        if len(self) >= PER_HOUR or sum(asked == host for _, asked in self._sent) >= PER_HOST_AND_HOUR:
            return False
        self._sent.append((self._clock(), host))
        return True
