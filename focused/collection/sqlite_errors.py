"""What SQLite says when something is wrong, as one line that says what to do."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from focused.exceptions import StorageError


class BusyError(StorageError):
    """Another process has locked the database: the same may work in a moment."""


@contextmanager
def database_errors(
    path: Path, what: str = "a crawl.db", otherwise: str = ", or put all aside with -a fresh=true"
) -> Iterator[None]:
    """Turn SQLite's errors into one line that says what to do.

    what, otherwise : what the file should be, and what helps where it is damaged and there is no copy
    """
    check = f", see what can be repaired: scrapy check {path.parent.name}" if what == "a crawl.db" else ""
    try:
        yield
    except sqlite3.Error as error:
        text = str(error)
        if getattr(error, "sqlite_errorcode", 0) & 0xFF == sqlite3.SQLITE_BUSY:
            raise BusyError(f"{path}: {text}: another process is using it; wait until it ends") from error
        advice = {
            "database or disk is full": "the disk is full; free some space and run the same command again",
            "file is not a database": f"it is damaged or not {what}; put a copy back{otherwise}",
            "database disk image is malformed": f"it is damaged; put a copy back{check}{otherwise}",
            "attempt to write a readonly database": "it cannot be written; check its permissions and those of its folder",
            "unable to open database file": "it cannot be opened; check the folder and its permissions",
            "disk I/O error": "the disk failed or is full; run the same command again when it is well",
        }.get(text, "the database cannot be used")
        raise StorageError(f"{path}: {text}: {advice}") from error
