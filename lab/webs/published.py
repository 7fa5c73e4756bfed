"""Data sets that others publish: where to fetch them, how, and whether a copy holds what our results were measured on.

A copy is known by its content and not by its packing: folder, archive or several archives of the same files are equal.
"""

from __future__ import annotations

import hashlib
import http.client
import io
import shutil
import tarfile
import tempfile
import tomllib
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Final
from urllib.error import HTTPError

from focused.exceptions import WebError
from focused.topic.mistakes import unknown
from lab.webs import cora, webkb, wikispeedia


@dataclass(slots=True, frozen=True)
class Content:
    """What a data set holds: files, and SHA-256 over their names, sorted, each followed by the SHA-256 of its bytes."""

    files: int
    sha256: str


@dataclass(slots=True, frozen=True)
class PublishedDataSet:
    """One data set.

    page : URL for a person
    urls : of the archives that together make the data set
    content : that of the copy that our results were measured on
    """

    name: str
    title: str
    page: str
    urls: tuple[str, ...]
    content: Content


#: How the files of a data set are read, by its name.
PARTS: dict[str, Callable[[Path], dict[str, bytes]]] = {
    "webkb": webkb.parts,
    "wikispeedia": wikispeedia.parts,
    "cora": cora.parts,
}


@cache
def published() -> dict[str, PublishedDataSet]:
    """All data sets by name, from ``published.toml``."""
    tables = tomllib.loads((files("lab.webs") / "published.toml").read_text(encoding="utf-8"))
    return {
        name: PublishedDataSet(
            name, table["title"], table["page"], tuple(table["urls"]), Content(table["files"], table["sha256"])
        )
        for name, table in tables.items()
    }


def published_data_set(name: str) -> PublishedDataSet:
    """The data set of that name; WebError for any other."""
    found = published().get(name)
    if found is None:
        raise WebError(f"{name}: {unknown(name, published(), plural='data sets')}")
    return found


def parts(name: str, path: Path) -> dict[str, bytes]:
    """The files of a data set by their names inside it, sorted. All are in memory: 45 to 95 MB for a whole one.

    Raises WebError if the path is missing, cannot be read, is not a whole archive or holds no such data set.
    """
    return PARTS[name](path)


def content_of(files: dict[str, bytes]) -> Content:
    """What distinguishes these files, sorted by name, from others."""
    digest = hashlib.sha256()
    for name, data in files.items():
        digest.update(f"{name}\0{hashlib.sha256(data).hexdigest()}\n".encode())
    return Content(len(files), digest.hexdigest())


def difference(found: Content, expected: Content) -> str:
    """What a person is told of a copy that is not as published; empty if it is."""
    if found.files != expected.files:
        return f"holds {found.files:,} files of the data set and not {expected.files:,}"
    return "" if found == expected else f"some of its {found.files:,} files differ (SHA-256 {found.sha256})"


PATIENCE = 60  #: seconds without a byte after which a transfer is given up
CHUNK = 2**18  #: bytes
USER_AGENT = "focused (python -m lab datasets fetch)"
XZ_PRESET: Final = 0  #: ten times as fast as the usual 6, for half as much space again

Tell = Callable[
    [str, int, int], None
]  #: told of a URL or file name, bytes fetched or packed, and bytes in all (0 if not known)


def fetch(data_set: PublishedDataSet, folder: Path, tell: Tell) -> tuple[Path, bool]:
    """Put a data set into a folder as one archive; return its path, and whether it was there already and is whole.

    The archive holds what is read of the data set, so that it is the same whatever the publisher packs.

    Raises WebError in one line if a download fails, if something cannot be written, or if the content is not what our results
    were measured on; the downloads are kept then, in a folder of their own.
    """
    path = folder / f"{data_set.name}.tar.xz"
    if path.exists():
        verify(data_set, path)
        return path, True
    with _writing(folder):
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=f".{data_set.name}-", dir=folder) as temporary:
            downloads = Path(temporary) / "downloads"
            downloads.mkdir()
            for url in data_set.urls:
                download(url, downloads / url.rpartition("/")[2], tell)
            files = parts(data_set.name, downloads)
            if why := difference(content_of(files), data_set.content):
                kept = folder / f"{data_set.name}-unverified"
                shutil.rmtree(kept, ignore_errors=True)
                downloads.rename(kept)
                raise WebError(
                    f"{data_set.name}: what was downloaded {why}; it is kept in {kept}, which can be named as a data set, "
                    f"but results may differ from ours"
                )
            packed = Path(temporary) / path.name
            _pack(files, data_set.name, packed, tell)
            packed.rename(path)
    return path, False


def verify(data_set: PublishedDataSet, path: Path) -> None:
    """Raise WebError if a folder or archive does not hold exactly this data set."""
    if why := difference(content_of(parts(data_set.name, path)), data_set.content):
        raise WebError(f"{path}: {why}; move it away and fetch {data_set.name} again")


def download(url: str, path: Path, tell: Tell) -> None:
    """Save what a URL answers; WebError if it does not answer, or not to the end, or the file cannot be written."""
    with path.open("wb") as file:
        for chunk in _chunks(url, tell):
            file.write(chunk)


def _chunks(url: str, tell: Tell) -> Iterator[bytes]:
    arrived = 0
    try:
        request = urllib.request.Request(url, headers={"User-Agent": USER_AGENT})
        with urllib.request.urlopen(request, timeout=PATIENCE) as response:
            total = int(response.headers.get("Content-Length") or 0)
            while chunk := response.read(CHUNK):
                arrived += len(chunk)
                tell(url, arrived, total)
                yield chunk
    except HTTPError as error:
        error.close()
        raise WebError(f"{url}: the server answers {error.code} {error.reason}; has the data set moved?") from None
    except (OSError, http.client.HTTPException, ValueError) as error:
        reason = getattr(error, "reason", None) or str(error) or type(error).__name__
        raise WebError(f"{url}: cannot be fetched: {reason}; try again later") from None
    if arrived < total:
        raise WebError(f"{url}: the transfer broke off after {arrived:,} of {total:,} bytes; try again")


def _pack(files: dict[str, bytes], folder: str, path: Path, tell: Tell) -> None:
    done, total = 0, sum(map(len, files.values()))
    with tarfile.open(path, "w:xz", preset=XZ_PRESET) as archive:
        for name, content in files.items():
            member = tarfile.TarInfo(f"{folder}/{name}")
            member.size = len(content)
            archive.addfile(member, io.BytesIO(content))
            done += len(content)
            tell(path.name, done, total)


@contextmanager
def _writing(folder: Path) -> Iterator[None]:
    """What goes wrong with the disk, in one line."""
    try:
        yield
    except OSError as error:
        raise WebError(f"{folder}: cannot be written: {error.strerror or error}; is there enough space?") from None
