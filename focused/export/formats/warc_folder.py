"""The same records as in one WARC file, in a folder of files that are no larger than the standard recommends."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import ClassVar

from focused.collection.warc import MAX_BYTES
from focused.export.formats.warc_copy import WarcCopy
from focused.export.formats.writer import FolderWriter, Order
from focused.export.row import Found


class WarcFolder(FolderWriter):
    """``solar/solar-00001.warc.gz``, ``solar/solar-00002.warc.gz``, ...: a file of `MAX_BYTES` or more gets no more pages."""

    endings: ClassVar[tuple[str, ...]] = ("/",)
    chooses_fields: ClassVar[bool] = False

    def __init__(self, folder: Path, order: Order) -> None:
        folder.mkdir()
        self._folder, self._order, self._count = folder, order, 0
        self._begin()

    def write(self, page: Found) -> None:
        if self._file.tell() >= MAX_BYTES:
            self._file.close()
            self._begin()
        self._copy.write(page)

    def close(self) -> None:
        self._file.close()

    def _begin(self) -> None:
        self._count += 1
        name = f"{self._order.name}-{self._count:05}.warc.gz"
        self._file = (self._folder / name).open("xb")
        self._copy = WarcCopy(self._file, replace(self._order, name=name))
