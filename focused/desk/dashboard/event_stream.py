"""Server-sent events of a collection: a look at its database now and then, a message when it has changed."""

from __future__ import annotations

import json
from enum import Enum, auto
from pathlib import Path
from typing import Any

from focused.collection.collection import DATABASE

SILENCE = 15  #: looks without a change, after which a line says that the stream is alive
STILL_HERE = ": still here\n\n"


class Seen(Enum):
    """What a look has shown."""

    CHANGE = auto()
    NOTHING = auto()
    NOTHING_FOR_LONG = auto()


class DatabaseWatch:
    """Tells whether somebody has written to the database of a collection since the last look."""

    def __init__(self) -> None:
        self._stamp: tuple[tuple[int, int], ...] | None = None
        self._quiet = 0

    def look(self, folder: Path) -> Seen:
        before, self._stamp = self._stamp, _stamp_of(folder)
        if self._stamp != before:
            self._quiet = 0
            return Seen.CHANGE
        self._quiet += 1
        return Seen.NOTHING if self._quiet % SILENCE else Seen.NOTHING_FOR_LONG


def message(event: str, data: Any) -> str:
    """One event as it is sent."""
    return f"event: {event}\ndata: {json.dumps(data)}\n\n"


def _stamp_of(folder: Path) -> tuple[tuple[int, int], ...]:
    found = []
    for name in (DATABASE, f"{DATABASE}-wal"):
        try:
            status = (folder / name).stat()
        except OSError:
            continue
        found.append((status.st_mtime_ns, status.st_size))
    return tuple(found)
