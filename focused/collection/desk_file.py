"""The file of a desk: opened anew by each call, so that any number of processes and threads may use it."""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import quote

from focused.collection.desk_schema import bring_up_to_date, is_begun
from focused.collection.repository import storage_errors
from focused.collection.sqlite_errors import database_errors

DESK = "desk.db"
LOCK_SECONDS = 10.0  #: for which another process that is writing is waited for
#: Seconds after which the time of a file tells two writes apart on every file system (FAT counts in steps of 2).
SETTLED = 2.5

Stamp = tuple[int, int, int]


class DeskFile:
    """desk.db in the folder of a collection. Raises StorageError, by every call, where it cannot be used."""

    def __init__(self, folder: Path, lock_seconds: float = LOCK_SECONDS) -> None:
        self.path, self.lock_seconds = folder / DESK, lock_seconds

    def stamp(self) -> Stamp | None:
        """What changes with each write; None without a desk.db. A file written just now has a stamp that no other look gives."""
        try:
            found = self.path.stat()
        except OSError:
            return None
        settled = abs(time.time() - found.st_mtime) > SETTLED
        return (found.st_ino, found.st_mtime_ns, found.st_size if settled else -time.monotonic_ns())

    def rows(self, query: str, values: Sequence[object] = ()) -> list[tuple[Any, ...]]:
        if not self.path.exists():
            return []
        with self._errors(), closing(self._connect()) as db:
            return db.execute(query, tuple(values)).fetchall() if is_begun(db, str(self.path)) else []

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """All that the block writes, or nothing."""
        with storage_errors(self.path.parent, "make the folder"):
            self.path.parent.mkdir(parents=True, exist_ok=True)
        with self._errors(), closing(self._connect(make=True)) as db:
            db.execute("BEGIN IMMEDIATE")
            bring_up_to_date(db, str(self.path))
            yield db
            db.execute("COMMIT")  # what is not committed is rolled back as the file is closed

    def _connect(self, *, make: bool = False) -> sqlite3.Connection:
        # A journal that is rolled back, unlike a WAL, leaves one file to copy, which can also be read where nobody may write.
        writable = make or (os.access(self.path, os.W_OK) and os.access(self.path.parent, os.W_OK))
        mode = "rwc" if make else "rw" if writable else "ro&immutable=1"
        uri = f"file:{quote(self.path.as_posix())}?mode={mode}"
        return sqlite3.connect(uri, uri=True, timeout=self.lock_seconds, isolation_level=None)

    @contextmanager
    def _errors(self) -> Iterator[None]:
        help_ = f"; without one move {DESK} away: its verdicts, tags and notes are lost, the crawl is not"
        with database_errors(self.path, f"a {DESK}", help_):
            yield
