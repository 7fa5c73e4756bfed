"""Processes that work for this one: they leave a Ctrl-C to it, and end when it does."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

LOOK_EVERY = 0.5  #: seconds between two looks at whether the parent is there


@contextmanager
def deaf_to_interrupts() -> Iterator[None]:
    """Processes started in the block ignore Ctrl-C, which a terminal sends to them too: their parent ends them."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def end_with_parent() -> None:
    """Call this once in a child: it ends when its parent was killed, which could take no results."""
    threading.Thread(target=_wait_and_end, daemon=True).start()


def _wait_and_end() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        while os.getppid() == parent.pid:  # the parent of joblib's processes cannot be joined
            time.sleep(LOOK_EVERY)
        os._exit(1)
