"""When nothing is left but hosts that are too busy: a crawl waits for them, but not for ever."""

from __future__ import annotations

from collections.abc import Callable

from focused.crawl.stopping import Stop


def too_busy(waiting: int, going_on: str) -> Stop:
    """The end of a crawl that has waited long enough."""
    urls = "1 URL waits" if waiting == 1 else f"{waiting:,} URLs wait"
    return Stop("busy_hosts", f"only hosts that are too busy are left: {urls}; {going_on}")


class LastWait:
    """How long a run has waited while it could ask nobody, of the seconds that it may.

    clock : seconds that never go back
    """

    def __init__(self, seconds: float, clock: Callable[[], float]) -> None:
        self._left, self._clock = seconds, clock
        self._since: float | None = None

    def is_worth(self, ready_in: float) -> bool:
        """Nothing may be asked now, and the first host in so many seconds: whether to wait for it."""
        now = self._clock()
        if self._since is None:
            self._since = now
        return now - self._since + ready_in <= self._left

    @property
    def is_on(self) -> bool:
        return self._since is not None

    def over(self) -> None:
        """Something is asked again."""
        if self._since is not None:
            self._left -= self._clock() - self._since
            self._since = None
