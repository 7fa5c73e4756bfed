"""What waits in the queue of a collection, as of the last time that somebody looked."""

from __future__ import annotations

import json
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from focused.collection.store import Store
from focused.desk.dashboard.worker import Worker

MOST_SECONDS = 180.0  #: of reading the state of a crawl
STALE_SECONDS = 30.0  #: after which the queue of a crawl that has gone on is read again


@dataclass(frozen=True, slots=True)
class Waiting:
    """The queue after one event of the crawl."""

    as_of: int  #: number of the event
    time: str  #: of the last answer before it, ISO 8601
    count: int  #: URLs that wait
    hosts: dict[str, int]  #: of these by host, for the hosts with the most
    urls: list[dict[str, Any]]  #: the best, as `waiting_process` describes them


@dataclass(frozen=True, slots=True)
class Look:
    """What can be told of the queue now."""

    waiting: Waiting | None
    reading: bool  #: a newer one is being read
    trouble: str  #: why it cannot be


class WaitingUrls:
    """Knows the queue of one collection. Safe to be asked by several threads."""

    def __init__(self, folder: Path) -> None:
        self._worker = Worker("focused.desk.dashboard.waiting_process", folder, MOST_SECONDS)
        self._said = ""
        self._waiting: Waiting | None = None
        self._read_at = float("-inf")

    @property
    def last(self) -> Waiting | None:
        """The queue as it was when somebody last looked at it."""
        self._take()
        return self._waiting

    def look(self, store: Store) -> Look:
        """The queue as far as it is known. Where the crawl has gone on, it begins to be read again."""
        waiting = self.last
        is_new = waiting is not None and waiting.as_of == store.committed
        tried = self._worker.failed and time.monotonic() - self._read_at < STALE_SECONDS
        if not (is_new or tried) and (waiting is None or time.monotonic() - self._read_at > STALE_SECONDS):
            self._worker.start()
        running = self._worker.running
        return Look(waiting, running, (self._worker.said or "") if self._worker.failed and not running else "")

    def _take(self) -> None:
        """Take what the process has said, once."""
        said = self._worker.said
        if said is None or said is self._said:
            return
        self._said, self._read_at = said, time.monotonic()
        if not self._worker.failed:
            found = json.loads(said)
            self._waiting = Waiting(**{**found, "hosts": dict(found["hosts"])})
