"""CSV for spreadsheets: a text that one would take for a formula gets a ' before it, as in feeds."""

from __future__ import annotations

import csv
from io import TextIOWrapper
from typing import Any, BinaryIO, ClassVar

from focused.export.formats.writer import FileWriter, Order
from focused.export.row import Found, values_of
from focused.page.plain_text import LINES, cell, printable


class CsvTable(FileWriter):
    endings: ClassVar[tuple[str, ...]] = (".csv",)
    is_table: ClassVar[bool] = True

    def __init__(self, file: BinaryIO, order: Order) -> None:
        self._values = values_of(order.fields)
        self._text = TextIOWrapper(file, encoding="utf-8", newline="")
        self._rows = csv.writer(self._text)
        self._rows.writerow(order.fields)

    def write(self, page: Found) -> None:
        self._rows.writerow([in_a_cell(value) for value in self._values(page)])

    def close(self) -> None:
        try:
            self._text.flush()
        finally:
            self._text.detach()  # or it would close the file


def in_a_cell(value: Any) -> Any:
    """A value as a cell holds it: nothing for None, 1 and 0 for true and false, URLs of a list with blanks between them."""
    match value:
        case bool():
            return int(value)
        case list():
            return in_a_cell(" ".join(value))
        case str():
            return cell(printable(value, LINES))
    return value
