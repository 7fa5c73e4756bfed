"""What all formats have in common: rows come one after the other, and the export is whole when it is closed."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, ClassVar

from focused.collection.repository import PageRepository
from focused.export.own_columns import OwnColumns
from focused.export.row import Found
from focused.page.page_text import Form


@dataclass(frozen=True, slots=True)
class Order:
    """What a format must know of an export."""

    fields: tuple[str, ...]  #: to be written, in this order
    name: str  #: of the file when it is done
    about: str  #: a line: of which collection, and which of its pages
    repository: PageRepository  #: of the collection
    own: OwnColumns  #: those of the spider's own


class Writer(ABC):
    """Writes an export: a `FileWriter` or a `FolderWriter`."""

    endings: ClassVar[tuple[str, ...]]  #: of the names of such files, in lower case
    is_folder: ClassVar[bool] = False
    is_table: ClassVar[bool] = False  #: whether it has rows, which may be chunks of pages
    needs_text: ClassVar[bool] = False  #: whether the text is wanted whatever the fields are
    text: ClassVar[Form] = "main"  #: how the text is written if nobody says otherwise
    chooses_fields: ClassVar[bool] = True  #: whether a person may say which fields are written

    @abstractmethod
    def write(self, page: Found) -> None: ...

    @abstractmethod
    def close(self) -> None:
        """Write what is left. Called once, after an error too."""


class FileWriter(Writer):
    """Writes one file, from its beginning to its end.

    file : where to; it may be a pipe. Whoever opened it closes it.
    """

    @abstractmethod
    def __init__(self, file: BinaryIO, order: Order) -> None: ...


class FolderWriter(Writer):
    """Writes a folder.

    folder : that is not there yet
    """

    is_folder: ClassVar[bool] = True

    @abstractmethod
    def __init__(self, folder: Path, order: Order) -> None: ...
