"""Formats of one row a page: JSON lines, CSV, Parquet, Markdown, a list of URLs; and what every writer of pages does."""

from __future__ import annotations

import csv
import gzip
import json
import re
import sys
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, datetime
from io import TextIOWrapper
from pathlib import Path
from typing import Any, BinaryIO, ClassVar, cast
from urllib.parse import unquote

from focused.collection.repository import PageRepository
from focused.exceptions import needs_extra
from focused.export.row import OwnColumns, UnfinishedRow, type_of, values_of
from focused.page.page_text import TextForm
from focused.page.plain_text import LINES, cell, printable

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd


@dataclass(frozen=True, slots=True)
class ExportSpec:
    """What a format must know of an export."""

    fields: tuple[str, ...]  #: to be written, in this order
    name: str  #: of the file when it is done
    about: str  #: a line: of which collection, and which of its pages
    repository: PageRepository  #: of the collection
    own: OwnColumns  #: those of the spider's own


class Writer(ABC):
    """Writes an export: a `FileWriter` or a `FolderWriter`."""

    endings: ClassVar[tuple[str, ...]]  #: of the names of such files, in lower case
    is_folder: ClassVar[bool] = False
    is_table: ClassVar[bool] = False  #: whether it has rows, which may be chunks of pages
    needs_text: ClassVar[bool] = False  #: whether the text is wanted whatever the fields are
    text: ClassVar[TextForm] = "main"  #: how the text is written if nobody says otherwise
    chooses_fields: ClassVar[bool] = True  #: whether a person may say which fields are written

    @abstractmethod
    def write(self, page: UnfinishedRow) -> None: ...

    def close(self) -> None:
        """Write what is left, if anything is. Called once, after an error too."""


class FileWriter(Writer):
    """Writes one file, from its beginning to its end.

    file : where to; it may be a pipe. Whoever opened it closes it.
    """

    @abstractmethod
    def __init__(self, file: BinaryIO, order: ExportSpec) -> None: ...


class FolderWriter(Writer):
    """Writes a folder.

    folder : that is not there yet
    """

    is_folder: ClassVar[bool] = True

    @abstractmethod
    def __init__(self, folder: Path, order: ExportSpec) -> None: ...


class CsvTable(FileWriter):
    endings: ClassVar[tuple[str, ...]] = (".csv",)
    is_table: ClassVar[bool] = True

    def __init__(self, file: BinaryIO, order: ExportSpec) -> None:
        self._values = values_of(order.fields)
        self._text = TextIOWrapper(file, encoding="utf-8", newline="")
        self._rows = csv.writer(self._text)
        self._rows.writerow(order.fields)

    def write(self, page: UnfinishedRow) -> None:
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


GZIP_LEVEL, ZSTD_LEVEL = 6, 6  #: of compression; both keep pace with reading


class JsonLines(FileWriter):
    endings: ClassVar[tuple[str, ...]] = (".jsonl",)
    is_table: ClassVar[bool] = True

    def __init__(self, file: BinaryIO, order: ExportSpec) -> None:
        self._names, self._values = order.fields, values_of(order.fields)
        self._file = file

    def write(self, page: UnfinishedRow) -> None:
        line = dict(zip(self._names, self._values(page), strict=True))
        self._file.write(json.dumps(line, ensure_ascii=False, allow_nan=False).encode() + b"\n")


class JsonLinesGzip(JsonLines):
    """The same lines, through a file that packs what is written to it."""

    endings: ClassVar[tuple[str, ...]] = (".jsonl.gz",)

    def __init__(self, file: BinaryIO, order: ExportSpec) -> None:
        super().__init__(self._packed(file), order)

    def _packed(self, file: BinaryIO) -> BinaryIO:
        return cast(BinaryIO, gzip.open(file, "wb", GZIP_LEVEL))

    def close(self) -> None:
        self._file.close()


class JsonLinesZstd(JsonLinesGzip):
    endings: ClassVar[tuple[str, ...]] = (".jsonl.zst",)

    def _packed(self, file: BinaryIO) -> BinaryIO:
        return cast(BinaryIO, zstd.open(file, "wb", level=ZSTD_LEVEL))


class UrlList(FileWriter):
    endings: ClassVar[tuple[str, ...]] = (".txt",)
    chooses_fields: ClassVar[bool] = False

    def __init__(self, file: BinaryIO, order: ExportSpec) -> None:
        self._file = file

    def write(self, page: UnfinishedRow) -> None:
        self._file.write(f"{page.final_url}\n".encode())


LONGEST = 100  #: bytes of the names of folders, and of what a URL gives to the name of a file
_URL = re.compile(r"\w+://([^/?#]*)([^?#]*)")  #: host and port, path
_STRANGE = re.compile(r"[^\w.-]+|\.{2,}")  #: what no name holds, on any system


class MarkdownFolder(FolderWriter):
    endings: ClassVar[tuple[str, ...]] = ("/",)
    needs_text: ClassVar[bool] = True
    text: ClassVar[TextForm] = "markdown"

    def __init__(self, folder: Path, order: ExportSpec) -> None:
        self._folder = folder
        self._names = tuple(name for name in order.fields if name != "text") or ("final_url",)
        self._values = values_of(self._names)
        folder.mkdir()

    def write(self, page: UnfinishedRow) -> None:
        host, name = place_of(page.final_url, page.seq)
        folder = self._folder / host
        folder.mkdir(exist_ok=True)
        front = "".join(
            f"{name}: {_yaml(value)}\n" for name, value in zip(self._names, self._values(page), strict=True)
        )
        text = f"---\n{front}---\n\n{page.text or ''}\n"
        with (folder / name).open("x", encoding="utf-8", newline="\n") as file:
            file.write(text)


def place_of(url: str, seq: int) -> tuple[str, str]:
    """Folder and name of the file of a page, whatever its URL is; no other page of the collection has the same.

    seq : number of its event, which tells it from all others
    """
    found = _URL.match(url)
    host, path = map(_plain_name, (found[1], unquote(found[2])) if found else ("", ""))
    return host or "host", f"{path or 'index'}-{seq}.md"


def _plain_name(text: str) -> str:
    """A text as a name, or as a part of one: letters, digits, ``_``, ``-`` and dots, which are neither first nor last."""
    name = _STRANGE.sub("-", text[:1000].lower())
    return name.encode()[:LONGEST].decode("utf-8", "ignore").strip(".-")


def _yaml(value: Any) -> str:
    """A value as YAML: JSON is a part of it, but for characters that YAML does not take."""
    if isinstance(value, str):
        value = printable(value)
    return json.dumps(value, ensure_ascii=False)


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

    def __init__(self, file: BinaryIO, order: ExportSpec) -> None:
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

    def write(self, page: UnfinishedRow) -> None:
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
    if name in TIMES:
        return pyarrow.timestamp("ms", tz="UTC") if name in MOMENTS else pyarrow.date32()
    kinds = {str: pyarrow.string(), int: pyarrow.int64(), float: pyarrow.float64(), bool: pyarrow.bool_()}
    kind = type_of(name, own)
    return pyarrow.list_(pyarrow.string()) if kind == list[str] else kinds[kind]
