"""JSON Lines: an object a line, UTF-8; plain, or compressed by gzip or Zstandard."""

from __future__ import annotations

import gzip
import json
import sys
from abc import abstractmethod
from typing import BinaryIO, ClassVar, cast

from focused.export.formats.writer import FileWriter, Order
from focused.export.row import Found, values_of

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

GZIP_LEVEL, ZSTD_LEVEL = 6, 6  #: of compression; both keep pace with reading


class JsonLines(FileWriter):
    endings: ClassVar[tuple[str, ...]] = (".jsonl",)
    is_table: ClassVar[bool] = True

    def __init__(self, file: BinaryIO, order: Order) -> None:
        self._names, self._values = order.fields, values_of(order.fields)
        self._file = file

    def write(self, page: Found) -> None:
        line = dict(zip(self._names, self._values(page), strict=True))
        self._file.write(json.dumps(line, ensure_ascii=False, allow_nan=False).encode() + b"\n")

    def close(self) -> None:
        """Every line is written."""


class _Packed(JsonLines):
    """The same lines, through a file that packs what is written to it."""

    def __init__(self, file: BinaryIO, order: Order) -> None:
        super().__init__(self._packed(file), order)

    @abstractmethod
    def _packed(self, file: BinaryIO) -> BinaryIO: ...

    def close(self) -> None:
        self._file.close()


class JsonLinesGzip(_Packed):
    endings: ClassVar[tuple[str, ...]] = (".jsonl.gz",)

    def _packed(self, file: BinaryIO) -> BinaryIO:
        return cast(BinaryIO, gzip.open(file, "wb", GZIP_LEVEL))


class JsonLinesZstd(_Packed):
    endings: ClassVar[tuple[str, ...]] = (".jsonl.zst",)

    def _packed(self, file: BinaryIO) -> BinaryIO:
        return cast(BinaryIO, zstd.open(file, "wb", level=ZSTD_LEVEL))
