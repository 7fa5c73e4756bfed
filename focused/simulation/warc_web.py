"""A recorded web out of WARC files, whoever wrote them. Only the index is in memory, pages are read when asked for.

The index says which record of which file answers a URL; it is built in one pass, and kept on disk: to find the records of a
gigabyte takes half a minute, to read the index a second.
"""

from __future__ import annotations

import hashlib
import json
import logging
import re
import zipfile
import zlib
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass, field
from io import BytesIO
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

import numpy as np
from warcio.archiveiterator import ArchiveIterator

from focused import __version__
from focused.exceptions import WebError
from focused.page.urls import UrlRules, host_of
from focused.simulation.recorded_web import TRANSFER_HEADERS, Answer, not_found
from focused.topic.plain_files import replace_file, writing

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
                    beyond = record[_extent(record) :].lstrip(b"\r\n")
                    if offset == 0 and compressed and beyond.startswith(WARC_MAGIC):
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


logger = logging.getLogger(__name__)

MAX_WARNINGS = 10  # one damaged archive can lose thousands of records


class RecordPlace(NamedTuple):
    """Where a record begins. Places are in the order of reading."""

    file: int  #: index into the list of files
    offset: int


class Revisit(NamedTuple):
    """A record that says: the same content as that response."""

    url: str
    place: RecordPlace
    digest: str
    refers_to: str


class WarcIndex:
    """Index of the responses in WARC files.

    pages : the last record of each canonical URL
    originals : of those that are revisit records: the response whose body they share
    lost : number of records that could not be read or whose original is missing; the first few are logged
    """

    def __init__(self, files: Sequence[WarcFile], rules: UrlRules) -> None:
        self.pages: dict[str, RecordPlace] = {}
        self.originals: dict[RecordPlace, RecordPlace] = {}
        self.lost = 0
        self._files = files
        self._rules = rules
        digests: dict[str, RecordPlace] = {}  # payload digest -> the first response that has it
        revisits: list[Revisit] = []
        for number, file in enumerate(files):
            for offset, raw in file.scan():
                self._add(RecordPlace(number, offset), raw, digests, revisits)
            for offset, reason in file.damage:
                self._lose(RecordPlace(number, offset), f"{reason}; skipped to the next intact record")
        # Only now, since an original may stand in a later file.
        for revisit in revisits:
            self._resolve(revisit, digests)
        if self.lost > MAX_WARNINGS:
            logger.warning("%d records lost in all; the other warnings are not shown", self.lost)

    def _add(self, place: RecordPlace, raw: bytes, digests: dict[str, RecordPlace], revisits: list[Revisit]) -> None:
        try:
            record = parse(raw)
        except Exception as error:  # a damaged record makes warcio raise anything, even AttributeError
            self._lose(place, f"cannot be parsed: {error}")
            return
        headers, http = record.rec_headers, record.http_headers
        target = (headers.get_header("WARC-Target-URI") or "").strip("<>")  # wget 1.14 to 1.19 wrote the brackets
        url = self._rules.canonical(target)
        if url is None or record.rec_type not in ("response", "revisit"):
            return
        status = http.get_statuscode() if http else ""
        digest = headers.get_header("WARC-Payload-Digest") or ""
        if record.rec_type == "revisit" and (not http or _is_status(status)):
            original = headers.get_header("WARC-Refers-To-Target-URI") or url
            revisits.append(Revisit(url, place, digest, self._rules.canonical(original) or url))
            return
        if not _is_status(status):
            self._lose(place, "not an HTTP response")
            return
        if digest:
            digests.setdefault(digest, place)
        to_itself = status.startswith("3") and self._rules.canonical(http.get_header("Location") or "", target) == url
        if not to_itself:
            self.pages[url] = place

    def _resolve(self, revisit: Revisit, digests: dict[str, RecordPlace]) -> None:
        """Give a revisit the body it refers to: by digest, else by the URL of the original."""
        original = digests.get(revisit.digest) or self.pages.get(revisit.refers_to)
        if original is None:
            self._lose(revisit.place, f"the original of {revisit.url} is missing")
        elif revisit.url not in self.pages or self.pages[revisit.url] < revisit.place:
            self.pages[revisit.url] = revisit.place
            self.originals[revisit.place] = self.originals.get(original, original)

    def _lose(self, place: RecordPlace, reason: str) -> None:
        self.lost += 1
        if self.lost <= MAX_WARNINGS:
            logger.warning("%s: record at byte %d: %s", self._files[place.file].path, place.offset, reason)


def parse(raw: bytes) -> Any:
    """A record's headers, HTTP headers and content, as warcio gives them."""
    return next(iter(ArchiveIterator(BytesIO(raw))))


def _is_status(text: str) -> bool:
    return len(text) == 3 and text.isascii() and text.isdecimal()


FORMAT = 1  #: raised when what is kept changes
SUFFIX = ".warc-index.npz"


def kept_index(files: Sequence[WarcFile], rules: UrlRules, folder: Path) -> WarcIndex:
    """The index of these files out of the folder; where it is not there, or damaged, it is made and put there.

    Raises WebError when a file cannot be read, or the index cannot be written.
    """
    path = folder / f"{_fingerprint(files, rules)}{SUFFIX}"
    index = _kept(path, rules)
    if index is None:
        index = WarcIndex(files, rules)
        _keep(index, path)
    elif index.lost:
        logger.warning(
            "%d records of the WARC files cannot be read; they were listed when the files were first read", index.lost
        )
    return index


def _fingerprint(files: Sequence[WarcFile], rules: UrlRules) -> str:
    try:
        stats = [(str(file.path.absolute()), file.path.stat()) for file in files]
    except OSError as error:
        raise WebError(f"{error.filename}: cannot be read: {error.strerror}") from None
    about = [FORMAT, __version__, rules.fold_index, rules.strip_parameters]
    text = json.dumps([*about, [(name, stat.st_size, stat.st_mtime_ns) for name, stat in stats]])
    return hashlib.blake2b(text.encode(), digest_size=12).hexdigest()


def _kept(path: Path, rules: UrlRules) -> WarcIndex | None:
    index = WarcIndex((), rules)
    try:
        with np.load(BytesIO(path.read_bytes())) as kept:
            urls = kept["urls"].tobytes().decode().split("\n")
            index.pages = dict(zip(urls, map(RecordPlace, *kept["pages"].T.tolist()), strict=True))
            index.originals = {RecordPlace(*row[:2]): RecordPlace(*row[2:]) for row in kept["originals"].tolist()}
            index.lost = int(kept["lost"])
    except FileNotFoundError:
        return None
    except (OSError, ValueError, KeyError, TypeError, EOFError, zipfile.BadZipFile, zlib.error) as error:
        logger.warning("%s: damaged (%s); the WARC files are read again", path, error)
        return None
    return index


def _keep(index: WarcIndex, path: Path) -> None:
    content = BytesIO()
    np.savez_compressed(
        content,
        urls=np.frombuffer("\n".join(index.pages).encode(), np.uint8),
        pages=np.array(list(index.pages.values()), np.int64).reshape(-1, 2),
        originals=np.array([(*one, *other) for one, other in index.originals.items()], np.int64).reshape(-1, 4),
        lost=np.array(index.lost),
    )
    with writing(path, WebError):
        replace_file(path, content.getvalue())


SUFFIXES = (".warc", ".warc.gz")


class WarcWeb:
    """The responses in WARC files (or in all WARC files under a folder); a later record of a URL replaces an earlier one.

    A revisit record gets the body of the response it refers to. Redirects are answers like any other, except
    a page's redirect to itself (from ``/index.html`` to ``/`` with `fold_index`), which would hide the page.

    cache : folder that keeps the index of the files for the next time; None: they are always read

    lost : number of records that could not be read or whose original is missing; also logged

    Raises WebError when a file is missing, is no WARC file, or is compressed as a whole, and when no response is found.
    """

    def __init__(self, paths: Sequence[Path], fold_index: bool = False, cache: Path | None = None) -> None:
        self.rules = UrlRules(fold_index=fold_index)
        self._files = [WarcFile(path) for path in _warc_paths(paths)]
        self._index = kept_index(self._files, self.rules, cache) if cache else WarcIndex(self._files, self.rules)
        self.lost = self._index.lost
        self._hosts = frozenset(map(host_of, self._index.pages))
        if not self._index.pages:
            raise WebError(f"{', '.join(map(str, paths))}: no readable response record inside")

    @property
    def hosts(self) -> Set[str]:
        return self._hosts

    def urls(self) -> Iterator[str]:
        return iter(self._index.pages)

    def answer(self, url: str) -> Answer | None:
        canonical = self.rules.canonical(url)
        if canonical is None or host_of(canonical) not in self._hosts:
            return None
        place = self._index.pages.get(canonical)
        return self._answer(place) if place else not_found(url)

    def _answer(self, place: RecordPlace) -> Answer:
        record = parse(self._read(place))
        original = self._index.originals.get(place)
        content = parse(self._read(original)) if original else record
        if not record.http_headers or record.http_headers.get_statuscode() == "304":
            record = content  # a revisit that says nothing new
        http = record.http_headers
        headers = tuple((name, value) for name, value in http.headers if name.lower() not in TRANSFER_HEADERS)
        return Answer(int(http.get_statuscode()), headers, content.content_stream().read())

    def _read(self, place: RecordPlace) -> bytes:
        return self._files[place.file].read(place.offset)


def _warc_paths(paths: Sequence[Path]) -> list[Path]:
    """The files themselves, and for a folder all WARC files below it, by name."""
    files: list[Path] = []
    for path in paths:
        if not path.exists():
            raise WebError(f"{path}: no such file or folder")
        found = sorted(p for p in path.rglob("*") if p.name.endswith(SUFFIXES)) if path.is_dir() else [path]
        if not found:
            raise WebError(f"{path}: no {' or '.join(SUFFIXES)} file in this folder")
        files += found
    return files
