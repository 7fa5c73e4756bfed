"""Where the records of a WARC file begin and end; damaged places are skipped and reported, all else stays readable."""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO

from focused.exceptions import WebError

MAX_RECORD = 256 * 2**20  # bytes in memory for one record; more is taken for damage, as no page is that large
BLOCK = 16 * 2**10  # bytes a read: about one compressed page
GZIP_MAGIC = b"\x1f\x8b\x08"
WARC_MAGIC = b"WARC/"
HEADER_END = b"\r\n\r\n"
CONTENT_LENGTH = re.compile(rb"(?im)^content-length:[ \t]*(\d{1,12})[ \t]*\r?$")


class DamagedRecordError(Exception):
    """No whole record stands at an offset; the text says why."""


@dataclass(slots=True)
class WarcFile:
    """One .warc or .warc.gz file (told apart by its first bytes), read record by record.

    damage : (offset, reason) of each place where reading had to skip to the next intact record; grows during `scan`
    """

    path: Path
    damage: list[tuple[int, str]] = field(default_factory=list)

    def scan(self) -> Iterator[tuple[int, bytes]]:
        """Yield (offset, uncompressed bytes) of every readable record. Raises WebError if this is no WARC file."""
        with self._open() as file:
            compressed = _is_compressed(file, self.path)
            size = file.seek(0, 2)
            offset = 0
            while offset < size:
                try:
                    record, end = _read(file, offset, compressed)
                except DamagedRecordError as error:
                    self.damage.append((offset, str(error)))
                    end = _next_start(file, offset + 1, compressed)
                else:
                    if offset == 0 and compressed and _holds_more_than_one(record):
                        raise WebError(
                            f"{self.path}: compressed as a whole, not record by record; "
                            f"repair it with: warcio recompress {self.path} NEW_FILE"
                        )
                    yield offset, record
                offset = end

    def read(self, offset: int) -> bytes:
        """Uncompressed bytes of the record at an offset that `scan` gave."""
        try:
            with self._open() as file:
                return _read(file, offset, _is_compressed(file, self.path))[0]
        except DamagedRecordError as error:
            raise WebError(f"{self.path}: record at byte {offset}: {error}; has the file changed?") from None

    def _open(self) -> BinaryIO:
        try:
            return self.path.open("rb")
        except OSError as error:
            raise WebError(f"{self.path}: cannot be read: {error.strerror}") from None


def _is_compressed(file: BinaryIO, path: Path) -> bool:
    file.seek(0)
    start = file.read(len(WARC_MAGIC))
    if start.startswith(GZIP_MAGIC):
        return True
    if start == WARC_MAGIC:
        return False
    raise WebError(f"{path}: not a WARC file (it begins with neither 'WARC/' nor a gzip header)")


def _read(file: BinaryIO, offset: int, compressed: bool) -> tuple[bytes, int]:
    """The record at `offset` and the offset after it."""
    file.seek(offset)
    return _read_member(file) if compressed else _read_plain(file, offset)


def _read_member(file: BinaryIO) -> tuple[bytes, int]:
    """A gzip member, which holds one record."""
    inflate = zlib.decompressobj(wbits=31)
    parts, total = [], 0
    while not inflate.eof:
        block = file.read(BLOCK)
        if not block:
            raise DamagedRecordError("the file ends inside a record")
        try:
            parts.append(inflate.decompress(block, MAX_RECORD + 1 - total))
        except zlib.error:
            raise DamagedRecordError("the compressed data is damaged") from None
        total += len(parts[-1])
        if total > MAX_RECORD:
            raise DamagedRecordError(f"the record is larger than {MAX_RECORD:,} bytes")
    record = b"".join(parts)
    if len(record) < _extent(record):
        raise DamagedRecordError("the record is shorter than it says")
    return record, file.tell() - len(inflate.unused_data)


def _read_plain(file: BinaryIO, offset: int) -> tuple[bytes, int]:
    """An uncompressed record: header, content, two empty lines."""
    head = file.read(BLOCK)
    size = _extent(head)
    if size > MAX_RECORD:
        raise DamagedRecordError(f"the record is larger than {MAX_RECORD:,} bytes")
    file.seek(offset)
    record = file.read(size)
    if len(record) < size:
        raise DamagedRecordError("the file ends inside a record")
    gap = file.read(len(HEADER_END))
    following = gap.lstrip(b"\r\n")
    if following and not following.startswith(WARC_MAGIC[: len(following)]):
        raise DamagedRecordError("the record is longer than it says, or damaged inside")
    return record, offset + size + len(gap) - len(following)


def _extent(record: bytes) -> int:
    """Size of a record, header and content, as its header gives it."""
    if not record.startswith(WARC_MAGIC):
        raise DamagedRecordError("no record begins here")
    header_end = record.find(HEADER_END)
    length = CONTENT_LENGTH.search(record, 0, max(header_end, 0) + 2)
    if header_end < 0 or not length:
        raise DamagedRecordError("the record's header is damaged")
    return header_end + len(HEADER_END) + int(length[1])


def _holds_more_than_one(record: bytes) -> bool:
    return record[_extent(record) :].lstrip(b"\r\n").startswith(WARC_MAGIC)


def _next_start(file: BinaryIO, offset: int, compressed: bool) -> int:
    """Offset of the next thing that looks like a record, or the size of the file."""
    magic = GZIP_MAGIC if compressed else b"\n" + WARC_MAGIC
    tail = b""
    file.seek(offset)
    while block := file.read(BLOCK):
        window = tail + block
        found = window.find(magic)
        while found >= 0:
            start = offset - len(tail) + found + (0 if compressed else 1)
            if not compressed or _begins_record(file, start):
                return start
            found = window.find(magic, found + 1)
        offset += len(block)
        file.seek(offset)
        tail = window[-(len(magic) - 1) :]
    return offset


def _begins_record(file: BinaryIO, offset: int) -> bool:
    """Whether the gzip header at `offset` is real: chance makes one every 16 MB of compressed data."""
    file.seek(offset)
    try:
        return zlib.decompressobj(wbits=31).decompress(file.read(BLOCK), len(WARC_MAGIC)) == WARC_MAGIC
    except zlib.error:
        return False
