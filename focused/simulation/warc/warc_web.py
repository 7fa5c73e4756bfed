"""A recorded web out of WARC files, whoever wrote them. Only the index is in memory, pages are read when asked for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from pathlib import Path

from focused.exceptions import WebError
from focused.page.urls import UrlRules, host_of
from focused.simulation.recorded_web import TRANSFER_HEADERS, Answer, not_found
from focused.simulation.warc.warc_index import Place, WarcIndex, parse
from focused.simulation.warc.warc_index_file import kept_index
from focused.simulation.warc.warc_records import WarcFile

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

    def _answer(self, place: Place) -> Answer:
        record = parse(self._read(place))
        original = self._originals.get(place)
        content = parse(self._read(original)) if original else record
        if not record.http_headers or record.http_headers.get_statuscode() == "304":
            record = content  # a revisit that says nothing new
        http = record.http_headers
        headers = tuple((name, value) for name, value in http.headers if name.lower() not in TRANSFER_HEADERS)
        return Answer(int(http.get_statuscode()), headers, content.content_stream().read())

    def _read(self, place: Place) -> bytes:
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
