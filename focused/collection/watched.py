"""A file that stays open: what is written to one that was deleted, replaced or cut meanwhile would be lost without a word."""

from __future__ import annotations

from pathlib import Path

from focused.collection.repository import storage_errors
from focused.exceptions import StorageError


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
        raise StorageError(
            f"{self.path}: was {what} while the crawl ran: put it back, or see what is lost: "
            f"scrapy check {name_in(self.path)}"
        )


def name_in(path: Path) -> str:
    """The name of the collection that a file of it, or one of its pages, belongs to."""
    return path.parent.parent.name if path.parent.name == "pages" else path.parent.name


def _look(path: Path) -> tuple[tuple[int, int] | None, int]:
    """What tells a file from others, whatever it is called, and its size in bytes; None and 0 where there is none."""
    with storage_errors(path, "look at a file"):
        try:
            found = path.stat()
        except FileNotFoundError:
            return None, 0
    return (found.st_dev, found.st_ino), found.st_size
