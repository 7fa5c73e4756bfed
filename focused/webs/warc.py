"""A recorded web out of WARC files, whoever wrote them: one pass makes an index in memory, pages are read when asked for."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence, Set
from io import BytesIO
from pathlib import Path
from typing import Any, NamedTuple

from warcio.archiveiterator import ArchiveIterator
from warcio.exceptions import ArchiveLoadFailed
from warcio.statusandheaders import StatusAndHeadersParserException

from focused.errors import WebError
from focused.reading.urls import UrlRules, host_of
from focused.webs.warc_records import WarcFile
from focused.webs.web import Answer, not_found

logger = logging.getLogger(__name__)

SUFFIXES = (".warc", ".warc.gz")
# The body is given without its transfer and content coding, so these would be wrong.
CODING_HEADERS = frozenset({"content-length", "content-encoding", "transfer-encoding", "connection", "keep-alive"})


class Place(NamedTuple):
    """Where a record begins."""

    file: int  # index into WarcWeb.files
    offset: int


class WarcWeb:
    """The responses in WARC files (or in all WARC files under a folder); a later record of a URL replaces an earlier one.

    A revisit record gets the body of the response it refers to. Redirects are answers like any other, except
    a page's redirect to itself (from ``/index.html`` to ``/`` with `fold_index`), which would hide the page.

    lost : number of records that could not be read or whose original is missing; each is also logged
    """

    def __init__(self, paths: Sequence[Path], fold_index: bool = False) -> None:
        self.rules = UrlRules(fold_index=fold_index)
        self.files = [WarcFile(path) for path in _warc_paths(paths)]
        self.lost = 0
        self._pages: dict[str, Place] = {}
        self._originals: dict[Place, Place] = {}  # of a revisit record: where its body stands
        self._index()
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

    def _answer(self, place: Place) -> Answer:
        record = _parse(self.files[place.file].read(place.offset))
        body_place = self._originals.get(place, place)
        body_record = record if body_place == place else _parse(self.files[body_place.file].read(body_place.offset))
        if not record.http_headers or record.http_headers.get_statuscode() == "304":
            record = body_record  # a revisit that says nothing new
        headers = tuple((k, v) for k, v in record.http_headers.headers if k.lower() not in CODING_HEADERS)
        return Answer(int(record.http_headers.get_statuscode()), headers, body_record.content_stream().read())

    def _index(self) -> None:
        digests: dict[str, Place] = {}  # payload digest -> the response that has it
        revisits: list[tuple[str, Place, Any]] = []
        for number, file in enumerate(self.files):
            for offset, raw in file.scan():
                self._index_record(Place(number, offset), raw, digests, revisits)
            for offset, reason in file.damage:
                self._lose(f"{file.path}: damaged at byte {offset}: {reason}; skipped to the next intact record")
        for url, place, headers in revisits:
            self._index_revisit(url, place, headers, digests)

    def _index_record(self, place: Place, raw: bytes, digests: dict[str, Place], revisits: list[Any]) -> None:
        try:
            record = _parse(raw)
        except (ArchiveLoadFailed, StatusAndHeadersParserException, EOFError, ValueError) as error:
            self._lose(f"{self.files[place.file].path}: record at byte {place.offset}: {error}")
            return
        headers = record.rec_headers
        target = (headers.get_header("WARC-Target-URI") or "").strip("<>")  # wget 1.14 to 1.19 wrote the brackets
        url = self.rules.canonical(target)
        if url is None or record.rec_type not in ("response", "revisit"):
            return
        if record.rec_type == "revisit":
            revisits.append((url, place, headers))
            return
        status = record.http_headers.get_statuscode() if record.http_headers else ""
        if not (status.isdecimal() and len(status) == 3):
            self._lose(f"{self.files[place.file].path}: record at byte {place.offset}: not an HTTP response")
            return
        if digest := headers.get_header("WARC-Payload-Digest"):
            digests.setdefault(digest, place)
        location = record.http_headers.get_header("Location") or ""
        if not (status.startswith("3") and self.rules.canonical(location, target) == url):
            self._pages[url] = place

    def _index_revisit(self, url: str, place: Place, headers: Any, digests: dict[str, Place]) -> None:
        """Give a revisit the body it refers to: by digest, else by the URL and date of the original."""
        original = digests.get(headers.get_header("WARC-Payload-Digest") or "")
        if original is None:
            refers_to = self.rules.canonical(headers.get_header("WARC-Refers-To-Target-URI") or url)
            original = self._pages.get(refers_to or url)
        if original is None:
            self._lose(
                f"{self.files[place.file].path}: record at byte {place.offset}: the original of {url} is missing"
            )
            return
        # A later response of the same URL, already indexed, stays: only what came before is replaced.
        if url not in self._pages or self._pages[url] < place:
            self._pages[url] = place
            self._originals[place] = self._originals.get(original, original)

    def _lose(self, message: str) -> None:
        self.lost += 1
        logger.warning("%s", message)


def _parse(raw: bytes) -> Any:
    """The record's headers, HTTP headers and content, as warcio gives them."""
    return next(iter(ArchiveIterator(BytesIO(raw))))


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
