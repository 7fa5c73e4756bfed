"""Starts crawls of topic files for a person who asks the dashboard to: fixed commands only, each a process of its own."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from focused.exceptions import FocusedError
from focused.storage.collection import is_crawled
from focused.topic.topic_file import find_topic, topic_files

LOG = "dashboard.log"  #: in the folder of a collection: what a crawl that was started here said
TELL = 500  #: characters of a failed start that are told


@dataclass
class Launcher:
    """Knows how the person started the dashboard, and starts crawls in the same way.

    Parameters
    ----------
    data : folder of all collections
    topics_dir : the user's folder of topics; None: those of the package
    settings : ``NAME=VALUE`` pairs of the command line, which the crawls get too
    """

    data: Path
    topics_dir: Path | None = None
    settings: Sequence[str] = ()
    _running: dict[str, subprocess.Popen[bytes]] = field(default_factory=dict)

    def topics(self) -> list[str]:
        """Names of the topic files there are."""
        return list(topic_files(self.topics_dir))

    def start(self, name: str) -> None:
        """Start, or go on with, the crawl of a topic. Raises FocusedError for an unknown topic or one that is under way."""
        find_topic(name, self.topics_dir)
        if name not in self.topics():
            raise FocusedError(f"{name}: only topics by their names can be started here")
        if (process := self._running.get(name)) and process.poll() is None:
            raise FocusedError(f"{name}: its crawl has been started already")
        folder = self.data / name
        if is_crawled(folder):
            raise FocusedError(f"{name}: its crawl is running already")
        try:
            folder.mkdir(parents=True, exist_ok=True)
            with (folder / LOG).open("wb") as log:
                # A session of its own: Ctrl-C in the terminal ends the dashboard, and the crawl goes on.
                self._running[name] = subprocess.Popen(
                    self._command(name), stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True
                )
        except OSError as error:
            raise FocusedError(f"{folder}: the crawl cannot be started: {error.strerror}") from None

    def failures(self) -> dict[str, str]:
        """What the crawls that ended with an error said at last, by topic."""
        ended = {name: process for name, process in self._running.items() if process.poll()}
        return {name: self._last_words(name) or f"exit code {ended[name].returncode}" for name in ended}

    def _command(self, name: str) -> list[str]:
        given = [part for pair in self.settings for part in ("-s", pair)]
        return [sys.executable, "-m", "scrapy", "crawl", "topical", "-a", f"topic={name}", *given]

    def _last_words(self, name: str) -> str:
        try:
            lines = (self.data / name / LOG).read_text(errors="replace").strip().splitlines()
        except OSError:
            return ""
        return lines[-1][:TELL] if lines else ""
