"""What is wrong with a database, or with a row of it, in one line that says what to do."""

from __future__ import annotations

import logging
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
    check = f", see what can be repaired: scrapy verify {path.parent.name}" if what == "a crawl.db" else ""
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


logger = logging.getLogger(__name__)

#: What Python raises where a value is missing, of another type, too large, or names what is not there.
HURT = (
    ArithmeticError,
    AssertionError,
    AttributeError,
    LookupError,
    MemoryError,
    RecursionError,
    TypeError,
    ValueError,
)


@contextmanager
def damage_is_told(path: Path, otherwise: str = "") -> Iterator[None]:
    """Turn what a damaged row of a crawl.db makes the block raise into a StorageError; a log of level DEBUG has the traceback.

    otherwise : what else it may be, after "it is damaged"
    """
    try:
        yield
    except (sqlite3.Error, *HURT) as error:
        logger.debug("%s cannot be understood", path, exc_info=True)
        raise StorageError(
            f"{path}: cannot be understood ({type(error).__name__}: {error}): it is damaged{otherwise}; put a copy back, or put "
            "all aside with -a fresh=true"
        ) from error
