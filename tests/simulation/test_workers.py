"""Tasks are done in processes, and what becomes of one is no matter of the others."""

from __future__ import annotations

import os
import signal
from dataclasses import dataclass
from pathlib import Path

import pytest

from focused.exceptions import EvaluationError
from focused.simulation.web_opener import WebOpener
from focused.simulation.workers import FailedTask, do


@dataclass(frozen=True)
class Ends:
    """A task that gives its number, its process and its threads, raises an error, or takes its process with it."""

    number: int
    how: str = "well"

    def __call__(self, opener: WebOpener) -> tuple[int, int, str]:
        if self.how == "error":
            raise ValueError("no")
        if self.how == "killed":
            os.kill(os.getpid(), signal.SIGKILL)
        return self.number, os.getpid(), os.environ.get("OPENBLAS_NUM_THREADS", "")


@pytest.mark.parametrize("processes", [1, 2])
def test_each_task_comes_with_its_result(processes: int, tmp_path: Path) -> None:
    tasks = [Ends(0), Ends(1, "error"), Ends(2)]
    done = dict(do(tasks, WebOpener(["demo"], tmp_path), processes))
    assert isinstance(failed := done[tasks[1]], FailedTask)
    assert failed.message == "ValueError: no"
    assert "tests/simulation/test_workers.py" in failed.trace
    for task in (tasks[0], tasks[2]):
        result = done[task]
        assert not isinstance(result, FailedTask)
        number, process, threads = result
        assert number == task.number
        assert (process == os.getpid()) == (processes == 1)
        assert processes == 1 or threads == "1"


def test_a_process_that_dies_is_told_in_one_line(tmp_path: Path) -> None:
    with pytest.raises(EvaluationError, match=r"^a process died[^\n]*--processes$"):
        list(do([Ends(0, "killed"), Ends(1)], WebOpener(["demo"], tmp_path), 2))
