"""The text of stored pages: each is read again from its bytes, as the crawl read it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from focused.reading.decoding import HTML_TYPES, decode, media_type
from focused.reading.document_process import read_document
from focused.reading.documents import PDF, pdf_library
from focused.reading.html import read_html
from focused.reading.page import Unreadable
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

    @classmethod
    def of(cls, folder: Path, run: LastRun) -> PlainCollection:
        return cls(folder, run.pages, run.reading)


class TextReader:
    """Reads pages of a collection. Raises FocusedError where a package is missing that this needs."""

    def __init__(self, collection: PlainCollection) -> None:
        self._folder = collection.folder
        self._options = collection.reading
        if collection.reading.documents:
            pdf_library()  # where it is missing, this is the time to say so
        self._repository = open_repository(collection.pages, collection.folder / PAGES)

    def texts(self, places: list[Place]) -> list[str | None]:
        """The text of each page; None where it is a document that cannot be read any more.

        Raises StorageError for a page that is damaged or missing.
        """
        with damage_is_told(self._folder):
            return [text_of(self._repository.get(place), self._options) for place in places]


def text_of(stored: Stored, options: ReadingOptions) -> str | None:
    """What an export calls the text of a page; the one place that decides it.

    It is the text that `Reader.read` gives, in a third of the time: without terms and links.
    """
    body, content_type = stored.body, stored.header("Content-Type").rpartition("\n")[2]
    kind = media_type(content_type, body)
    markup = body[: options.max_bytes or None]
    text = ""
    if kind in HTML_TYPES:
        text = read_html(decode(markup, content_type), _no_terms).text
    elif kind == "text/plain":
        text = " ".join(decode(markup, content_type).split())
    elif kind == PDF and options.documents:
        document = read_document(body)
        if isinstance(document, Unreadable):
            return None
        text = document.text
    return text.encode("utf-8", "replace").decode()  # halves of characters, which no file can hold


def _no_terms(texts: list[str]) -> tuple[list[str], list[int]]:
    return [], [0] * (len(texts) + 1)
