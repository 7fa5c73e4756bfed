"""Does the tasks of a comparison on all cores, in processes each of which keeps the web open that it opened last."""

from __future__ import annotations

import traceback
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import BrokenExecutor
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TypeVar

from joblib import parallel_config

from focused.exceptions import EvaluationError, FocusedError
from focused.live.child_processes import end_with_parent, in_processes
from focused.simulation.web_opener import WebOpener

Result = TypeVar("Result")
Task = Callable[[WebOpener], Result]  #: can be sent to another process, as its result can


@dataclass(frozen=True)
class FailedTask:
    """A task that could not be done: what a person is told, and where in the code it happened (empty for a known mistake)."""

    message: str
    trace: str = ""


def do(
    tasks: Sequence[Task[Result]], opener: WebOpener, processes: int
) -> Iterator[tuple[Task[Result], Result | FailedTask]]:
    """Do all tasks, begun in order; yield each with its result when it is done. One process means this one.

    Raises EvaluationError when a process dies.
    """
    if processes == 1:
        for task in tasks:
            yield task, _attempt(task, opener)
        return
    settings = tuple(opener.names), opener.cache, opener.hide_outside
    try:
        # One thread for linear algebra in each: more would fight for the processors, and the order of sums would vary.
        with parallel_config("loky", inner_max_num_threads=1):
            asked = ((place, task, *settings) for place, task in enumerate(tasks))
            results = in_processes(_attempt_there, asked, processes, ordered=False)
        for place, result in results:
            yield tasks[place], result
    except BrokenExecutor:
        raise EvaluationError(
            "a process died, perhaps for lack of memory; what is done is kept: run the same command again, with a "
            "smaller --processes"
        ) from None


def _attempt_there(
    place: int, task: Task[Result], names: tuple[str, ...], cache: Path, hide_outside: bool
) -> tuple[int, Result | FailedTask]:
    return place, _attempt(task, _opener(names, cache, hide_outside))


@lru_cache(1)
def _opener(names: tuple[str, ...], cache: Path, hide_outside: bool) -> WebOpener:
    """That of a process of ours."""
    end_with_parent()
    return WebOpener(names, cache, hide_outside=hide_outside)


def _attempt(task: Task[Result], opener: WebOpener) -> Result | FailedTask:
    """Do a task. Whatever goes wrong in it, a strategy of somebody's own included, does not end the others."""
    try:
        return task(opener)
    except FocusedError as error:
        return FailedTask(str(error))
    except Exception as error:
        return FailedTask(f"{type(error).__name__}: {error}", traceback.format_exc())
