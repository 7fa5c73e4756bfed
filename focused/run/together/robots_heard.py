"""What servers said of their robots.txt in this run: each is asked once for all topics, and every topic reads the answer itself."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable

from scrapy.utils.defer import maybe_deferred_to_future
from twisted.internet.defer import Deferred

from focused.run.robots.known import A_DAY
from focused.run.robots.requesting import Heard

MOST_BYTES = 10_000_000  #: of the answers that are remembered; those asked for longest ago go first
PER_ORIGIN = 500  #: bytes that an answer counts besides its body


class RobotsHeard:
    """Answers by origin.

    vain_seconds : for which an answer that there is none to be had now holds for other topics
    clock : in seconds, never goes back
    """

    def __init__(self, vain_seconds: float = 5.0, clock: Callable[[], float] = time.monotonic) -> None:
        self._vain_seconds, self._clock = vain_seconds, clock
        self._heard: OrderedDict[str, tuple[float, Heard]] = OrderedDict()  # with the time until which it holds
        self._waiting: dict[str, list[Deferred[None]]] = {}  # topics, by the origin that another is asking
        self._size = 0

    async def ask(self, origin: str, ask: Callable[[str], Awaitable[Heard]]) -> Heard:
        """What the server of an origin said, or says now. Raises what ``ask`` raises, for the one topic that asked."""
        while origin in self._waiting:
            answered: Deferred[None] = Deferred()
            self._waiting[origin].append(answered)
            await maybe_deferred_to_future(answered)
        until, heard = self._heard.get(origin, (0.0, None))
        if heard is not None and self._clock() < until:
            self._heard.move_to_end(origin)
            return heard
        self._waiting[origin] = []
        try:
            heard = await ask(origin)
            self._keep(origin, heard)
        finally:
            for waiting in self._waiting.pop(origin):
                waiting.callback(None)
        return heard

    def _keep(self, origin: str, heard: Heard) -> None:
        _, before = self._heard.pop(origin, (0.0, None))
        self._size += _size(heard) - _size(before)
        holds = A_DAY if heard.body is not None else self._vain_seconds
        self._heard[origin] = self._clock() + holds, heard
        while self._size > MOST_BYTES and len(self._heard) > 1:
            _, (_, oldest) = self._heard.popitem(last=False)
            self._size -= _size(oldest)


def _size(heard: Heard | None) -> int:
    return 0 if heard is None else len(heard.body or b"") + PER_ORIGIN
