"""The page repository keeps the bytes of every fetched page: its interface, and what all kinds of it share.

The crash rule. About once a second a crawl calls `flush` and then commits its database, which records the `Place` of
every page put so far. After a crash, `truncate` is given the ends that the last commit knows and cuts off everything
put later: those pages are fetched again, none is lost.
"""

from __future__ import annotations

import errno
import os
import re
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from urllib.parse import quote

from focused.exceptions import StorageError

#: Prefix of a header as the server sent it, where it no longer describes the body (the Wayback Machine's convention).
ORIGINAL = "X-Archive-Orig-"

# Scrapy hands over the body without these codings; replay tools would try to undo them once more.
_CODINGS = {"content-encoding", "transfer-encoding", "content-length"}
_URL = re.compile(r"https?://[^\s\x00-\x20\x7f\ud800-\udfff]+")
_HEADER_NAME = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")  # RFC 9110, section 5.6.2: token
_CONTROLS = re.compile(r"[\x00-\x20\x7f]+")
_PRINTABLE = "".join(map(chr, range(0x20, 0x7F)))
_REMEDIES = {
    errno.ENOSPC: "free some space or move the data folder to another disk",
    errno.EDQUOT: "free some of this user's quota or move the data folder to another disk",
    errno.EFBIG: "raise the limit of file sizes (ulimit -f)",
    errno.EACCES: "make it accessible to the user who runs the crawl",
    errno.EPERM: "make it accessible to the user who runs the crawl",
    errno.EROFS: "choose a data folder on a disk that can be written to",
    errno.EMFILE: "raise the limit of open files (ulimit -n)",
}


DISCONNECT = "disconnect"  #: the connection broke off before the body was whole, or the body was longer than it said
LENGTH = "length"  #: the topic asks for no more of a page


@dataclass(frozen=True, slots=True)
class Stored:
    """A fetched page."""

    url: str  #: final http(s) URL, after redirects
    status: int  #: HTTP status code
    headers: tuple[tuple[str, str], ...]  #: names and values in the order received
    body: bytes  #: without content or transfer coding
    truncated: str = ""  #: why the body is not whole, in a word of WARC: `DISCONNECT`, `LENGTH`; empty for a whole one

    def header(self, name: str) -> str:
        """The values of a header, a line each; empty when there is none."""
        return "\n".join(value for header, value in self.headers if header.lower() == name.lower())

    @property
    def content_type(self) -> str:
        """The raw Content-Type, of several the last, as browsers take it; empty when there is none."""
        return self.header("Content-Type").rpartition("\n")[2]

    def normalized(self) -> Stored:
        """This page as a repository keeps it: with headers that are true of ``body`` and that any WARC reader can read.

        ``Content-Encoding``, ``Transfer-Encoding`` and a wrong ``Content-Length`` get the prefix `ORIGINAL`; the right
        ``Content-Length`` comes last. Control characters in values become a space, those outside ASCII are
        percent-encoded as UTF-8, and headers whose name is not a token are left out.
        """
        length = str(len(self.body))
        headers = []
        for name, text in self.headers:
            value = _header_value(text)
            lower = name.lower()
            if not _HEADER_NAME.fullmatch(name) or (lower == "content-length" and value == length):
                continue
            headers.append((ORIGINAL + name if lower in _CODINGS else name, value))
        headers.append(("Content-Length", length))
        return replace(self, headers=tuple(headers))


@dataclass(frozen=True, slots=True)
class Place:
    """Where a repository keeps a page."""

    file: str  #: name of the file, relative to the repository's folder
    offset: int  #: bytes before the page in that file
    length: int  #: bytes of the page in that file


class PageRepository(ABC):
    """Keeps pages in one folder, which one crawl at a time writes to. Every method may raise `StorageError`."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    @abstractmethod
    def put(self, page: Stored, fetched_at: datetime) -> Place:
        """Write a page that was fetched at ``fetched_at`` (an aware time). It can be read at once.

        A page that cannot be written leaves nothing behind.
        """

    def put_unchanged(self, answer: Stored, fetched_at: datetime, original: Place) -> Place | None:
        """Note that a page was asked for again and is as it was; None where the repository keeps no such notes.

        answer : what the server said this time: with the same body, or with none (304)
        original : where the page is kept
        """
        return None

    @abstractmethod
    def get(self, place: Place) -> Stored:
        """The page at a place that `put` returned, as ``page.normalized()``; StorageError where its bytes are others by now."""

    @abstractmethod
    def flush(self) -> None:
        """Return when every page put so far is on the disk, power failures included.

        Raises StorageError where a file was deleted, replaced or cut since it was written.
        """

    @abstractmethod
    def truncate(self, end: Mapping[str, int]) -> None:
        """Cut each file to its committed end, in bytes, and delete pages in files that ``end`` does not name.

        To be called before the first `put` on a folder that was written to before. Nothing is changed when a file of
        ``end`` is missing or shorter than that, which raises `StorageError`.
        """

    @abstractmethod
    def close(self) -> None:
        """Flush and release the files. Closing twice does nothing."""


@contextmanager
def storage_errors(path: Path, action: str) -> Iterator[None]:
    """Turn an `OSError` into a `StorageError` that says what could not be done, where, and what to do about it."""
    try:
        yield
    except OSError as error:
        remedy = _REMEDIES.get(error.errno or 0)
        reason = error.strerror or str(error)
        raise StorageError(f"{path}: cannot {action}: {reason}" + (f"; {remedy}" if remedy else "")) from error


def way_out(folder: Path) -> str:
    """What to do about damage in a folder of pages."""
    return f"restore it from a copy, or see what is lost: scrapy verify {folder.parent.name} (--repair has it fetched again)"


def sync_folder(folder: Path) -> None:
    """Return when the names of the files in ``folder`` are on the disk."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def checked_url(url: str) -> str:
    """``url``, or a `StorageError` when it cannot be the name of a page."""
    if not _URL.fullmatch(url):
        raise StorageError(f"cannot store {url!r}: not an http(s) URL, or white space in it")
    return url


def _header_value(text: str) -> str:
    value = _CONTROLS.sub(" ", text).strip(" ")
    return value if value.isascii() else quote(value, safe=_PRINTABLE, errors="replace")


class Watched:
    """The file that lies at a path when this is made; `check` tells whether it still does.

    size : bytes that it has at least; whoever writes to it raises this
    """

    def __init__(self, path: Path, size: int = 0) -> None:
        self.path, self.size = path, size
        self._file, _ = _look(path)

    def check(self) -> None:
        """Raise StorageError where the path leads to another file by now, to a shorter one or to none."""
        file, size = _look(self.path)
        if file == self._file and size >= self.size:
            return
        what = "deleted" if file is None else "replaced" if file != self._file else f"cut to {size} bytes"
        collection = self.path.parent.parent if self.path.parent.name == "pages" else self.path.parent
        raise StorageError(
            f"{self.path}: was {what} while the crawl ran: put it back, or see what is lost: scrapy verify {collection.name}"
        )


def _look(path: Path) -> tuple[tuple[int, int] | None, int]:
    """What tells a file from others, whatever it is called, and its size in bytes; None and 0 where there is none."""
    with storage_errors(path, "look at a file"):
        try:
            found = path.stat()
        except FileNotFoundError:
            return None, 0
    return (found.st_dev, found.st_ino), found.st_size
