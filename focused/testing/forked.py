"""Commands of Scrapy in processes of their own that start at once.

Python and a crawl's imports take seconds of CPU, the crawl of a small Web a fraction of one. So one process imports what a crawl
needs, once, and each command is forked from it: exit code, signals, log, memory and open files are those of a process of its own.

What a fork does not show is what happens before and after a program's own code: imports, options of Python such as ``-W``,
PYTHONHASHSEED, and warnings while the interpreter ends. Start a true process for those.
"""

from __future__ import annotations

import atexit
import gc
import os
import signal
import subprocess
import sys
import threading
import warnings
from collections.abc import Mapping, Sequence
from multiprocessing import get_context, reduction
from pathlib import Path
from typing import IO, Any, Self

IMPORTED = "focused.testing.imported"


class ForkedProcess:
    """A forked command, used as a `subprocess.Popen` in text mode.

    Parameters
    ----------
    arguments : the words of the command line, without the program's name
    cwd : folder in which the command runs
    env : the whole environment of the command
    stdout, stderr : `subprocess.PIPE`, `subprocess.DEVNULL` or a file descriptor; ``stderr`` may be `subprocess.STDOUT` as well

    Attributes
    ----------
    pid : process id
    returncode : exit code, ``-N`` for a process that signal N ended, None before its end is known
    stdout, stderr : text streams where PIPE was asked for, else None
    """

    def __init__(
        self,
        arguments: Sequence[str],
        *,
        cwd: Path | str = ".",
        env: Mapping[str, str] | None = None,
        stdout: int = subprocess.PIPE,
        stderr: int = subprocess.PIPE,
    ) -> None:
        context = get_context("forkserver")
        context.set_forkserver_preload([IMPORTED])
        self.args = ["scrapy", *arguments]
        self.returncode: int | None = None
        output, self.stdout = _stream(stdout)
        log, self.stderr = (output, None) if stderr == subprocess.STDOUT else _stream(stderr)
        given = dict(os.environ if env is None else env)
        self._process = context.Process(
            target=_run, args=(self.args, str(Path(cwd).absolute()), given, _Handed(output), _Handed(log))
        )
        self._process.start()
        for end, asked in ((output, stdout), (log, stderr)):
            if asked in (subprocess.PIPE, subprocess.DEVNULL):
                os.close(end)
        assert self._process.pid is not None
        self.pid = self._process.pid
        self._readers: list[tuple[threading.Thread, list[str]]] | None = None

    def poll(self) -> int | None:
        """The exit code, None while the command runs."""
        if self.returncode is None:
            self.returncode = self._process.exitcode
        return self.returncode

    def wait(self, timeout: float | None = None) -> int:
        """The exit code, once the command has ended. Raises TimeoutExpired after ``timeout`` seconds."""
        if self.returncode is None:
            self._process.join(timeout)
        code = self.poll()
        if code is None:
            assert timeout is not None
            raise subprocess.TimeoutExpired(self.args, timeout)
        return code

    def communicate(self, timeout: float | None = None) -> tuple[str, str]:
        """All that the command writes, once it has ended. Raises TimeoutExpired; can be called again then."""
        if self._readers is None:
            self._readers = [_reader(stream) for stream in (self.stdout, self.stderr)]
        self.wait(timeout)
        for thread, _ in self._readers:
            thread.join(timeout)  # a child of the command may hold the stream open
            if thread.is_alive():
                assert timeout is not None
                raise subprocess.TimeoutExpired(self.args, timeout)
        output, log = ("".join(parts) for _, parts in self._readers)
        self._process.close()
        return output, log

    def send_signal(self, number: int) -> None:
        if self.poll() is None:
            os.kill(self.pid, number)

    def terminate(self) -> None:
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.wait()
        for stream in (self.stdout, self.stderr):
            if stream is not None:
                stream.close()


def start_scrapy(*arguments: str, **options: Any) -> ForkedProcess:
    """Start ``scrapy arguments...`` in a forked process; ``options`` are those of `ForkedProcess`.

    Examples
    --------
    >>> with start_scrapy("version") as process:
    ...     output, log = process.communicate(timeout=60)
    >>> output.startswith("Scrapy")
    True
    """
    return ForkedProcess(arguments, **options)


class _Handed:
    """A file descriptor that goes along to the forked process."""

    def __init__(self, number: int) -> None:
        self.number = number

    def __reduce__(self) -> tuple[Any, ...]:
        return _received, (reduction.DupFd(self.number),)


def _received(duplicate: Any) -> int:
    number: int = duplicate.detach()
    return number


def _stream(asked: int) -> tuple[int, IO[str] | None]:
    """The end that a process writes to, and the stream that we read."""
    if asked == subprocess.DEVNULL:
        return os.open(os.devnull, os.O_WRONLY), None
    if asked != subprocess.PIPE:
        return asked, None
    ours, theirs = os.pipe()
    return theirs, os.fdopen(ours, encoding="utf-8", errors="replace")


def _reader(stream: IO[str] | None) -> tuple[threading.Thread, list[str]]:
    """A thread that reads a stream to its end, as the pipe would fill up, and what it has read."""
    parts: list[str] = []

    def read() -> None:
        if stream is not None and not stream.closed:
            with stream:
                parts.append(stream.read())

    thread = threading.Thread(target=read, daemon=True)
    thread.start()
    return thread, parts


def _run(arguments: list[str], cwd: str, environment: dict[str, str], output: int, log: int) -> None:
    """Become the command, in the forked process."""
    from scrapy.cmdline import execute

    os.dup2(output, 1)
    os.dup2(log, 2)
    for number in {output, log} - {1, 2}:
        os.close(number)
    sys.stdout = os.fdopen(1, "w", encoding="utf-8", closefd=False)
    sys.stderr = os.fdopen(2, "w", encoding="utf-8", errors="backslashreplace", buffering=1, closefd=False)
    os.environ.clear()
    os.environ.update(environment)
    os.chdir(cwd)
    sys.path[:0] = [cwd, *filter(None, environment.get("PYTHONPATH", "").split(os.pathsep))]
    sys.argv = arguments
    warnings.filterwarnings("error", category=ResourceWarning)
    try:
        execute(arguments)
    finally:
        gc.collect()  # what was left open says so now
        atexit._run_exitfuncs()
