"""Feels the pulse of a live crawl from inside: how long the event loop was blocked, how much memory is taken, by what.

An add-on of Scrapy, so that no setting of the crawl is touched: see `options_of_pulse`.
The file is CSV, a row a sample, written at once: a crawl that is killed leaves what it had.
"""

from __future__ import annotations

import csv
import gc
import json
import time
from dataclasses import astuple, dataclass, fields
from pathlib import Path
from typing import Self

from scrapy import signals
from scrapy.crawler import Crawler
from scrapy.exceptions import NotConfigured
from scrapy.settings import BaseSettings
from scrapy.utils.asyncio import create_looping_call

from focused.run.session import Session, session_of
from lab.benchmarks.measured import resident
from lab.benchmarks.state_sizes import sizes_of

BEAT = 0.02  #: seconds between two beats


@dataclass(slots=True)
class Sample:
    """What was seen at one moment."""

    seconds: float  #: since the engine started
    pages: int
    known: int  #: URLs
    waiting: int  #: of these
    hosts: int
    resident: float  #: MB
    peak: float  #: MB, the most that was resident so far
    block_cpu: float  #: seconds of CPU of the event loop's thread in the longest turn so far
    block_wall: float  #: seconds of the clock that this turn took
    slots: int  #: of the downloader
    objects: int  #: that Python's collector tracks, in thousands; 0 where it was not counted
    urls_mb: float = 0.0  #: held by the parts of the crawl; 0 where it was not counted
    hosts_mb: float = 0.0
    frontier_mb: float = 0.0
    strategy_mb: float = 0.0
    rest_mb: float = 0.0


class Pulse:
    """Beats in the event loop; between two beats lies one turn of it, with all that it had to do."""

    def __init__(self, crawler: Crawler) -> None:
        settings = crawler.settings
        self._crawler, self._path = crawler, Path(settings["PULSE_FILE"])
        self._every = settings.getfloat("PULSE_SECONDS", 0.5)  # between two samples
        self._parts_every = settings.getint("PULSE_PARTS_PAGES", 0)  # pages between two counts of what parts hold
        self._parts_at = 0
        self._block = (0.0, 0.0)  # CPU, clock
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
        if not self._file.tell():
            self._rows.writerow(field.name for field in fields(Sample))
        self._started = self._wall = time.monotonic()
        self._cpu, self._next = time.thread_time(), 0.0
        self._beats.start(BEAT, now=False)

    def _beat(self) -> None:
        cpu, wall = time.thread_time(), time.monotonic()
        longest = cpu - self._cpu > self._block[0]
        if longest:
            self._block = (cpu - self._cpu, wall - self._wall)
        if wall >= self._next or (longest and self._block[0] > BEAT):
            self._next = wall + self._every
            self._sample()
        self._cpu, self._wall = time.thread_time(), time.monotonic()  # what a sample takes is no block

    def _end(self) -> None:
        if self._beats.running:
            self._beat()
            self._sample()
            self._beats.stop()
            self._file.close()

    def _sample(self) -> None:
        try:
            session = session_of(self._crawler)
        except NotConfigured:
            return
        engine = self._crawler.engine
        crawl = session.crawl
        sample = Sample(
            seconds=round(time.monotonic() - self._started, 2),
            pages=crawl.totals.pages,
            known=len(crawl.urls),
            waiting=len(crawl.frontier),
            hosts=len(crawl.hosts),
            resident=round(resident(), 1),
            peak=round(resident("VmHWM"), 1),
            block_cpu=round(self._block[0], 3),
            block_wall=round(self._block[1], 3),
            slots=len(engine.downloader.slots) if engine else 0,
            objects=0,
        )
        if self._parts_every and sample.pages >= self._parts_at:
            self._parts_at = sample.pages + self._parts_every
            self._count(sample, session)
        self._rows.writerow(astuple(sample))

    def _count(self, sample: Sample, session: Session) -> None:
        sample.objects = len(gc.get_objects()) // 1000
        for part, size in sizes_of(session.crawl).items():
            setattr(sample, f"{part}_mb", round(size / 2**20, 2))


def options_of_pulse(path: Path, parts_every: int = 0) -> dict[str, object]:
    """Settings of a crawl that let it write its pulse into a file."""
    addons = json.dumps({f"{Pulse.__module__}.{Pulse.__qualname__}": 1})
    return {"ADDONS": addons, "PULSE_FILE": path.resolve(), "PULSE_PARTS_PAGES": parts_every}


def read_pulse(path: Path) -> list[Sample]:
    """The samples of a file; none where there is none. A line that was cut short ends it."""
    if not path.exists():
        return []
    samples = []
    with path.open(encoding="utf-8", newline="") as file:
        for row in list(csv.reader(file))[1:]:
            try:
                values = {field.name: float(value) for field, value in zip(fields(Sample), row, strict=True)}
            except ValueError:
                break
            samples.append(Sample(**values))  # type: ignore[arg-type]
    return samples
