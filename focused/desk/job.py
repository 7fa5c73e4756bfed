"""Work that would keep others waiting: done by a process of its own, which ends with the one that began it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

TASKS = "focused.desk.dashboard.tasks"  #: the module that does what a dashboard wants done
PAUSE = 3.0  #: seconds between the end of one piece of work and the next
NICER = 10  #: the pages come first


class Job(subprocess.Popen[bytes]):
    """A module in a process of its own. Its standard input ends with this process, however that ends, and tells it so.

    It has a session of its own: Ctrl-C in the terminal is the business of whoever began it. Raises OSError where it cannot start.
    """

    def __init__(self, module: str, *arguments: str, **streams: Any) -> None:
        super().__init__(
            [sys.executable, "-m", module, *arguments],
            stdin=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
            start_new_session=True,
            **{"stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL, **streams},
        )

    def tell(self, order: object) -> None:
        """Send it one line of JSON. Raises OSError where it has ended."""
        assert self.stdin is not None
        self.stdin.write(f"{json.dumps(order)}\n".encode())
        self.stdin.flush()

    def hang_up(self) -> None:
        """End its standard input: it is told nothing more."""
        assert self.stdin is not None
        with suppress(OSError):  # it has ended before
            self.stdin.close()


class Worker:
    """Does one of `TASKS` for one collection, in one process at a time.

    Parameters
    ----------
    task : prints what it has to say, and has an exit code above 0 where that is a trouble
    folder : of the collection, its only argument
    most_seconds : after which it is killed

    Attributes
    ----------
    running : whether it is under way
    said : what the last process printed; None before one has ended
    failed : whether that was a trouble
    """

    def __init__(self, task: str, folder: Path, most_seconds: float) -> None:
        self._task, self._folder, self._most_seconds = task, folder, most_seconds
        self.said: str | None = None
        self.failed = False
        self.running = False
        self._ended = float("-inf")
        self._lock = threading.Lock()

    def start(self) -> None:
        """Begin, unless it is under way or has ended just now."""
        with self._lock:
            if self.running or time.monotonic() - self._ended < PAUSE:
                return
            self.running = True
        threading.Thread(target=self._work, name=self._task, daemon=True).start()

    def _work(self) -> None:
        try:
            self.said, self.failed = self._run()
        except OSError as error:
            self.said, self.failed = f"no process can be started: {error.strerror}", True
        finally:
            self._ended = time.monotonic()
            self.running = False

    def _run(self) -> tuple[str, bool]:
        with Job(TASKS, self._task, str(self._folder)) as job:
            timer = threading.Timer(self._most_seconds, job.kill)
            timer.start()
            assert job.stdout is not None
            said = job.stdout.read().decode("utf-8", "replace").strip()
            code = job.wait()
            timer.cancel()
        if code < 0:
            return f"it took more than {self._most_seconds:,.0f} s, or was ended", True
        return said, code > 0


def begin_work() -> None:
    """To be called by a task: it lets others go first, and ends when the dashboard does."""
    os.nice(NICER)
    threading.Thread(target=_wait_and_end, daemon=True).start()


def _wait_and_end() -> None:
    while os.read(sys.stdin.fileno(), 1024):  # not by a buffer, whose lock would hold up the end of the process
        pass
    os._exit(1)
