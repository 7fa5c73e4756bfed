"""JSON Lines: an object a line, UTF-8; plain, or compressed by gzip or Zstandard."""

from __future__ import annotations

import gzip
import json
import sys
from pathlib import Path
from typing import BinaryIO, ClassVar, cast

from focused.exporting.formats.writer import Order, Writer
from focused.exporting.row import Found, values_of

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

GZIP_LEVEL, ZSTD_LEVEL = 6, 6  #: of compression; both keep pace with reading


class JsonLines(Writer):
    endings: ClassVar[tuple[str, ...]] = (".jsonl",)

    def __init__(self, path: Path, order: Order) -> None:
        self._names, self._values = order.fields, values_of(order.fields)
        self._file = self._open(path)

    def _open(self, path: Path) -> BinaryIO:
        return path.open("wb")

    def write(self, page: Found) -> None:
        line = dict(zip(self._names, self._values(page), strict=True))
        self._file.write(json.dumps(line, ensure_ascii=False, allow_nan=False).encode() + b"\n")

    def close(self) -> None:
        self._file.close()


class JsonLinesGzip(JsonLines):
    endings: ClassVar[tuple[str, ...]] = (".jsonl.gz",)

    def _open(self, path: Path) -> BinaryIO:
        return cast(BinaryIO, gzip.open(path, "wb", GZIP_LEVEL))


class JsonLinesZstd(JsonLines):
    endings: ClassVar[tuple[str, ...]] = (".jsonl.zst",)

    def _open(self, path: Path) -> BinaryIO:
        return cast(BinaryIO, zstd.open(path, "wb", level=ZSTD_LEVEL))
