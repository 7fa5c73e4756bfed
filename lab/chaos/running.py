"""Crawls a scene with `scrapy crawl`, in a process of its own, as a person does; looks at the log of the server afterwards.

The crawl's pulse is felt by an add-on of Scrapy, so that no setting of the crawl is touched: how long its event loop was blocked at
the longest, how much memory it took at most. A row of CSV a sample is written at once: a crawl that is killed leaves what it had.
"""

from __future__ import annotations

import csv
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from contextlib import ExitStack
from importlib.util import find_spec
from pathlib import Path
from time import monotonic
from typing import NamedTuple, Self

from scrapy import signals
from scrapy.crawler import Crawler
from scrapy.settings import BaseSettings
from scrapy.utils.asyncio import create_looping_call

from lab.benchmarks.measured import options, resident
from lab.chaos.checker import REACHED, Finding, Promise, check, read_log
from lab.chaos.scene import Outcome, Scenario, Scene
from lab.chaos.server import ADDRESS, ChaosServer, serving, watching

BEAT = 0.02  #: seconds between two beats
EVERY = 0.5  #: seconds between two samples


class Sample(NamedTuple):
    """What was seen at one moment."""

    seconds: float  #: since the engine started
    peak: float  #: MB, the most that was resident so far
    block: float  #: seconds of CPU of the event loop's thread in the longest turn so far


class Pulse:
    """Beats in the event loop; between two beats lies one turn of it, with all that it had to do."""

    def __init__(self, crawler: Crawler) -> None:
        self._path = Path(crawler.settings["PULSE_FILE"])
        self._block = 0.0
        self._beats = create_looping_call(self._beat)
        crawler.signals.connect(self._start, signals.engine_started)
        crawler.signals.connect(self._end, signals.spider_closed)

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        return cls(crawler)

    def update_settings(self, settings: BaseSettings) -> None:
        """An add-on has this."""

    def _start(self) -> None:
        self._file = self._path.open("a", encoding="utf-8", newline="", buffering=1)
        self._rows = csv.writer(self._file, lineterminator="\n")
        self._started, self._cpu, self._next = time.monotonic(), time.thread_time(), 0.0
        self._beats.start(BEAT, now=False)

    def _beat(self) -> None:
        took, now = time.thread_time() - self._cpu, time.monotonic()
        longest = took > self._block
        self._block = max(took, self._block)
        if now >= self._next or (longest and took > BEAT):
            self._next = now + EVERY
            self._sample()
        self._cpu = time.thread_time()  # what a sample takes is no block

    def _end(self) -> None:
        if self._beats.running:
            self._beats.stop()
            self._sample()
            self._file.close()

    def _sample(self) -> None:
        seconds = round(time.monotonic() - self._started, 2)
        self._rows.writerow(Sample(seconds, round(resident("VmHWM"), 1), round(self._block, 3)))


def options_of_pulse(path: Path) -> dict[str, object]:
    """Settings of a crawl that let it write its pulse into a file."""
    return {"ADDONS": json.dumps({f"{Pulse.__module__}.{Pulse.__qualname__}": 1}), "PULSE_FILE": path.resolve()}


def read_pulse(path: Path) -> list[Sample]:
    """The samples of a file; none where there is none. A line that was cut short ends it."""
    if not path.exists():
        return []
    samples = []
    with path.open(encoding="utf-8", newline="") as file:
        for row in csv.reader(file):
            try:
                samples.append(Sample(*map(float, row)))
            except (ValueError, TypeError):
                break
    return samples


ROOT = Path(__file__).parents[2]
#: Seconds: on a busy machine the server notices one request so much later than the next that the gap seems shorter. Half the usual
#: delay: a crawl that keeps no delay is found, one whose bytes left late is not blamed.
SLACK = 0.2
NAME = "chaos"  #: of the collection
ACCESS_LOG, CRAWL_LOG, PULSE = "access.jsonl", "crawl.log", "pulse.csv"
FINDINGS = "findings.txt"
ARGUMENTS: dict[str, object] = {"name": NAME, "keywords": "solar energy,solar panel,inverter", "pages": 0}
SETTINGS: dict[str, object] = {
    "DOWNLOAD_TIMEOUT": 4,
    "DOWNLOAD_MAXSIZE": 2_000_000,
    "FOCUSED_COMMIT_SECONDS": 0.5,
    "FOCUSED_ROBOTS_RETRY_SECONDS": 0.5,  # a host whose robots.txt cannot be reached is given up soon
    "LOG_LEVEL": "INFO",
}


def lacking(scenario: Scenario) -> list[str]:
    """What this machine lacks for a scenario."""
    return [name for name in scenario.needs if not (find_spec(name) or shutil.which(name))]


def run(scenario: Scenario, folder: Path) -> Outcome:
    """Build and crawl a scene; all that was written lies in ``folder``, which is emptied first."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    scene = scenario.build()
    start = monotonic()
    with ExitStack() as stack:
        sinks = stack.enter_context(watching())
        if scene.sinks:
            scene.sinks(sinks.port)
        server = stack.enter_context(serving(scene.web, folder / ACCESS_LOG))
        codes = [_crawl(scene, server, folder, kill) for kill in (*scene.kills, None)]
    outcome = Outcome(codes, (folder / CRAWL_LOG).read_text(errors="replace"), monotonic() - start, scene.inputs)
    outcome.good = scene.good
    outcome.read_collection(folder / NAME)
    pulse = read_pulse(folder / PULSE)
    outcome.block = max((sample.block for sample in pulse), default=0.0)
    outcome.memory = max((sample.peak for sample in pulse), default=0.0)
    outcome.asked = read_log(folder / ACCESS_LOG)
    outcome.findings = check(outcome.asked, promise_of(scene))
    outcome.findings += [Finding(REACHED, "this machine", arrived) for arrived in sinks.arrived]
    outcome.more += scene.more(outcome)
    lines = [f"{one.kind}: {one.text}\n" for one in outcome.findings] + [f"more: {text}\n" for text in outcome.more]
    (folder / FINDINGS).write_text("".join(lines))
    return outcome


def promise_of(scene: Scene) -> Promise:
    return Promise(
        slack=SLACK, delay=scene.delay, longest_wait=scene.longest_wait, secrets=scene.secrets, hosts=scene.web.rules
    )


def _crawl(scene: Scene, server: ChaosServer, folder: Path, kill: int | None) -> int | None:
    """Crawl until it ends, or is killed after ``kill`` more requests; the exit code, None where it took too long."""
    arguments = ARGUMENTS | {"seeds": ",".join(scene.seeds)} | dict(scene.arguments)
    settings = SETTINGS | {"DOWNLOAD_DELAY": scene.delay, "FOCUSED_DATA_DIR": folder} | options_of_pulse(folder / PULSE)
    words = [word for name, value in arguments.items() for word in ("-a", f"{name}={value}")]
    command = [sys.executable, "-m", "scrapy", "crawl", "topical", *options(settings | dict(scene.settings)), *words]
    with (folder / CRAWL_LOG).open("ab") as log:
        process = subprocess.Popen(
            command,
            cwd=ROOT,
            env=environment(server.port),
            stdout=log,
            stderr=log,
            start_new_session=True,
        )
        try:
            if kill is not None:
                server.wait_for(len(server.asked) + kill, lambda: process.poll() is not None, scene.seconds)
                return _kill(process)
            return process.wait(scene.seconds)
        except subprocess.TimeoutExpired:
            _kill(process)
            return None
        finally:
            if process.poll() is None:  # such as after Ctrl-C
                _kill(process)


def environment(port: int) -> Mapping[str, str]:
    """Of a process that sees our server in place of the Web."""
    others = ("_proxy", "scrapy_settings_module")
    kept = {name: value for name, value in os.environ.items() if not name.lower().endswith(others)}
    proxies = dict.fromkeys(("http_proxy", "https_proxy"), f"http://{ADDRESS}:{port}")
    return kept | proxies | {"PYTHONPATH": str(ROOT), "SCRAPY_PROJECT": "default"}


def _kill(process: subprocess.Popen[bytes]) -> int:
    """Kill a crawl and what it started, a browser for instance."""
    os.killpg(process.pid, signal.SIGKILL)
    return process.wait()
