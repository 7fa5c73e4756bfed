"""Keeps in crawl.db, for later runs, when a live crawl asked each host last, and what delay or pause each host asked for.

A host that was too busy (429, 503) said when to come back; until then the crawl leaves it alone, in a new run as well.
"""

from __future__ import annotations

import math
import re
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any, Protocol

from focused.collection.store import Row
from focused.live.scrapy_engine import ScrapyEngine


class LiveManners:
    """`Manners` of a live crawl. Times are of `time.monotonic`."""

    def __init__(self, engine: ScrapyEngine, courtesy: Courtesy) -> None:
        self._engine, self._courtesy = engine, courtesy
        self._noted = 0.0  # time up to which requests sent have been noted

    def begin(self) -> None:
        """Tell the downloader of the delays that hosts asked for in earlier runs."""
        for host, delay in self._courtesy.delays().items():
            self._engine.keep_delay(host, delay, 0.0)

    def places(self, host: str) -> int:
        return self._engine.places(host)

    def delay(self, host: str) -> float:
        return max(self._engine.delay(host), self._courtesy.delay(host))

    def last_sent(self, host: str) -> float | None:
        sent = self._engine.last_sent(host)
        before = self._courtesy.last_asked(host)
        return max(before, sent) if sent is not None else before

    def not_before(self, host: str) -> float:
        return self._courtesy.not_before(host)

    def statements(self) -> list[tuple[str, Row]]:
        """Statements that record when each host was asked last, since the last call; requests for robots.txt count."""
        asked = self._engine.sent_since(self._noted)
        self._noted = max(asked.values(), default=self._noted)
        self._courtesy.note(asked)
        return self._courtesy.statements()


SECONDS = re.compile(r"\d+(\.\d+)?", re.ASCII)
LONGEST_DATE = 64  #: characters


def seconds_to_wait(header: bytes | None, now: float) -> float | None:
    """The seconds that a Retry-After asks for, from 0 on, maybe infinity; None without one, or for one that makes no sense.

    now : seconds since 1970, to which a date is compared
    """
    text = (header or b"").decode("latin-1").strip()
    if SECONDS.fullmatch(text):
        return float(text)
    if not text or len(text) > LONGEST_DATE:
        return None
    try:
        left = parsedate_to_datetime(text).timestamp() - now
    except (ValueError, TypeError, OverflowError, OSError):
        return None
    return max(0.0, left) if math.isfinite(left) else None


SAVE = "INSERT OR REPLACE INTO manners (host, asked, delay, not_before) VALUES (?, ?, ?, ?)"
LEAST_DELAY = 1.0  #: least seconds between two requests to a host that has asked for fewer requests


class MannersStore(Protocol):
    """A database with the table ``manners``, such as a `Store`."""

    def execute(self, query: str, values: Row = (), /) -> Iterable[Any]: ...


@dataclass(slots=True)
class HostLimits:
    """Limits that one host has set. Times are of the clock.

    asked : when it was asked last
    delay : seconds that it wants between two requests; 0 if it never asked for fewer
    not_before : when it may be asked again
    """

    asked: float = -math.inf
    delay: float = 0.0
    not_before: float = -math.inf

    def and_also(self, other: HostLimits) -> HostLimits:
        """The stricter of two sets of limits, one by one."""
        return HostLimits(
            max(self.asked, other.asked), max(self.delay, other.delay), max(self.not_before, other.not_before)
        )


class Courtesy:
    """The limits that hosts have set, by name.

    Parameters
    ----------
    store : keeps the limits
    longest_delay, longest_wait : seconds; longer limits are cut to these
    cut_off : the last run was killed, so that any host may have been asked just now: the last times are not on disk
    wishes : limits that other crawls of this process know and share; the stored ones are added to them
    clock, now : seconds that never go back, and those of the world
    """

    def __init__(
        self,
        store: MannersStore,
        *,
        longest_delay: float,
        longest_wait: float,
        cut_off: bool = False,
        wishes: dict[str, HostLimits] | None = None,
        clock: Callable[[], float] = time.monotonic,
        now: Callable[[], float] = time.time,
    ) -> None:
        self._store, self._clock, self._now = store, clock, now
        self.longest_delay, self.longest_wait = longest_delay, longest_wait
        self._asked_at_least = clock() if cut_off else -math.inf
        rows = store.execute("SELECT host, asked, delay, not_before FROM manners")
        kept = {host: self._read(*row) for host, *row in rows if isinstance(host, str)}
        self._alone = {host for host, wish in kept.items() if math.isfinite(wish.not_before)}
        self._wishes = kept if wishes is None else wishes
        for host, wish in kept.items():
            self._wishes[host] = wish.and_also(self._wishes.get(host, wish))
        self._changed: set[str] = set()

    def delay(self, host: str) -> float:
        """Seconds between two requests that the host wants; 0 if it never said."""
        return self._wishes[host].delay if host in self._wishes else 0.0

    def delays(self) -> dict[str, float]:
        """By host, where it wants any."""
        return {host: wish.delay for host, wish in self._wishes.items() if wish.delay}

    def last_asked(self, host: str) -> float:
        """When an earlier run asked the host, or this run, if `note` knows of it."""
        asked = self._wishes[host].asked if host in self._wishes else -math.inf
        return max(asked, self._asked_at_least)

    def not_before(self, host: str) -> float:
        """When a host that was too busy may be asked again."""
        return self._wishes[host].not_before if host in self._wishes else -math.inf

    def is_left_alone(self, host: str) -> bool:
        return self.not_before(host) > self._clock()

    def left_alone(self) -> list[float]:
        """How many seconds longer each host is left alone, the shortest first."""
        self._alone = {host for host in self._alone if self.is_left_alone(host)}
        return sorted(self._wishes[host].not_before - self._clock() for host in self._alone)

    def leave_alone(self, host: str, seconds: float) -> None:
        """Ask nothing of a host for some seconds. On disk at once: a kill must not make us forget it. Raises StorageError."""
        wish = self._wishes.setdefault(host, HostLimits())
        wish.not_before = max(wish.not_before, self._clock() + min(seconds, self.longest_wait))
        self._alone.add(host)
        self._store.execute(SAVE, self._row(host))

    def slow_down(self, host: str, delay: float) -> float:
        """Double the delay of a host that was asked too often; return the new delay, which is kept for good."""
        wish = self._wishes.setdefault(host, HostLimits())
        longer = max(LEAST_DELAY, 2 * delay)
        wish.delay = max(wish.delay, min(longer, self.longest_delay))
        self._changed.add(host)
        return wish.delay

    def note(self, asked: Mapping[str, float]) -> None:
        """Hosts were asked at these times."""
        for host, asked_at in asked.items():
            wish = self._wishes.setdefault(host, HostLimits())
            wish.asked = max(wish.asked, asked_at)
        self._changed |= asked.keys()

    def statements(self) -> list[tuple[str, Row]]:
        """Statements that record all that has changed since the last call."""
        changed, self._changed = self._changed, set()
        return [(SAVE, self._row(host)) for host in changed]

    def _row(self, host: str) -> Row:
        wish = self._wishes[host]
        return host, self._written(wish.asked), wish.delay or None, self._written(wish.not_before)

    def _written(self, moment: float) -> str | None:
        if not math.isfinite(moment):
            return None
        when = datetime.fromtimestamp(self._now() + moment - self._clock(), UTC)
        return when.isoformat(timespec="milliseconds")

    def _read(self, asked: object, delay: object, not_before: object) -> HostLimits:
        """The limits in a row. A clock that was set makes no wait too long; damaged values are ignored."""
        now = self._clock()
        since, left = -self._seconds_to(asked), self._seconds_to(not_before)
        return HostLimits(
            now - max(0.0, since) if math.isfinite(since) else -math.inf,
            min(max(0.0, delay), self.longest_delay) if isinstance(delay, float | int) else 0.0,
            now + min(left, self.longest_wait) if left > 0 else -math.inf,
        )

    def _seconds_to(self, moment: object) -> float:
        """Seconds from now to a time in a row; minus infinity without one."""
        try:
            return datetime.fromisoformat(str(moment or "")).timestamp() - self._now()
        except (ValueError, OverflowError):
            return -math.inf
