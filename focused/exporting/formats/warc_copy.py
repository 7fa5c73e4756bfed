"""The chosen records of a collection in one WARC file, byte for byte; of a rendered page the plain response too."""

from __future__ import annotations

from datetime import datetime
from typing import BinaryIO, ClassVar

from focused.exporting.formats.writer import FileWriter, Order
from focused.exporting.row import Found
from focused.storage.repository import Place
from focused.storage.warc import WarcRepository, response_record, software, warcinfo_record


class WarcCopy(FileWriter):
    endings: ClassVar[tuple[str, ...]] = (".warc.gz",)
    chooses_fields: ClassVar[bool] = False

    def __init__(self, file: BinaryIO, order: Order) -> None:
        self._pages = order.repository
        self._file = file
        about = software() | {"description": order.about}
        self._file.write(warcinfo_record(order.name, about))

    def write(self, page: Found) -> None:
        fetched_at = datetime.fromisoformat(page.fetched_at)
        for place in filter(None, (page.plain, page.place)):
            self._file.write(self._record(place, fetched_at))

    def close(self) -> None:
        """Every record is written."""

    def _record(self, place: Place, fetched_at: datetime) -> bytes:
        stored = self._pages.get(place)  # raises where it is not what was written
        if isinstance(self._pages, WarcRepository):
            return self._pages.record(place)
        return response_record(stored, fetched_at)
