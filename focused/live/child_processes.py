"""Processes that work for this one, by joblib: they leave a Ctrl-C to it, and end when it does, or have nothing to do.

Another backend than loky, such as a cluster's, is chosen by `joblib.parallel_config` in the settings of a project.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
import time
import warnings
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

IDLE = 10  #: seconds after which a process ends that has nothing more to do
Result = TypeVar("Result")
LOOK_EVERY = 0.5  #: seconds between two looks at whether the parent is there


def in_processes(
    work: Callable[..., Result], asked: Iterable[tuple[Any, ...]], processes: int, *, ordered: bool = True
) -> Generator[Result]:
    """Call a function with each tuple of arguments, in other processes; yield what it returns as soon as it can be had.

    processes : 0: as many as there are cores, or LOKY_MAX_CPU_COUNT says
    ordered : in the order of the arguments; else as they come
    Raises BrokenExecutor where a process dies.
    """
    from joblib import Parallel, delayed  # which takes a while

    how = "generator" if ordered else "generator_unordered"
    with deaf_to_interrupts():
        results: Generator[Result] = Parallel(processes or -1, return_as=how, idle_worker_timeout=IDLE, batch_size=1)(
            delayed(work)(*arguments) for arguments in asked
        )
    return _quietly_closed(results)


def _quietly_closed(results: Generator[Result]) -> Generator[Result]:
    """The same; joblib warns where somebody wants no more of them, who knows that already."""
    try:
        for result in results:  # noqa: UP028  # `yield from` would close them before we are asked
            yield result
    finally:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)
            results.close()


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
