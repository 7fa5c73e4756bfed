"""Starts crawls for a person who asks the dashboard to: fixed commands only, each a process of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from focused.collection.collection import is_crawled
from focused.desk.dashboard.new_crawl import file_of, is_asked_here
from focused.desk.dashboard.ready_process import COMMAND
from focused.desk.dashboard.ready_process import LOG as LOG_FIELD
from focused.exceptions import FocusedError
from focused.topic.topic_file import find_topic, topic_files

LOG = "dashboard.log"  #: in the folder of a collection: what a crawl that was started here said
TELL = 500  #: characters of a failed start that are told
READY_SECONDS = 600.0  #: for which a process that is ready to crawl waits for a person to ask
SOON = ("-s", "FOCUSED_COMMIT_SECONDS=0.3")  #: somebody waits for the first hits


@dataclass
class Launcher:
    """Knows how the person started the dashboard, and starts crawls in the same way.

    Parameters
    ----------
    data : folder of all collections
    topics_dir : the user's folder of topics; None: those of the package
    settings : ``NAME=VALUE`` pairs of the command line, which the crawls get too
    search : specs of the providers that can be asked for seeds
    """

    data: Path
    topics_dir: Path | None = None
    settings: Sequence[str] = ()
    search: Sequence[str] = ()
    _running: dict[str, subprocess.Popen[bytes]] = field(default_factory=dict)
    _ready: subprocess.Popen[bytes] | None = None
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def topics(self) -> list[str]:
        """Names of the topic files there are."""
        return list(topic_files(self.topics_dir))

    def start(self, name: str) -> None:
        """Start, or go on with, the crawl of a topic. Raises FocusedError for an unknown topic or one that is under way."""
        find_topic(name, self.topics_dir)
        if name not in self.topics():
            raise FocusedError(f"{name}: only topics by their names can be started here")
        self._start(name, name)

    def start_asked(self, name: str) -> None:
        """Start, or go on with, a crawl that was asked for here. Raises FocusedError where there is none, or it is under way."""
        folder = self.data / name
        if not is_asked_here(folder):
            raise FocusedError(f"{name}: was not asked for here")
        here = f"FOCUSED_DATA_DIR={self.data.absolute()}"
        self._start(name, str(file_of(folder).absolute()), (*SOON, "-s", here))

    def is_starting(self, name: str) -> bool:
        """Whether its crawl was started here and has not ended."""
        process = self._running.get(name)
        return process is not None and process.poll() is None

    def failures(self) -> dict[str, str]:
        """What the crawls that ended with an error said at last, by topic."""
        ended = {name: process for name, process in self._running.items() if process.poll()}
        return {name: self._last_words(name) or f"exit code {ended[name].returncode}" for name in ended}

    def forget(self, name: str) -> None:
        """Tell nothing more of a collection."""
        self._running.pop(name, None)

    def get_ready(self) -> None:
        """Let a process import what a crawl needs, for a person who is about to ask for one; it ends when nobody does."""
        with self._lock, suppress(OSError):
            if self._ready is not None and self._ready.poll() is None:
                return
            # Its end is that of its standard input: with this dashboard, however that ends.
            process = self._ready = subprocess.Popen(
                [sys.executable, "-m", "focused.desk.dashboard.ready_process"],
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
                env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
            )
            timer = threading.Timer(READY_SECONDS, self._let_go, (process,))
            timer.daemon = True
            timer.start()

    def close(self) -> None:
        """End what waits to be asked for."""
        if self._ready is not None:
            self._let_go(self._ready)

    def _let_go(self, process: subprocess.Popen[bytes]) -> None:
        with self._lock, suppress(OSError):
            if self._ready is not process:
                return
            self._ready = None
            assert process.stdin is not None
            process.stdin.close()
        process.wait()

    def _start(self, name: str, topic: str, more: Sequence[str] = ()) -> None:
        if self.is_starting(name):
            raise FocusedError(f"{name}: its crawl has been started already")
        folder = self.data / name
        if is_crawled(folder):
            raise FocusedError(f"{name}: its crawl is running already")
        given = [part for pair in self.settings for part in ("-s", pair)]
        command = ["crawl", "topical", "-a", f"topic={topic}", *more, *given]
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self._running[name] = self._tell_ready(command, folder / LOG) or _process(command, folder / LOG)
        except OSError as error:
            raise FocusedError(f"{folder}: the crawl cannot be started: {error.strerror}") from None

    def _tell_ready(self, command: Sequence[str], log: Path) -> subprocess.Popen[bytes] | None:
        """Let the process that waits do it; None where there is none."""
        with self._lock, suppress(OSError):
            process, self._ready = self._ready, None
            if process is not None and process.poll() is None:
                assert process.stdin is not None
                line = json.dumps({COMMAND: list(command), LOG_FIELD: str(log.absolute())})
                process.stdin.write(f"{line}\n".encode())
                process.stdin.close()
                return process
        return None

    def _last_words(self, name: str) -> str:
        try:
            lines = (self.data / name / LOG).read_text(errors="replace").strip().splitlines()
        except OSError:
            return ""
        return lines[-1][:TELL] if lines else ""


def _process(command: Sequence[str], log: Path) -> subprocess.Popen[bytes]:
    """A session of its own: Ctrl-C in the terminal ends the dashboard, and the crawl goes on."""
    with log.open("wb") as file:
        return subprocess.Popen(
            [sys.executable, "-m", "scrapy", *command],
            stdin=subprocess.DEVNULL,
            stdout=file,
            stderr=file,
            start_new_session=True,
        )
