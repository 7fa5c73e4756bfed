"""A program ends in silence when the reader of its output, such as `head`, has closed the pipe."""

from __future__ import annotations

import atexit
import os
import select
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import TracebackType

from focused.exceptions import StorageError

GONE = getattr(select, "POLLERR", 0) | getattr(select, "POLLHUP", 0)  # Windows has neither


def end_in_silence() -> None:
    """Let this process end so, whatever it is printing then: a list, a help, or the rest when it ends."""
    others = sys.excepthook

    def tell(kind: type[BaseException], error: BaseException, traceback: TracebackType | None) -> None:
        if not (isinstance(error, BrokenPipeError) and nobody_reads()):
            others(kind, error, traceback)

    sys.excepthook = tell
    atexit.register(print_the_rest)


def print_the_rest() -> None:
    """Write the rest to stdout, or drop it: Python itself would complain as it ends."""
    try:
        if sys.stdout is not None:
            sys.stdout.flush()
    except BrokenPipeError:
        drop_the_rest()


def drop_the_rest() -> None:
    """Send all further output nowhere."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


@contextmanager
def full_disk_is_told() -> Iterator[None]:
    """Turn what hinders the block from writing to stdout into one line, and drop the rest; a closed pipe is no mistake."""
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        drop_the_rest()
        raise StorageError(f"standard output: cannot be written: {error.strerror}") from None


def nobody_reads() -> bool:
    """Whether stdout is a pipe whose reader is gone; True if a system does not tell."""
    if not hasattr(select, "poll"):
        return True
    poll = select.poll()
    try:
        poll.register(sys.stdout, select.POLLOUT)
    except (TypeError, ValueError):  # stdout is missing, or no file of the system
        return False
    return any(events & GONE for _, events in poll.poll(0))
