"""The chosen records of a collection in one WARC file, byte for byte; of a rendered page the plain response too."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import BinaryIO, ClassVar

from focused.collection.repository import PageRepository, Stored
from focused.collection.warc import WarcRepository, response_record, software, warcinfo_record
from focused.export.formats.writer import FileWriter, Order
from focused.export.row import Found


class WarcCopy(FileWriter):
    endings: ClassVar[tuple[str, ...]] = (".warc.gz",)
    chooses_fields: ClassVar[bool] = False

    def __init__(self, file: BinaryIO, order: Order) -> None:
        self._pages = order.repository
        self._file = file
        about = software() | {"description": order.about}
        self._file.write(warcinfo_record(order.name, about))

    def write(self, page: Found) -> None:
        for _, record in records_of(page, self._pages):
            self._file.write(record)

    def close(self) -> None:
        """Every record is written."""


def records_of(page: Found, pages: PageRepository) -> Iterator[tuple[Stored, bytes]]:
    """Yield the records of a page, and what is stored there: of a rendered one the plain response, then the page itself.

    Raises StorageError where they are not what was written.
    """
    fetched_at = datetime.fromisoformat(page.fetched_at)
    for place in filter(None, (page.plain, page.place)):
        stored = pages.get(place)
        yield stored, pages.record(place) if isinstance(pages, WarcRepository) else response_record(stored, fetched_at)
