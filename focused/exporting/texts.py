"""What stored pages say: each is read again from its bytes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from focused.reading.documents import pdf_library
from focused.reading.page_text import Content, Wanted, page_content
from focused.reading.reader import ReadingOptions
from focused.reading.robots_directives import bars_snippets
from focused.run.last_run import LastRun
from focused.storage.collection import PAGES
from focused.storage.damaged_rows import damage_is_told
from focused.storage.repositories import open_repository
from focused.storage.repository import Place

Asked = tuple[Place, str]  #: where a page lies, and its URL


@dataclass(frozen=True)
class PlainCollection:
    """What a process must know to read the pages of a collection; can be sent to another one."""

    folder: Path
    pages: str  #: kind of its page repository
    reading: ReadingOptions
    wanted: Wanted  #: of each page

    @classmethod
    def of(cls, folder: Path, run: LastRun, wanted: Wanted) -> PlainCollection:
        return cls(folder, run.pages, run.reading, wanted)


class PageReader:
    """Reads pages of a collection. Raises FocusedError where a package is missing that this needs."""

    def __init__(self, collection: PlainCollection) -> None:
        self._folder = collection.folder
        self._options, self._wanted = collection.reading, collection.wanted
        if collection.reading.documents:
            pdf_library()  # where it is missing, this is the time to say so
        self._repository = open_repository(collection.pages, collection.folder / PAGES)

    def contents(self, asked: Sequence[Asked]) -> list[Content]:
        """What each page says. Raises StorageError for a page that is damaged or missing."""
        with damage_is_told(self._folder):
            return [self._content(*one) for one in asked]

    def _content(self, place: Place, url: str) -> Content:
        stored = self._repository.get(place)
        content = page_content(stored.body, stored.content_type, url, self._options, self._wanted)
        if content.facts and bars_snippets(stored.header("X-Robots-Tag")):
            return replace(content, facts=replace(content.facts, nosnippet=True))
        return content
