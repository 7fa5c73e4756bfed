"""Archives of pages (WARC, WACZ); the formats by name, and which one the name of a file asks for."""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from hashlib import sha256
from itertools import chain
from pathlib import Path
from typing import Any, BinaryIO, ClassVar
from zipfile import ZIP_DEFLATED, ZIP_STORED, ZipFile, ZipInfo

from ada_url import URL, URLSearchParams

from focused.collection.repository import PageRepository, Stored
from focused.collection.warc import (
    MAX_BYTES,
    WarcRepository,
    payload_digest,
    response_record,
    software,
    warcinfo_record,
)
from focused.exceptions import ExportError
from focused.export.row import UnfinishedRow
from focused.export.writers import (
    CsvTable,
    ExportSpec,
    FileWriter,
    FolderWriter,
    JsonLines,
    JsonLinesGzip,
    JsonLinesZstd,
    MarkdownFolder,
    ParquetTable,
    UrlList,
    Writer,
)
from focused.page.plain_text import plain
from focused.topic.mistakes import shown, unknown


class WarcCopy(FileWriter):
    endings: ClassVar[tuple[str, ...]] = (".warc.gz",)
    chooses_fields: ClassVar[bool] = False

    def __init__(self, file: BinaryIO, order: ExportSpec) -> None:
        self._pages = order.repository
        self._file = file
        about = software() | {"description": order.about}
        self._file.write(warcinfo_record(order.name, about))

    def write(self, page: UnfinishedRow) -> None:
        for _, record in records_of(page, self._pages):
            self._file.write(record)


def records_of(page: UnfinishedRow, pages: PageRepository) -> Iterator[tuple[Stored, bytes]]:
    """Yield the records of a page, and what is stored there: of a rendered one the plain response, then the page itself.

    Raises StorageError where they are not what was written.
    """
    fetched_at = datetime.fromisoformat(page.fetched_at)
    for place in filter(None, (page.plain, page.place)):
        stored = pages.get(place)
        yield stored, pages.record(place) if isinstance(pages, WarcRepository) else response_record(stored, fetched_at)


class WarcFolder(FolderWriter):
    """``solar/solar-00001.warc.gz``, ``solar/solar-00002.warc.gz``, ...: a file of `MAX_BYTES` or more gets no more pages."""

    endings: ClassVar[tuple[str, ...]] = ("/",)
    chooses_fields: ClassVar[bool] = False

    def __init__(self, folder: Path, order: ExportSpec) -> None:
        folder.mkdir()
        self._folder, self._order, self._count = folder, order, 0
        self._begin()

    def write(self, page: UnfinishedRow) -> None:
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


WARC = "pages.warc.gz"
PAGES = {"format": "json-pages-1.0", "id": "pages", "title": "All Pages"}  #: first line of the list
_WWW = re.compile(r"(?<=://)www\d*\.")


class Wacz(FileWriter):
    endings: ClassVar[tuple[str, ...]] = (".wacz",)
    chooses_fields: ClassVar[bool] = False

    def __init__(self, file: BinaryIO, order: ExportSpec) -> None:
        self._order = order
        self._zip = ZipFile(file, "w")
        self._rows = sqlite3.connect("")  # a temporary file where they are many
        self._rows.execute("CREATE TABLE rows (key BLOB, line BLOB, page BLOB)")
        self._warc = _Entry(self._zip, f"archive/{WARC}")
        self._warc.write(warcinfo_record(WARC, software() | {"description": order.about}))

    def write(self, page: UnfinishedRow) -> None:
        for stored, record in records_of(page, self._order.repository):  # the last is that of the page itself
            offset, length, digest = self._warc.size, len(record), payload_digest(stored.body)
            self._warc.write(record)
        time, url = datetime.fromisoformat(page.fetched_at).astimezone(UTC), page.final_url
        key = f"{surt(url)} {time:%Y%m%d%H%M%S}"
        indexed = {"url": url, "mime": page.content_type, "status": str(page.status), "digest": digest}
        indexed |= {"length": str(length), "offset": str(offset), "filename": WARC}
        listed = {"id": str(page.seq), "url": url, "ts": f"{time:%Y-%m-%dT%H:%M:%SZ}", "title": plain(page.title)}
        row = (key.encode(), f"{key} {json.dumps(indexed)}\n".encode(), _line(listed))
        with _disk_errors():
            self._rows.execute("INSERT INTO rows VALUES (?, ?, ?)", row)

    def close(self) -> None:
        with _disk_errors(), closing(self._rows), self._zip:
            resources = [self._warc.close()]
            pages = (page for (page,) in self._rows.execute("SELECT page FROM rows ORDER BY rowid"))
            resources.append(self._add("pages/pages.jsonl", chain([_line(PAGES)], pages), ZIP_DEFLATED))
            lines = (line for (line,) in self._rows.execute("SELECT line FROM rows ORDER BY key, rowid"))
            resources.append(self._add("indexes/index.cdxj", lines))
            package = {
                "profile": "data-package",
                "wacz_version": "1.1.1",
                "title": self._order.about,
                "created": f"{datetime.now(UTC):%Y-%m-%dT%H:%M:%SZ}",
                "software": software()["software"],
                "resources": resources,
            }
            told = self._add("datapackage.json", [_line(package)])
            self._add("datapackage-digest.json", [_line({"path": told["path"], "hash": told["hash"]})])

    def _add(self, path: str, parts: Iterable[bytes], how: int = ZIP_STORED) -> dict[str, Any]:
        entry = _Entry(self._zip, path, how)
        for part in parts:
            entry.write(part)
        return entry.close()


class _Entry:
    """A file in the archive while it is written.

    size : bytes so far
    """

    def __init__(self, archive: ZipFile, path: str, how: int = ZIP_STORED) -> None:
        info = ZipInfo(path, datetime.now(UTC).timetuple()[:6])
        info.compress_type = how  # records and index are stored, so that a browser reads a part of them
        self._path, self._file, self._hash, self.size = path, archive.open(info, "w", force_zip64=True), sha256(), 0

    def write(self, data: bytes) -> None:
        self._file.write(data)
        self._hash.update(data)
        self.size += len(data)

    def close(self) -> dict[str, Any]:
        """What the package says of it."""
        self._file.close()
        name = self._path.rpartition("/")[2]
        return {"name": name, "path": self._path, "hash": f"sha256:{self._hash.hexdigest()}", "bytes": self.size}


@contextmanager
def _disk_errors() -> Iterator[None]:
    """What SQLite says of a temporary file, as of any other file."""
    try:
        yield
    except sqlite3.Error as error:
        raise OSError(f"its index, among the temporary files: {error}") from None


def _line(value: dict[str, Any]) -> bytes:
    return json.dumps(value).encode() + b"\n"


def surt(url: str) -> str:
    """The Sort-friendly URI Reordering Transform of a canonical URL, as replay programs (wabac.js) make it when they look one up.

    ``http://www.example.org:8080/A?b=1&a=2`` has ``org,example:8080)/a?a=2&b=1``.
    """
    parsed = URL(_WWW.sub("", url, count=1).lower())
    host = ",".join(reversed(parsed.hostname.split(".")))
    port = f":{parsed.port}" if parsed.port else ""
    return f"{host}{port}){parsed.pathname}{_query(parsed.search)}"


def _query(search: str) -> str:
    """The same parameters by name; one without a value stays without its sign of equality."""
    if not search:
        return ""
    parameters, as_written = URLSearchParams(search), set(search[1:].split("&"))
    parameters.sort()  # type: ignore[no-untyped-call]
    pairs = str(parameters).split("&")
    return "?" + "&".join(pair[:-1] if pair.endswith("=") and pair not in as_written else pair for pair in pairs)


FORMATS: dict[str, type[Writer]] = {
    "jsonl": JsonLines,
    "jsonl.gz": JsonLinesGzip,
    "jsonl.zst": JsonLinesZstd,
    "csv": CsvTable,
    "parquet": ParquetTable,
    "markdown": MarkdownFolder,
    "urls": UrlList,
    "warc": WarcCopy,
    "warcs": WarcFolder,
    "wacz": Wacz,
}

MAPS = (".gexf", ".graphml", ".svg", ".html")  #: files that `scrapy map` writes


def format_of(name: str, asked: str | None) -> type[Writer]:
    """The format of a file; ExportError if neither its name nor what is asked for is one.

    name : of the file, with a / at the end for a folder
    asked : name of the format; None: the ending of the file tells
    """
    if asked is not None:
        if asked not in FORMATS:
            raise ExportError(f"--format {shown(asked)}: {unknown(asked, FORMATS, plural='formats')}")
        return FORMATS[asked]
    found = [kind for kind in FORMATS.values() if name.lower().endswith(kind.endings)]
    if not found:
        endings = ", ".join(ending for kind in FORMATS.values() for ending in kind.endings if not kind.is_folder)
        if name.lower().endswith(MAPS):
            raise ExportError(f"{name}: a map is drawn by another command: scrapy map NAME {name}")
        raise ExportError(
            f"{name}: the ending says no format: write {endings}, or {name}/ for a folder of Markdown files; or give "
            "--format NAME"
        )
    return found[0]


def split_ending(name: str, kind: type[Writer]) -> tuple[str, str]:
    """The name of a file in two: without the ending of its format, and that ending; it may have none, or another one."""
    ending = next((ending for ending in kind.endings if name.lower().endswith(ending)), "")
    cut = len(name) - len(ending)
    return name[:cut], name[cut:]
