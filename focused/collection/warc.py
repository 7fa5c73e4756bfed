"""The page repository as WARC files, the format of Web archives: a gzipped record a page, read by its offset."""

from __future__ import annotations

import gzip
import os
import re
import zlib
from base64 import b32encode
from collections.abc import Mapping
from datetime import UTC, datetime
from hashlib import sha1
from http import HTTPStatus
from importlib.metadata import version
from io import BytesIO, FileIO
from pathlib import Path
from typing import BinaryIO

from warcio.archiveiterator import ArchiveIterator
from warcio.exceptions import ArchiveLoadFailed
from warcio.recordbuilder import RecordBuilder
from warcio.recordloader import ArcWarcRecord
from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

import focused
from focused.collection.repository import (
    PageRepository,
    Place,
    Stored,
    Watched,
    checked_url,
    storage_errors,
    sync_folder,
    way_out,
)
from focused.exceptions import StorageError

LARGEST = 2**28  #: bytes that a member may hold; more is damage
BLOCK = 2**14  #: bytes that are unpacked at once where nothing is kept: to 17 MB at most (1032 times as many)
GZIP = 31  #: as wbits of zlib


def unpacked(packed: bytes, most: int, wbits: int) -> bytes:
    """What packed bytes hold, such as a gzip member. Raises ValueError or zlib.error for what breaks off or holds too much."""
    unpacker = zlib.decompressobj(wbits)
    content = unpacker.decompress(packed, most)
    if not unpacker.eof:
        raise ValueError(f"more than {most:,} bytes" if len(content) == most else "it breaks off")
    return content


def are_members(file: BinaryIO, length: int) -> bool:
    """Whether the next bytes of a file are gzip members from first to last, none of which holds more than `LARGEST` bytes."""
    unpacker, size, is_between = zlib.decompressobj(wbits=GZIP), 0, True
    while length:
        block = file.read(min(BLOCK, length))
        if not block:
            return False
        length -= len(block)
        while block:
            try:
                size += len(unpacker.decompress(block))
            except zlib.error:
                return False
            if size > LARGEST:
                return False
            block, is_between = unpacker.unused_data, unpacker.eof
            if is_between:
                unpacker, size = zlib.decompressobj(wbits=GZIP), 0
    return is_between


#: A file that reached this size gets no more pages: what the WARC standard recommends (ISO 28500, annex C).
MAX_BYTES = 1_000_000_000

LARGEST_PAGE = 250_000_000  #: bytes of a page that is kept: with its headers far less than a record may have

# Of a 37 KB page, with everything else that a record costs: level 9 takes 0.93 ms and leaves 10.2 KB, 6 0.77 ms and
# 10.3 KB, 4 0.50 ms and 10.6 KB, 1 0.36 ms and 11.7 KB.
_GZIP_LEVEL = 4

_VERSION = "1.1"
_BUILDER = RecordBuilder(warc_version=_VERSION)

TRUNCATED = "WARC-Truncated"  #: says of a record that its body is not whole, and why (ISO 28500, 5.13)

#: What a revisit record says of a page of which the server said that it is as it was; warcio knows only that of the same bytes.
NOT_MODIFIED_PROFILE = "http://netpreserve.org/warc/1.1/revisit/server-not-modified"

_FILE_NAME = re.compile(r"pages-(\d{5,})\.warc\.gz")
_PHRASES = {status.value: status.phrase for status in HTTPStatus}


class WarcRepository(PageRepository):
    """Appends to ``pages-00001.warc.gz``, ``pages-00002.warc.gz``, ...: WARC 1.1, readable by any tool of the field.

    Each file starts with a ``warcinfo`` record that names the software, the ``user_agent`` and the ``operator``; then
    comes one ``response`` record a page. Every record is one gzip member, so that a file may be cut between records. A
    new file is begun when the last one holds ``max_bytes`` or more.

    A folder that was written to before is continued in a new file, unless `truncate` said where the last one ends.
    """

    def __init__(self, folder: Path, *, max_bytes: int = MAX_BYTES, user_agent: str = "", operator: str = "") -> None:
        super().__init__(folder)
        self.max_bytes = max_bytes
        self._about = {
            **software(),
            "http-header-user-agent": " ".join(user_agent.split()),
            "operator": " ".join(operator.split()),
        }
        self._path: Path | None = None  # the file to append to; None: a new one
        self._file: FileIO | None = None  # the same, once it is open
        self._watched: dict[str, Watched] = {}  # files that hold what is committed
        with storage_errors(folder, "create the folder of pages"):
            folder.mkdir(parents=True, exist_ok=True)

    def put_unchanged(self, answer: Stored, fetched_at: datetime, original: Place) -> Place | None:
        """As a ``revisit`` record; none where the page that it would refer to is damaged."""
        try:
            first = _response(self.record(original)).rec_headers
        except (ArchiveLoadFailed, OSError, ValueError, zlib.error):
            return None
        refers = all(first.get_header(name) for name in ("WARC-Payload-Digest", "WARC-Target-URI", "WARC-Date"))
        return self._put(revisit_record(answer.normalized(), fetched_at, first)) if refers else None

    def put(self, page: Stored, fetched_at: datetime) -> Place:
        if len(page.body) > LARGEST_PAGE:
            raise StorageError(
                f"{page.url}: a page of {len(page.body):,} bytes, and {LARGEST_PAGE:,} are kept at most: lower DOWNLOAD_MAXSIZE"
            )
        return self._put(response_record(page.normalized(), fetched_at))

    def _put(self, record: bytes) -> Place:
        with storage_errors(self._path or self.folder, "write a page"):
            path, file = self._writable()
            place = Place(path.name, _append(file, record), len(record))
        self._watched[path.name].size = place.offset + place.length
        return place

    def get(self, place: Place) -> Stored:
        data = self.record(place)
        try:
            return _stored(data)
        except (ArchiveLoadFailed, OSError, ValueError, zlib.error) as error:
            where = f"{self.folder / place.file}: no page in the {place.length} bytes from {place.offset}"
            raise StorageError(f"{where} ({error}): the file is damaged; {way_out(self.folder)}") from error

    def record(self, place: Place) -> bytes:
        """The bytes at the place of a page, which `get` compares with its digest."""
        path = self.folder / place.file
        if not _FILE_NAME.fullmatch(place.file):
            raise StorageError(f"{path}: not the name of a file of pages")
        with storage_errors(path, "read a page"), path.open("rb") as file:
            file.seek(place.offset)
            return file.read(min(place.length, LARGEST))

    def flush(self) -> None:
        for file in self._watched.values():
            file.check()
        self._sync()

    def truncate(self, end: Mapping[str, int]) -> None:
        self.close()
        with storage_errors(self.folder, "cut the files of pages"):
            sizes = {name: (self.folder / name).stat().st_size for name in self._names()}
            for name, committed in end.items():
                if sizes.get(name, -1) < committed:
                    found = f"has only {sizes[name]} bytes" if name in sizes else "is missing"
                    raise StorageError(
                        f"{self.folder / name}: {found} of the {committed} that were committed: {way_out(self.folder)}"
                    )
            for name in sizes:
                if name in end:
                    os.truncate(self.folder / name, end[name])
                else:
                    (self.folder / name).unlink()
        self._watched = {name: Watched(self.folder / name, size) for name, size in end.items()}
        self._path = self.folder / max(end, key=_number) if end else None

    def close(self) -> None:
        if self._file:
            try:
                self._sync()
            finally:
                self._file.close()
                self._file = None

    def _sync(self) -> None:
        if self._file:
            with storage_errors(self._path or self.folder, "bring pages to the disk"):
                os.fsync(self._file.fileno())

    def _writable(self) -> tuple[Path, FileIO]:
        """The file that takes the next page: where it lies, and open."""
        if self._file and _size(self._file) >= self.max_bytes:
            self.close()
            self._path = None
        if self._path is None:
            self._path = self.folder / f"pages-{max(map(_number, self._names()), default=0) + 1:05}.warc.gz"
        if not self._file:
            # Unbuffered: what `put` wrote is with the operating system, whatever becomes of this process.
            self._file = FileIO(self._path, "ab")
            self._watched[self._path.name] = Watched(self._path)
            sync_folder(self.folder)
        if _size(self._file) == 0:
            _append(self._file, warcinfo_record(self._path.name, self._about))
        return self._path, self._file

    def _names(self) -> list[str]:
        return [path.name for path in self.folder.iterdir() if _FILE_NAME.fullmatch(path.name)]


def _number(name: str) -> int:
    return int(name.removeprefix("pages-").removesuffix(".warc.gz"))


def _size(file: FileIO) -> int:
    return os.fstat(file.fileno()).st_size


def _append(file: FileIO, record: bytes) -> int:
    """Write a whole record at the end of the file, or nothing, and return where it starts."""
    offset = _size(file)
    rest = memoryview(record)
    try:
        while rest:
            rest = rest[file.write(rest) :]
    except OSError:
        file.truncate(offset)
        raise
    return offset


def software() -> dict[str, str]:
    """What writes, and in which format, for a ``warcinfo`` record."""
    return {
        "software": f"focused/{focused.__version__} Scrapy/{version('scrapy')}",
        "format": "WARC File Format 1.1",
        "conformsTo": "https://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/",
    }


def warcinfo_record(file_name: str, about: Mapping[str, str]) -> bytes:
    """The record that a WARC file begins with, as one gzip member."""
    return _gzipped(_BUILDER.create_warcinfo_record(file_name, about))


def response_record(page: Stored, fetched_at: datetime) -> bytes:
    """The record of a page, as one gzip member.

    page : `normalized`
    """
    record = _BUILDER.create_warc_record(
        checked_url(page.url),
        "response",
        payload=BytesIO(page.body),
        length=len(page.body),
        warc_headers_dict={"WARC-Date": _date(fetched_at)} | ({TRUNCATED: page.truncated} if page.truncated else {}),
        http_headers=_http_headers(page),
    )
    return _gzipped(record)


def revisit_record(answer: Stored, fetched_at: datetime, original: StatusAndHeaders) -> bytes:
    """The record of a page that is as it was, as one gzip member: headers, and where the body is (ISO 28500, 6.7).

    answer : `normalized`
    original : headers of the record of the page
    """
    record = _BUILDER.create_revisit_record(
        checked_url(answer.url),
        original.get_header("WARC-Payload-Digest"),
        original.get_header("WARC-Target-URI"),
        original.get_header("WARC-Date"),
        http_headers=_http_headers(answer),
        warc_headers_dict={"WARC-Date": _date(fetched_at)},
    )
    if answer.status == HTTPStatus.NOT_MODIFIED:
        record.rec_headers.replace_header("WARC-Profile", NOT_MODIFIED_PROFILE)
    return _gzipped(record)


def _date(when: datetime) -> str:
    return when.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")


def _http_headers(page: Stored) -> StatusAndHeaders:
    return StatusAndHeaders(f"{page.status} {_PHRASES.get(page.status, 'Unknown')}", page.headers, protocol="HTTP/1.1")


def _gzipped(record: ArcWarcRecord) -> bytes:
    """A record as one gzip member. (warcio's own gzip knows level 9 only.)"""
    buffer = BytesIO()
    WARCWriter(buffer, gzip=False, warc_version=_VERSION).write_record(record)
    return gzip.compress(buffer.getvalue(), _GZIP_LEVEL, mtime=0)


def record_of_length(length: int) -> bytes | None:
    """A record without content that takes so many bytes, to stand where damaged ones were; None for less than it needs."""
    record = _BUILDER.create_warc_record("urn:focused:damaged", "metadata", payload=BytesIO(), length=0)
    member = _gzipped(record)
    head, rest = member[:10], member[10:]  # RFC 1952, section 2.3: a member may have a comment of any length
    comment = length - len(member) - 1
    return head[:3] + b"\x10" + head[4:] + b"-" * comment + b"\0" + rest if comment >= 0 else None


def _stored(member: bytes) -> Stored:
    """The page in a gzipped response record; raises an error of zlib or warcio, or a ValueError, when it is not one."""
    record = _response(member)
    body = record.raw_stream.read()
    digest = record.rec_headers.get_header("WARC-Payload-Digest")
    if digest and digest != payload_digest(body):
        raise ValueError("its payload digest is that of another page")
    return Stored(
        url=record.rec_headers.get_header("WARC-Target-URI"),
        status=int(record.http_headers.get_statuscode()),
        headers=tuple(record.http_headers.headers),
        body=body,
        truncated=record.rec_headers.get_header(TRUNCATED) or "",
    )


def _response(member: bytes) -> ArcWarcRecord:
    """A gzipped response record whose body is not read yet; errors as of `_stored`."""
    content = unpacked(member, LARGEST, GZIP)
    if not content.startswith(b"WARC/"):  # warcio would unpack what is packed twice, without a limit
        raise ValueError("not a record")
    record = next(iter(ArchiveIterator(BytesIO(content))), None)
    if record is None or record.rec_type != "response" or not record.http_headers:
        raise ValueError("not a response record")
    return record


def payload_digest(body: bytes) -> str:
    """The digest of a body, as warcio writes it."""
    return f"sha1:{b32encode(sha1(body, usedforsecurity=False).digest()).decode()}"
