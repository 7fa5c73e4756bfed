"""Which record of which WARC file answers a URL: built in one pass over the files, kept in memory."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from io import BytesIO
from typing import Any, NamedTuple

from warcio.archiveiterator import ArchiveIterator

from focused.page.urls import UrlRules
from focused.simulation.warc.warc_records import WarcFile

logger = logging.getLogger(__name__)

MAX_WARNINGS = 10  # one damaged archive can lose thousands of records


class Place(NamedTuple):
    """Where a record begins. Places are in the order of reading."""

    file: int  #: index into the list of files
    offset: int


class Revisit(NamedTuple):
    """A record that says: the same content as that response."""

    url: str
    place: Place
    digest: str
    refers_to: str


class WarcIndex:
    """Index of the responses in WARC files.

    pages : the last record of each canonical URL
    originals : of those that are revisit records: the response whose body they share
    lost : number of records that could not be read or whose original is missing; the first few are logged
    """

    def __init__(self, files: Sequence[WarcFile], rules: UrlRules) -> None:
        self.pages: dict[str, Place] = {}
        self.originals: dict[Place, Place] = {}
        self.lost = 0
        self._files = files
        self._rules = rules
        digests: dict[str, Place] = {}  # payload digest -> the first response that has it
        revisits: list[Revisit] = []
        for number, file in enumerate(files):
            for offset, raw in file.scan():
                self._add(Place(number, offset), raw, digests, revisits)
            for offset, reason in file.damage:
                self._lose(Place(number, offset), f"{reason}; skipped to the next intact record")
        # Only now, since an original may stand in a later file.
        for revisit in revisits:
            self._resolve(revisit, digests)
        if self.lost > MAX_WARNINGS:
            logger.warning("%d records lost in all; the other warnings are not shown", self.lost)

    def _add(self, place: Place, raw: bytes, digests: dict[str, Place], revisits: list[Revisit]) -> None:
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

    def _resolve(self, revisit: Revisit, digests: dict[str, Place]) -> None:
        """Give a revisit the body it refers to: by digest, else by the URL of the original."""
        original = digests.get(revisit.digest) or self.pages.get(revisit.refers_to)
        if original is None:
            self._lose(revisit.place, f"the original of {revisit.url} is missing")
        elif revisit.url not in self.pages or self.pages[revisit.url] < revisit.place:
            self.pages[revisit.url] = revisit.place
            self.originals[revisit.place] = self.originals.get(original, original)

    def _lose(self, place: Place, reason: str) -> None:
        self.lost += 1
        if self.lost <= MAX_WARNINGS:
            logger.warning("%s: record at byte %d: %s", self._files[place.file].path, place.offset, reason)


def parse(raw: bytes) -> Any:
    """A record's headers, HTTP headers and content, as warcio gives them."""
    return next(iter(ArchiveIterator(BytesIO(raw))))


def _is_status(text: str) -> bool:
    return len(text) == 3 and text.isascii() and text.isdecimal()
