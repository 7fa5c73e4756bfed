"""Parquet, the format of data frames: columns with types, compressed by Zstandard. Needs pyarrow (extra `parquet`)."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, datetime
from typing import Any, BinaryIO, ClassVar

from focused.exceptions import needs_extra
from focused.export.formats.writer import FileWriter, Order
from focused.export.own_columns import OwnColumns
from focused.export.row import Found, type_of, values_of

GROUP_ROWS = 1_000  #: rows of a group, which is in memory until it is written
GROUP_CHARACTERS = 4_000_000  #: of text in a group: long pages make small groups
#: Fields that are times here, and how their texts are read.
MOMENTS = ("fetched_at", "checked_at", "gone_at")
TIMES: dict[str, Callable[[str], date]] = {
    **dict.fromkeys(MOMENTS, datetime.fromisoformat),
    "published": date.fromisoformat,
}


class ParquetTable(FileWriter):
    endings: ClassVar[tuple[str, ...]] = (".parquet",)
    is_table: ClassVar[bool] = True

    def __init__(self, file: BinaryIO, order: Order) -> None:
        with needs_extra("parquet", "writing Parquet"):
            import pyarrow
            import pyarrow.parquet
        self._arrow = pyarrow
        self._schema = pyarrow.schema([(name, _type(pyarrow, name, order.own)) for name in order.fields])
        self._values = values_of(order.fields)
        self._times = [(place, TIMES[name]) for place, name in enumerate(order.fields) if name in TIMES]
        self._group: list[list[Any]] = []
        self._characters = 0
        self._file = pyarrow.parquet.ParquetWriter(file, self._schema, compression="zstd")

    def write(self, page: Found) -> None:
        row = list(self._values(page))
        for place, read in self._times:
            if row[place] is not None:
                row[place] = read(row[place])
        self._group.append(row)
        self._characters += sum(len(value) for value in row if isinstance(value, str))
        if len(self._group) == GROUP_ROWS or self._characters >= GROUP_CHARACTERS:
            self._write_group()

    def close(self) -> None:
        try:
            self._write_group()
        finally:
            self._file.close()

    def _write_group(self) -> None:
        columns = zip(*self._group, strict=True)
        if self._group:
            arrays = [self._arrow.array(column, kind) for column, kind in zip(columns, self._schema.types, strict=True)]
            self._file.write_table(self._arrow.Table.from_arrays(arrays, schema=self._schema))
        self._group, self._characters = [], 0


def _type(pyarrow: Any, name: str, own: OwnColumns) -> Any:
    """The type of a column."""
    if name in TIMES:
        return pyarrow.timestamp("ms", tz="UTC") if name in MOMENTS else pyarrow.date32()
    kinds = {str: pyarrow.string(), int: pyarrow.int64(), float: pyarrow.float64(), bool: pyarrow.bool_()}
    kind = type_of(name, own)
    return pyarrow.list_(pyarrow.string()) if kind == list[str] else kinds[kind]
