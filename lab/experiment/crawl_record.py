"""What is kept of one crawl of a comparison: a small file that is there completely or not at all."""

from __future__ import annotations

import gzip
import json
import os
import zlib
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from focused.exceptions import StorageError
from focused.simulation.judged_run import Run
from focused.topic.plain_files import shown_path, writing


def write_whole(path: Path, data: bytes) -> None:
    """Write a file at once and completely; StorageError if that cannot be, and then an older file stays."""
    unfinished = path.with_name(f".{path.name}.{os.getpid()}")
    with writing(path):
        try:
            unfinished.write_bytes(data)
            unfinished.replace(path)
        except OSError:
            with suppress(OSError):
                unfinished.unlink()
            raise


LEVEL = 6  #: of gzip: URLs of one web are much alike


@dataclass(frozen=True)
class CrawlRecord:
    """One crawl, as far as it is judged or reported.

    strategy : the name in the experiment
    repeat : from 1 on
    urls, duplicates : as in `Run`
    cpu_seconds : of the core: scoring, the frontier and its books, without reading pages
    failures : URLs picked that gave no page
    own_relevant : pages that the crawl itself took for relevant
    links, hidden : links on its pages, and how many of them were hidden because they leave the recording
    ended : why it ended, in the words of a live crawl
    relevance : of the pages, by the crawl's own page model; empty in records of older code
    """

    strategy: str
    topic: str
    repeat: int
    urls: list[str]
    duplicates: Mapping[str, str]
    cpu_seconds: float
    failures: int
    own_relevant: int
    links: int
    hidden: int
    ended: str
    relevance: list[float] = field(default_factory=list)

    def run(self, spelt: Mapping[str, str]) -> Run:
        """The crawl as measures take it. spelt : URL -> how the judgements spell it, where that differs."""
        urls = [spelt.get(url, url) for url in self.urls]
        duplicates = {spelt.get(url, url): spelt.get(first, first) for url, first in self.duplicates.items()}
        return Run(self.strategy, self.topic, self.repeat, urls, duplicates, self.cpu_seconds)


def write_record(record: CrawlRecord, path: Path) -> None:
    """Write a file at once and completely; StorageError if that cannot be."""
    data = gzip.compress(json.dumps(asdict(record), ensure_ascii=False).encode(), LEVEL, mtime=0)
    write_whole(path, data)


def read_record(path: Path) -> CrawlRecord:
    """Read what `write_record` wrote; StorageError if it is damaged."""
    try:
        values: dict[str, Any] = json.loads(gzip.decompress(path.read_bytes()))
        return CrawlRecord(**values)
    except (OSError, EOFError, zlib.error, ValueError, TypeError) as error:
        raise StorageError(f"{shown_path(path)}: damaged ({error}); delete it and compare again") from None
