"""Files that are there completely or not at all, whenever whoever writes them is killed."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

from focused.topic.plain_files import writing


def write_whole(path: Path, data: bytes) -> None:
    """Write a file at once and completely; StorageError if that cannot be, and then an older file stays."""
    unfinished = path.with_name(f".{path.name}.{os.getpid()}")
    with writing(path):
        try:
            unfinished.write_bytes(data)
            unfinished.replace(path)
        except OSError:
            with suppress(OSError):
                unfinished.unlink()
            raise
