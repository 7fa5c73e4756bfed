"""One crawl: the web is served, a crawler is let loose on it, and stopped when the server's log has the pages it may fetch.

Two files stay: the server's log, which the crawl is judged by, and what it cost. The second is written last, and then whole:
a crawl that was interrupted has none and is made again.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from fcntl import LOCK_EX, LOCK_NB, flock
from pathlib import Path
from random import Random

from focused.exceptions import EvaluationError, FocusedError, StorageError
from focused.page.urls import UrlRules
from focused.simulation.labelled_files import LabelledFile
from focused.simulation.recorded_web import RecordedWeb
from focused.topic.plain_files import shown_path, writing
from lab.experiment.crawl_record import write_whole
from lab.rivals.rivals import Task, command_of, environment_of
from lab.rivals.served import START, AccessLog, WithStart, served

LOCK = ".lock"  #: file of a folder of crawls, held while a comparison runs
POLL = 0.1  #: seconds between two looks at the log
PATIENCE = 20.0  #: seconds that a crawler may take to end when it is asked to
SAID = 2000  #: characters of what a crawler said last that are shown when it fails
ENOUGH, NOTHING_LEFT, TIME, FAILED = "enough pages", "nothing left", "out of time", "failed"
Tell = Callable[[int], None]


@dataclass(frozen=True)
class Conditions:
    """What is the same for all crawlers.

    pages : distinct ones, after which a crawl is stopped
    in_flight : requests at a time
    latency : mean seconds until an answer
    minutes : after which a crawl is stopped
    """

    pages: int
    in_flight: int
    latency: float
    minutes: float


@dataclass(frozen=True)
class Outcome:
    """What one crawl cost, and what it depends on.

    order : seed of the latencies and of the order of the seeds
    version : of the crawler, of the web and of the topic
    cpu, wall : seconds of its process, from start to end
    """

    crawler: str
    topic: str
    order: int
    version: str
    conditions: Conditions
    ended: str
    cpu: float
    wall: float


@dataclass(frozen=True)
class Files:
    """Where the two files of a crawl lie."""

    folder: Path
    crawler: str
    topic: str
    order: int

    @property
    def log(self) -> Path:
        return self._file("log")

    @property
    def outcome(self) -> Path:
        return self._file("json")

    def _file(self, suffix: str) -> Path:
        return self.folder / self.crawler.replace(":", "-") / f"{self.topic}-{self.order}.{suffix}"

    def read(self) -> Outcome | None:
        """The outcome; None if the crawl was not finished. Raises EvaluationError for a damaged file."""
        if not self.outcome.exists() or not self.log.exists():
            return None
        try:
            values = json.loads(self.outcome.read_text(encoding="utf-8"))
            return Outcome(**{**values, "conditions": Conditions(**values["conditions"])})
        except (ValueError, TypeError, KeyError):
            raise EvaluationError(f"{shown_path(self.outcome)}: damaged; delete it to crawl again") from None

    def write(self, outcome: Outcome) -> None:
        """Write the outcome at once and completely; StorageError if that cannot be."""
        write_whole(self.outcome, f"{json.dumps(asdict(outcome), indent=1)}\n".encode())

    def make_folder(self) -> None:
        """Raises StorageError if that cannot be."""
        with writing(self.log):
            self.outcome.unlink(missing_ok=True)


@contextmanager
def alone_in(folder: Path) -> Iterator[None]:
    """Make a folder of crawls and keep other comparisons out of it: they would write into the same logs.

    Raises StorageError if another one is there, or the folder cannot be written.
    """
    with writing(folder / LOCK):
        file = (folder / LOCK).open("w")
    with file:  # the system gives the lock back, even after a kill
        try:
            flock(file, LOCK_EX | LOCK_NB)
        except BlockingIOError:
            raise StorageError(
                f"{shown_path(folder)}: another comparison writes there; wait for it, or give another --out"
            ) from None
        yield


def seeds_in_order(labelled: LabelledFile, order: int) -> tuple[str, ...]:
    """The seeds of a topic, shuffled; order 0 leaves them as they are written."""
    seeds = list(labelled.topic.seeds)
    if order:
        Random(f"{order} {labelled.topic.name}").shuffle(seeds)
    return tuple(seeds)


def crawl(
    files: Files, labelled: LabelledFile, version: str, conditions: Conditions, web: RecordedWeb, tell: Tell
) -> Outcome:
    """Let a crawler loose and write its two files. Raises FocusedError if it fails before it has a page.

    tell : called with the number of pages now and then
    """
    topic, seeds = labelled.topic, seeds_in_order(labelled, files.order)
    files.make_folder()
    rules = UrlRules(topic.reading.fold_index, topic.reading.strip_parameters)
    with (
        served(WithStart(web, seeds), files.log, conditions.latency, files.order) as proxy,
        tempfile.TemporaryDirectory(prefix="rival-") as name,
    ):
        folder = Path(name)
        hosts = topic.scope.allowed_hosts or tuple(sorted(web.hosts))
        task = Task(topic.keywords, seeds, START, hosts, proxy, conditions.in_flight)
        command = command_of(files.crawler, topic, task, folder)
        log = AccessLog(files.log, rules)
        with (folder / "output").open("wb") as output:
            process = subprocess.Popen(
                command,
                env=environment_of(files.crawler, task, folder),
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
            ended, cpu, wall = _watch(process, log, conditions, tell)
        if not log.update().pages and ended in (FAILED, NOTHING_LEFT):
            said = (folder / "output").read_text(encoding="utf-8", errors="replace")[-SAID:]
            raise FocusedError(f"{files.crawler} ended on {topic.name} before its first page:\n{said}")
    outcome = Outcome(files.crawler, topic.name, files.order, version, conditions, ended, cpu, wall)
    files.write(outcome)
    return outcome


def _watch(
    process: subprocess.Popen[bytes], log: AccessLog, conditions: Conditions, tell: Tell
) -> tuple[str, float, float]:
    """Wait for the end of a crawl, or bring it about: why it ended, CPU and wall seconds."""
    start = time.monotonic()
    ended = ""
    try:
        while not (over := os.wait4(process.pid, os.WNOHANG))[0]:
            tell(len(log.update().pages))
            spent = time.monotonic() - start
            if not ended and (len(log.pages) >= conditions.pages or spent > 60 * conditions.minutes):
                ended = ENOUGH if len(log.pages) >= conditions.pages else TIME
                # Not by Popen, which would take the usage of one that has just ended.
                os.kill(process.pid, signal.SIGTERM)
                asked = time.monotonic()
            if ended and time.monotonic() - asked > PATIENCE:
                os.kill(process.pid, signal.SIGKILL)
            time.sleep(POLL)
        _, status, usage = over
        process.returncode = os.waitstatus_to_exitcode(status)
    finally:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)  # whatever it has started
        if process.returncode is None:
            process.wait()
    if not ended:
        enough = len(log.update().pages) >= conditions.pages
        ended = ENOUGH if enough else FAILED if process.returncode else NOTHING_LEFT
    return ended, usage.ru_utime + usage.ru_stime, time.monotonic() - start
