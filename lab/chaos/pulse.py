"""Feels the pulse of a crawl from inside: how long its event loop was blocked at the longest, how much memory it took at most.

An add-on of Scrapy, so that no setting of the crawl is touched: see `options_of_pulse`.
The file is CSV, a row a sample, written at once: a crawl that is killed leaves what it had.
"""

from __future__ import annotations

import csv
import json
import time
from pathlib import Path
from typing import NamedTuple, Self

from scrapy import signals
from scrapy.crawler import Crawler
from scrapy.settings import BaseSettings
from scrapy.utils.asyncio import create_looping_call

from lab.benchmarks.measured import resident

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
