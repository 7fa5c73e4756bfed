"""Keeps the index of WARC files on disk: to find the records of a gigabyte takes half a minute, to read the index a second."""

from __future__ import annotations

import hashlib
import json
import logging
import os
import zipfile
import zlib
from collections.abc import Sequence
from contextlib import suppress
from io import BytesIO
from pathlib import Path

import numpy as np

from focused import __version__
from focused.exceptions import WebError
from focused.page.urls import UrlRules
from focused.simulation.warc.warc_index import Place, WarcIndex
from focused.simulation.warc.warc_records import WarcFile

logger = logging.getLogger(__name__)

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
            index.pages = dict(zip(urls, map(Place, *kept["pages"].T.tolist()), strict=True))
            index.originals = {Place(*row[:2]): Place(*row[2:]) for row in kept["originals"].tolist()}
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
