"""The texts of stored pages: each is read again from its bytes."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from focused.reading.documents import pdf_library
from focused.reading.page_text import Form, page_text
from focused.reading.reader import ReadingOptions
from focused.run.last_run import LastRun
from focused.storage.collection import PAGES
from focused.storage.damaged_rows import damage_is_told
from focused.storage.repositories import open_repository
from focused.storage.repository import Place, Stored


@dataclass(frozen=True)
class PlainCollection:
    """What a process must know to read the pages of a collection; can be sent to another one."""

    folder: Path
    pages: str  #: kind of its page repository
    reading: ReadingOptions
    text: Form  #: what is wanted of each page

    @classmethod
    def of(cls, folder: Path, run: LastRun, text: Form) -> PlainCollection:
        return cls(folder, run.pages, run.reading, text)


class TextReader:
    """Reads pages of a collection. Raises FocusedError where a package is missing that this needs."""

    def __init__(self, collection: PlainCollection) -> None:
        self._folder = collection.folder
        self._options, self._form = collection.reading, collection.text
        if collection.reading.documents:
            pdf_library()  # where it is missing, this is the time to say so
        self._repository = open_repository(collection.pages, collection.folder / PAGES)

    def texts(self, places: list[Place]) -> list[str | None]:
        """The text of each page; None where it is a document that cannot be read any more.

        Raises StorageError for a page that is damaged or missing.
        """
        with damage_is_told(self._folder):
            return [self._text(self._repository.get(place)) for place in places]

    def _text(self, stored: Stored) -> str | None:
        return page_text(stored.body, stored.content_type, self._options, self._form)
