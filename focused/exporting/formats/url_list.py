"""A list of URLs, one a line, after redirects: what other programs take, and `seeds_file` of a topic too."""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar

from focused.exporting.formats.writer import Order, Writer
from focused.exporting.row import Found


class UrlList(Writer):
    endings: ClassVar[tuple[str, ...]] = (".txt",)
    chooses_fields: ClassVar[bool] = False

    def __init__(self, path: Path, order: Order) -> None:
        self._file = path.open("w", encoding="utf-8", newline="\n")

    def write(self, page: Found) -> None:
        self._file.write(f"{page.final_url}\n")

    def close(self) -> None:
        self._file.close()
