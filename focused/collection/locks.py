"""Locks of other processes: how long they are waited for, and who holds one."""

from __future__ import annotations

import logging
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from focused.collection.sqlite_errors import BusyError

logger = logging.getLogger(__name__)

Result = TypeVar("Result")

TELL_AFTER = 3.0  #: seconds of waiting before a person is told of it, and between two such lines
PAUSE = 0.2  #: seconds between two attempts


class LockPatience:
    """Waits for a database that another process has locked, and says so.

    Parameters
    ----------
    path : of the database
    seconds : after so many of waiting the lock is an error
    """

    def __init__(self, path: Path, seconds: float) -> None:
        self.path, self.seconds = path, seconds
        self._since: float | None = None  # when the lock was met first
        self._told = 0.0  # when it was spoken of last, or met

    def met(self, error: BusyError) -> None:
        """Note that the lock is (still) there. Raises the error when that has lasted too long, and then each time."""
        now = time.monotonic()
        if self._since is None:
            self._since = self._told = now
        waited = now - self._since
        if waited >= self.seconds:
            raise error
        if now - self._told >= TELL_AFTER:
            self._told = now
            logger.warning("%s is locked by another process: waiting, for %.0f s at most", self.path, self.seconds)

    def over(self) -> None:
        """Note that the lock is gone, or was never there."""
        self._since = None

    def insist(self, work: Callable[[], Result]) -> Result:
        """Do some work, again and again while the lock is there. Blocks."""
        while True:
            try:
                result = work()
            except BusyError as error:
                self.met(error)
                time.sleep(PAUSE)
            else:
                self.over()
                return result


def holder(path: Path) -> int | None:
    """The process that holds a lock on a file; None where the system does not tell (only Linux does).

    The file is not opened: closing it would give up a lock of our own.
    """
    if not sys.platform.startswith("linux"):
        return None
    try:
        found = path.stat()
        lines = Path("/proc/locks").read_text().splitlines()
    except OSError:
        return None
    place = f"{os.major(found.st_dev):02x}:{os.minor(found.st_dev):02x}:{found.st_ino}"
    holders = [int(words[4]) for line in lines if place in (words := line.split()) and words[4].isdecimal()]
    return next((pid for pid in holders if pid > 0), None)
