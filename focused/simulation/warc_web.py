"""A recorded web out of WARC files, whoever wrote them. Only the index is in memory, pages are read when asked for.

The index says which record of which file answers a URL; it is built in one pass, and kept on disk: to find the records of a
gigabyte takes half a minute, to read the index a second.
"""

from __future__ import annotations

import hashlib
import json
import logging
import os
import zipfile
import zlib
from collections.abc import Iterator, Sequence, Set
from contextlib import suppress
from io import BytesIO
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from warcio.archiveiterator import ArchiveIterator

from focused import __version__
from focused.exceptions import WebError
from focused.page.urls import UrlRules, host_of
from focused.simulation.recorded_web import TRANSFER_HEADERS, Answer, not_found
from focused.simulation.warc_records import WarcFile

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
    index = _read(path, rules)
    if index is None:
        index = WarcIndex(files, rules)
        _write(index, path)
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


def _read(path: Path, rules: UrlRules) -> WarcIndex | None:
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


def _write(index: WarcIndex, path: Path) -> None:
    temporary = path.with_name(f"{path.name}.{os.getpid()}.tmp")  # another process may be doing the same
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with temporary.open("wb") as file:
            np.savez_compressed(
                file,
                urls=np.frombuffer("\n".join(index.pages).encode(), np.uint8),
                pages=np.array(list(index.pages.values()), np.int64).reshape(-1, 2),
                originals=np.array([(*one, *other) for one, other in index.originals.items()], np.int64).reshape(-1, 4),
                lost=np.array(index.lost),
            )
        temporary.replace(path)
    except OSError as error:
        with suppress(OSError):
            temporary.unlink()
        raise WebError(f"{path}: cannot be written: {error.strerror}") from None


SUFFIXES = (".warc", ".warc.gz")


class WarcWeb:
    """The responses in WARC files (or in all WARC files under a folder); a later record of a URL replaces an earlier one.

    A revisit record gets the body of the response it refers to. Redirects are answers like any other, except
    a page's redirect to itself (from ``/index.html`` to ``/`` with `fold_index`), which would hide the page.

    cache : folder that keeps the index of the files for the next time (see `warc_index_file`); None: they are always read

    lost : number of records that could not be read or whose original is missing; also logged

    Raises WebError when a file is missing, is no WARC file, or is compressed as a whole, and when no response is found.
    """

    def __init__(self, paths: Sequence[Path], fold_index: bool = False, cache: Path | None = None) -> None:
        self.rules = UrlRules(fold_index=fold_index)
        self._files = [WarcFile(path) for path in _warc_paths(paths)]
        index = kept_index(self._files, self.rules, cache) if cache else WarcIndex(self._files, self.rules)
        self.lost = index.lost
        self._pages = index.pages
        self._originals = index.originals
        self._hosts = frozenset(map(host_of, self._pages))
        if not self._pages:
            raise WebError(f"{', '.join(map(str, paths))}: no readable response record inside")

    @property
    def hosts(self) -> Set[str]:
        return self._hosts

    def urls(self) -> Iterator[str]:
        return iter(self._pages)

    def answer(self, url: str) -> Answer | None:
        canonical = self.rules.canonical(url)
        if canonical is None or host_of(canonical) not in self._hosts:
            return None
        place = self._pages.get(canonical)
        return self._answer(place) if place else not_found(url)

    def _answer(self, place: RecordPlace) -> Answer:
        record = parse(self._read(place))
        original = self._originals.get(place)
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
