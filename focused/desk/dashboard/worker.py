"""Work that would keep the pages waiting: done by a process of its own, which ends with the dashboard."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from pathlib import Path

PAUSE = 3.0  #: seconds between the end of one piece of work and the next
NICER = 10  #: the pages come first


class Worker:
    """Runs one module for one collection, one process at a time.

    Parameters
    ----------
    module : has a `main`; prints what it has to say, and has an exit code above 0 where that is a trouble
    folder : of the collection, its only argument
    most_seconds : after which it is killed

    Attributes
    ----------
    said : what the last process printed; None before one has ended
    failed : whether that was a trouble
    """

    def __init__(self, module: str, folder: Path, most_seconds: float) -> None:
        self._module, self._folder, self._most_seconds = module, folder, most_seconds
        self.said: str | None = None
        self.failed = False
        self._running = False
        self._ended = float("-inf")
        self._lock = threading.Lock()

    @property
    def running(self) -> bool:
        return self._running

    def start(self) -> None:
        """Begin, unless it is under way or has ended just now."""
        with self._lock:
            if self._running or time.monotonic() - self._ended < PAUSE:
                return
            self._running = True
        threading.Thread(target=self._work, name=self._module, daemon=True).start()

    def _work(self) -> None:
        try:
            self.said, self.failed = self._run()
        except OSError as error:
            self.said, self.failed = f"no process can be started: {error.strerror}", True
        finally:
            self._ended = time.monotonic()
            self._running = False

    def _run(self) -> tuple[str, bool]:
        process = subprocess.Popen(
            [sys.executable, "-m", self._module, str(self._folder)],
            stdin=subprocess.PIPE,  # its end tells the process that the dashboard has ended
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
            start_new_session=True,  # Ctrl-C is the dashboard's business
        )
        timer = threading.Timer(self._most_seconds, process.kill)
        timer.start()
        try:
            assert process.stdout is not None and process.stdin is not None
            said = process.stdout.read().decode("utf-8", "replace").strip()
            code = process.wait()
            process.stdin.close()
            process.stdout.close()
        finally:
            timer.cancel()
        if code < 0:
            return f"it took more than {self._most_seconds:,.0f} s, or was ended", True
        return said, code > 0


def begin_work() -> None:
    """To be called by the `main` of a worker's module: it lets others go first, and ends when the dashboard does."""
    os.nice(NICER)
    threading.Thread(target=_wait_and_end, daemon=True).start()


def _wait_and_end() -> None:
    while os.read(sys.stdin.fileno(), 1024):  # not by a buffer, whose lock would hold up the end of the process
        pass
    os._exit(1)
