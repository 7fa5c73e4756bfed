"""The text of stored pages: each is read again from its bytes, as the crawl read it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from focused.reading.page import Page
from focused.reading.reader import Reader, ReadingOptions
from focused.run.last_run import LastRun
from focused.storage.collection import PAGES
from focused.storage.damaged_rows import damage_is_told
from focused.storage.repositories import open_repository
from focused.storage.repository import Place, Stored


class Asked(NamedTuple):
    """A page whose text is wanted."""

    url: str  #: after redirects
    place: Place


@dataclass(frozen=True)
class PlainCollection:
    """What a process must know to read the pages of a collection; can be sent to another one."""

    folder: Path
    pages: str  #: kind of its page repository
    reading: ReadingOptions
    keywords: tuple[str, ...]

    @classmethod
    def of(cls, folder: Path, run: LastRun) -> PlainCollection:
        return cls(folder, run.pages, run.reading, tuple(run.topic["topic"]["keywords"]))


class TextReader:
    """Reads pages of a collection. Raises FocusedError where a package is missing that this needs."""

    def __init__(self, collection: PlainCollection) -> None:
        self._folder = collection.folder
        self._reader = Reader(collection.reading, keep=collection.keywords)
        self._repository = open_repository(collection.pages, collection.folder / PAGES)

    def texts(self, asked: list[Asked]) -> list[str | None]:
        """The text of each page; None where the rules of reading make no page of it any more.

        Raises StorageError for a page that is damaged or missing.
        """
        with damage_is_told(self._folder):
            return [text_of(self._reader, page.url, self._repository.get(page.place)) for page in asked]


def text_of(reader: Reader, url: str, stored: Stored) -> str | None:
    """What an export calls the text of a page; the one place that decides it."""
    content_type, robots = stored.header("Content-Type").rpartition("\n")[2], stored.header("X-Robots-Tag")
    page = reader.read(url, stored.body, content_type, robots)
    if not isinstance(page, Page):
        return None
    return page.text.encode("utf-8", "replace").decode()  # halves of characters, which no file can hold
