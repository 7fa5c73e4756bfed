"""A sheet for Excel, LibreOffice and their like (Office Open XML). Needs XlsxWriter (extra `xlsx`)."""

from __future__ import annotations

from typing import Any, BinaryIO, ClassVar

from focused.exceptions import ExportError, needs_extra
from focused.exporting.formats.writer import FileWriter, Order
from focused.exporting.row import Found, values_of
from focused.reading.plain_text import LINES, printable

MOST_ROWS = 1_048_576  #: of a sheet, as Excel has it, with the row of names
LONGEST_CELL = 32_767  #: characters of a cell, which Excel counts in UTF-16
#: Rows go to a temporary file one by one, and a text stays one: no formula, no link.
_OPTIONS = {
    "constant_memory": True,
    "strings_to_formulas": False,
    "strings_to_urls": False,
    "strings_to_numbers": False,
}


class Spreadsheet(FileWriter):
    endings: ClassVar[tuple[str, ...]] = (".xlsx",)
    is_table: ClassVar[bool] = True

    def __init__(self, file: BinaryIO, order: Order) -> None:
        with needs_extra("xlsx", "writing a spreadsheet"):
            from xlsxwriter import Workbook
            from xlsxwriter.exceptions import FileCreateError
        self._error = FileCreateError
        self._values = values_of(order.fields)
        self._book = Workbook(file, _OPTIONS)
        self._book.use_zip64()
        self._sheet = self._book.add_worksheet("pages")
        self._sheet.freeze_panes(1, 0)
        self._sheet.write_row(0, 0, order.fields)
        self._rows = 1

    def write(self, page: Found) -> None:
        if self._rows == MOST_ROWS:
            raise ExportError(f"a sheet holds {MOST_ROWS - 1:,} rows: choose fewer pages, or take CSV or Parquet")
        for column, value in enumerate(self._values(page)):
            self._write_cell(column, value)
        self._rows += 1

    def close(self) -> None:
        try:
            self._book.close()
        except self._error as error:  # its wrapping of an OSError
            raise OSError(*error.args[0].args) from None

    def _write_cell(self, column: int, value: Any) -> None:
        match value:
            case bool():
                self._sheet.write_boolean(self._rows, column, value)
            case int() | float():
                self._sheet.write_number(self._rows, column, value)
            case list():
                self._write_cell(column, " ".join(value))
            case str():
                self._sheet.write_string(self._rows, column, fitted(value))


def fitted(text: str) -> str:
    """As much of a text as a cell holds, after a blank where XlsxWriter would take it for XML of its own."""
    text = printable(f" {text}" if text.startswith("<r>") else text, LINES)[:LONGEST_CELL]
    return text if text.isascii() else text.encode("utf-16-le")[: 2 * LONGEST_CELL].decode("utf-16-le", "ignore")
