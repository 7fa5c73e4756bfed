"""A list of URLs, one a line, after redirects: what other programs take, and `seeds_file` of a topic too."""

from __future__ import annotations

from typing import BinaryIO, ClassVar

from focused.export.formats.writer import FileWriter, Order
from focused.export.row import Found


class UrlList(FileWriter):
    endings: ClassVar[tuple[str, ...]] = (".txt",)
    chooses_fields: ClassVar[bool] = False

    def __init__(self, file: BinaryIO, order: Order) -> None:
        self._file = file

    def write(self, page: Found) -> None:
        self._file.write(f"{page.final_url}\n".encode())

    def close(self) -> None:
        """Every line is written."""
