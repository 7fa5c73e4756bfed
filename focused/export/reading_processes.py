"""Reads many pages again on all cores, a few at a time and in order, so that memory does not grow with their number."""

from __future__ import annotations

import multiprocessing
from collections import deque
from collections.abc import Generator, Iterable, Iterator, Sequence
from concurrent.futures import BrokenExecutor, Future, ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import islice
from pathlib import Path

from focused.collection.collection import PAGES, open_repository
from focused.collection.repository import Place
from focused.collection.sqlite_errors import damage_is_told
from focused.exceptions import ExportError
from focused.export.row import UnfinishedRow
from focused.live.child_processes import deaf_to_interrupts, end_with_parent
from focused.live.last_run import LastRun
from focused.page.documents import pdf_library
from focused.page.page_facts import bars_snippets
from focused.page.page_text import Content, TextRequest, page_content
from focused.page.reader import ReadingOptions

PageToRead = tuple[Place, str]  #: where a page lies, and its URL


@dataclass(frozen=True)
class PlainCollection:
    """What a process must know to read the pages of a collection; can be sent to another one."""

    folder: Path
    pages: str  #: kind of its page repository
    reading: ReadingOptions
    wanted: TextRequest  #: of each page

    @classmethod
    def of(cls, folder: Path, run: LastRun, wanted: TextRequest) -> PlainCollection:
        return cls(folder, run.pages, run.reading, wanted)


class PageReader:
    """Reads pages of a collection. Raises FocusedError where a package is missing that this needs."""

    def __init__(self, collection: PlainCollection) -> None:
        self._folder = collection.folder
        self._options, self._wanted = collection.reading, collection.wanted
        if collection.reading.documents:
            pdf_library()  # where it is missing, this is the time to say so
        self._repository = open_repository(collection.pages, collection.folder / PAGES)

    def contents(self, asked: Sequence[PageToRead]) -> list[Content]:
        """What each page says. Raises StorageError for a page that is damaged or missing."""
        with damage_is_told(self._folder):
            return [self._content(*one) for one in asked]

    def _content(self, place: Place, url: str) -> Content:
        stored = self._repository.get(place)
        content = page_content(stored.body, stored.content_type, url, self._options, self._wanted)
        if content.facts and bars_snippets(stored.header("X-Robots-Tag")):
            return replace(content, facts=replace(content.facts, nosnippet=True))
        return content


BATCH = 16  #: pages that a process reads at a time: some 30 ms
AHEAD = 3  #: batches for each process that are read or wait: with `BATCH`, how many pages are in memory
FEW = 400  #: pages that are read sooner than processes have started


def with_contents(
    pages: Iterable[UnfinishedRow], collection: PlainCollection, processes: int
) -> Generator[UnfinishedRow]:
    """Yield pages in their order, each with what it says. To be closed, which ends the processes.

    processes : that read; 1: this one
    Raises what `PageReader` does, and ExportError where a process dies.
    """
    rest = iter(pages)
    batches = iter(lambda: list(islice(rest, BATCH)), [])
    if processes == 1:
        reader = PageReader(collection)
        for batch in batches:
            yield from _filled(batch, reader.contents(_asked(batch)))
        return
    waiting: deque[tuple[list[UnfinishedRow], Future[list[Content]]]] = deque()
    try:
        with _pool(processes) as pool:
            for batch in batches:
                waiting.append((batch, pool.submit(_read, collection, _asked(batch))))
                if len(waiting) == processes * AHEAD:
                    yield from _next_of(waiting)
            while waiting:
                yield from _next_of(waiting)
    except BrokenExecutor:
        raise ExportError("a process died, perhaps for lack of memory: try again with --processes 1") from None


def _asked(batch: list[UnfinishedRow]) -> list[PageToRead]:
    return [(page.place, page.final_url) for page in batch]


def _next_of(waiting: deque[tuple[list[UnfinishedRow], Future[list[Content]]]]) -> Iterator[UnfinishedRow]:
    batch, contents = waiting.popleft()
    yield from _filled(batch, contents.result())


def _filled(batch: list[UnfinishedRow], contents: list[Content]) -> Iterator[UnfinishedRow]:
    for page, content in zip(batch, contents, strict=True):
        page.text, page.structured = content.text, content.structured
        if facts := content.facts:
            page.author, page.published = facts.author, facts.date or None
            page.description, page.site_name = facts.description, facts.site_name
            page.nosnippet = facts.nosnippet
        yield page


@contextmanager
def _pool(processes: int) -> Iterator[ProcessPoolExecutor]:
    """Processes that are ended at once where an exception, such as that of Ctrl-C, ends the block."""
    not_ours = set(multiprocessing.active_children())
    spawn = multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(processes, spawn, initializer=end_with_parent)
    try:
        with deaf_to_interrupts():
            for _ in range(processes):
                pool.submit(bool)  # starts a process, for none of those before can be idle so soon
        yield pool
    except BaseException:
        for process in set(multiprocessing.active_children()) - not_ours:
            process.terminate()
        raise
    finally:
        pool.shutdown(cancel_futures=True)


@lru_cache(1)
def _reader(collection: PlainCollection) -> PageReader:
    """Of a process, which reads one collection. Not made as it starts: an error there ends the pool without a word."""
    return PageReader(collection)


def _read(collection: PlainCollection, asked: list[PageToRead]) -> list[Content]:
    return _reader(collection).contents(asked)
