"""Reads many pages again on all cores, a few at a time and in order, so that memory does not grow with their number."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator, Sequence
from concurrent.futures import BrokenExecutor
from contextlib import closing
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import islice
from pathlib import Path

from focused.collection.collection import PAGES, open_repository
from focused.collection.repository import Place
from focused.collection.sqlite_errors import damage_is_told
from focused.exceptions import ExportError
from focused.export.row import UnfinishedRow
from focused.live.child_processes import end_with_parent, in_processes
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
AHEAD = 12  #: batches for each process in a round: with `BATCH`, how many pages are in memory
FEW = 400  #: pages that are read sooner than processes have started


def with_contents(
    pages: Iterable[UnfinishedRow], collection: PlainCollection, processes: int
) -> Generator[UnfinishedRow]:
    """Yield pages in their order, each with what it says. To be closed.

    processes : that read; 0: as many as there are cores, or LOKY_MAX_CPU_COUNT says; 1: this one
    Raises what `PageReader` does, and ExportError where a process dies.
    """
    rest = iter(pages)
    batches = iter(lambda: list(islice(rest, BATCH)), [])
    if processes == 0:
        from joblib import effective_n_jobs  # which takes a while

        processes = effective_n_jobs(-1)
    if processes == 1:
        reader = PageReader(collection)
        for batch in batches:
            yield from _filled(batch, reader.contents(_asked(batch)))
        return
    try:
        while some := list(islice(batches, processes * AHEAD)):
            # A round at a time: joblib would take pages from another thread, and as fast as they are read, not written.
            with closing(in_processes(_read, [(collection, _asked(batch)) for batch in some], processes)) as read:
                for batch, contents in zip(some, read, strict=True):
                    yield from _filled(batch, contents)
    except BrokenExecutor:
        raise ExportError("a process died, perhaps for lack of memory: try again with --processes 1") from None


def _asked(batch: list[UnfinishedRow]) -> list[PageToRead]:
    return [(page.place, page.final_url) for page in batch]


def _filled(batch: list[UnfinishedRow], contents: list[Content]) -> Iterator[UnfinishedRow]:
    for page, content in zip(batch, contents, strict=True):
        page.text, page.structured = content.text, content.structured
        if facts := content.facts:
            page.author, page.published = facts.author, facts.date or None
            page.description, page.site_name = facts.description, facts.site_name
            page.nosnippet = facts.nosnippet
        yield page


@lru_cache(1)
def _reader(collection: PlainCollection) -> PageReader:
    """Of a process, which reads one collection."""
    end_with_parent()
    return PageReader(collection)


def _read(collection: PlainCollection, asked: list[PageToRead]) -> list[Content]:
    return _reader(collection).contents(asked)
