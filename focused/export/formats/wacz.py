"""A Web archive in one file (WACZ 1.1.1): the records, an index of them and a list of pages, for replay in a browser."""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from hashlib import sha256
from itertools import chain
from typing import Any, BinaryIO, ClassVar
from zipfile import ZIP_DEFLATED, ZIP_STORED, ZipFile, ZipInfo

from ada_url import URL, URLSearchParams

from focused.collection.warc import payload_digest, software, warcinfo_record
from focused.export.formats.warc_copy import records_of
from focused.export.formats.writer import FileWriter, Order
from focused.export.row import Found
from focused.page.plain_text import plain

WARC = "pages.warc.gz"
PAGES = {"format": "json-pages-1.0", "id": "pages", "title": "All Pages"}  #: first line of the list
_WWW = re.compile(r"(?<=://)www\d*\.")


class Wacz(FileWriter):
    endings: ClassVar[tuple[str, ...]] = (".wacz",)
    chooses_fields: ClassVar[bool] = False

    def __init__(self, file: BinaryIO, order: Order) -> None:
        self._order = order
        self._zip = ZipFile(file, "w")
        self._rows = sqlite3.connect("")  # a temporary file where they are many
        self._rows.execute("CREATE TABLE rows (key BLOB, line BLOB, page BLOB)")
        self._warc = _Entry(self._zip, f"archive/{WARC}")
        self._warc.write(warcinfo_record(WARC, software() | {"description": order.about}))

    def write(self, page: Found) -> None:
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
