"""Does the tasks of a comparison in parallel processes, each of which keeps the web open that it opened last."""

from __future__ import annotations

import multiprocessing
import os
import traceback
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import BrokenExecutor, Future, ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Self, TypeVar

from focused.exceptions import EvaluationError, FocusedError
from focused.run.child_processes import deaf_to_interrupts, end_with_parent
from focused.simulation.web_opener import WebOpener

Result = TypeVar("Result")
Task = Callable[[WebOpener], Result]  #: can be sent to another process, as its result can

#: One thread for linear algebra in each process: more would fight for the processors, and the order of sums would vary.
ONE_THREAD = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}


@dataclass(frozen=True)
class Failed:
    """A task that could not be done: what a person is told, and where in the code it happened (empty for a known mistake)."""

    message: str
    trace: str = ""


class Workers:
    """Processes that do tasks; one means this process.

    To be used as a context: at its end, if an exception (such as that of Ctrl-C) brings it, what is under way is ended.
    """

    def __init__(self, opener: WebOpener, processes: int) -> None:
        self._opener = opener
        self._pool: ProcessPoolExecutor | None = None
        if processes > 1:
            os.environ |= {name: value for name, value in ONE_THREAD.items() if name not in os.environ}
            settings = (opener.names, opener.cache, opener.hide_outside)
            spawn = multiprocessing.get_context("spawn")
            self._pool = ProcessPoolExecutor(processes, spawn, initializer=_start_worker, initargs=settings)
        self._not_ours = set(multiprocessing.active_children())

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *about: object) -> None:
        if self._pool is None:
            self._opener.close()
            return
        if kind is not None:
            for process in set(multiprocessing.active_children()) - self._not_ours:
                process.terminate()
        self._pool.shutdown(cancel_futures=True)

    def do(
        self, tasks: Sequence[Task[Result]], idle: Callable[[], None], interval: float
    ) -> Iterator[tuple[Task[Result], Result | Failed]]:
        """Do all tasks, begun in order; yield each with its result when it is done.

        idle : called when nothing was done for ``interval`` seconds

        Raises EvaluationError when a process dies.
        """
        if self._pool is None:
            for task in tasks:
                yield task, _attempt(task, self._opener)
            return
        with deaf_to_interrupts():
            futures = {self._pool.submit(_attempt_here, task): task for task in tasks}
        finished: SimpleQueue[Future[Result | Failed]] = SimpleQueue()
        for future in futures:
            future.add_done_callback(finished.put)
        while futures:
            try:
                future = finished.get(timeout=interval)
            except Empty:
                idle()
                continue
            try:
                yield futures.pop(future), future.result()
            except BrokenExecutor:
                raise EvaluationError(
                    "a process died, perhaps for lack of memory; what is done is kept: run the same command again, with a "
                    "smaller --processes"
                ) from None


_opener: WebOpener | None = None  # of a worker process


def _start_worker(names: Sequence[str], cache: Path, hide_outside: bool) -> None:
    global _opener
    _opener = WebOpener(names, cache, hide_outside=hide_outside)
    end_with_parent()


def _attempt_here(task: Task[Result]) -> Result | Failed:
    assert _opener is not None  # by _start_worker
    return _attempt(task, _opener)


def _attempt(task: Task[Result], opener: WebOpener) -> Result | Failed:
    """Do a task. Whatever goes wrong in it, a strategy of somebody's own included, does not end the others."""
    try:
        return task(opener)
    except FocusedError as error:
        return Failed(str(error))
    except Exception as error:
        return Failed(f"{type(error).__name__}: {error}", traceback.format_exc())
