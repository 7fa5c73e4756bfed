"""Processes that work for this one: a Ctrl-C is this one's business, and they end when it does."""

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
    """Processes started meanwhile ignore Ctrl-C, which a terminal sends to them too: who started them ends them."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def end_with_parent() -> None:
    """To be called once in a child: nobody takes the results of a process whose parent was killed."""
    threading.Thread(target=_wait_and_end, daemon=True).start()


def _wait_and_end() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        while os.getppid() == parent.pid:  # that of joblib's processes cannot be joined
            time.sleep(LOOK_EVERY)
        os._exit(1)
