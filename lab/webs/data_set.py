"""Reads the files of a data set: from a folder, from a tar archive, or from a folder of the archives that its publisher made."""

from __future__ import annotations

import lzma
import tarfile
import zlib
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path

from focused.exceptions import WebError

ARCHIVES = (".tar", ".tar.gz", ".tgz", ".gtar.gz", ".tar.xz")
LOOKED_AT = 10  # files at the beginning of an archive, to tell what it holds


def data_files(path: Path, wanted: Callable[[str], bool]) -> Iterator[tuple[str, bytes]]:
    """Name (with folders, separated by /) and content of each file whose name is wanted, in no fixed order.

    Raises WebError if the path is missing, cannot be read, or is not a whole archive.
    """
    if not path.exists():
        raise WebError(f"{path}: no such file or folder")
    try:
        yield from _folder_files(path, wanted) if path.is_dir() else _archive_files(path, wanted)
    except (tarfile.TarError, lzma.LZMAError, zlib.error, EOFError) as error:
        reason = str(error).partition("\n")[0].rstrip(":")
        raise WebError(f"{path}: not a whole tar archive ({reason}); fetch it again") from None
    except OSError as error:
        raise WebError(f"{path}: cannot be read: {error}") from None


def holds(path: Path, *names: str) -> bool:
    """Whether a folder, or the beginning of an archive, holds a file or folder of one of these names, at most one deep."""
    try:
        if path.is_dir():
            inside = any((folder / name).exists() for folder in (path, *path.iterdir()) for name in names)
            return inside or any(holds(archive, *names) for archive in _archives(path))
        with tarfile.open(path) as archive:
            return any(set(member.name.split("/")[:2]) & set(names) for member in islice(archive, LOOKED_AT))
    except (tarfile.TarError, lzma.LZMAError, zlib.error, EOFError, OSError):
        return False  # what is wrong is told when the data set is read


def _folder_files(path: Path, wanted: Callable[[str], bool]) -> Iterator[tuple[str, bytes]]:
    for file in path.rglob("*"):
        if wanted(file.as_posix()) and file.is_file():
            yield file.as_posix(), file.read_bytes()
    for archive in _archives(path):
        yield from _archive_files(archive, wanted)


def _archives(folder: Path) -> list[Path]:
    """The archives that lie in a folder, not deeper."""
    return sorted(file for file in folder.iterdir() if file.name.endswith(ARCHIVES) and file.is_file())


def _archive_files(path: Path, wanted: Callable[[str], bool]) -> Iterator[tuple[str, bytes]]:
    with tarfile.open(path) as archive:
        for member in archive:
            if wanted(member.name) and (file := archive.extractfile(member)):
                yield member.name, file.read()
