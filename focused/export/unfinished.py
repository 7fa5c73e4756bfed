"""What is being written has another name until it is whole: nobody finds half an export, however it ends."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from focused.exceptions import ExportError
from focused.topic.plain_files import shown_path


@contextmanager
def errors_told(path: Path) -> Iterator[None]:
    """Turn an OSError of the block into one line that names the file."""
    try:
        yield
    except OSError as error:
        raise ExportError(f"{shown_path(path)}: cannot be written: {error.strerror or error}") from None


@contextmanager
def unfinished(path: Path) -> Iterator[Path]:
    """Give the block another path to write to, a file or a folder, and rename it to ``path`` when it ends well.

    An export that is there already stays until then. Raises ExportError in one line where the disk does not take it.
    """
    temporary = path.with_name(f".{path.name}.unfinished")
    with errors_told(path):
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            _remove(temporary)  # of an export that was killed
            yield temporary
            if temporary.is_file():
                with temporary.open("rb") as file:
                    os.fsync(file.fileno())  # the name is not to be on the disk before the content
            temporary.replace(path)
        except BaseException:
            with suppress(OSError):
                _remove(temporary)
            raise


def refuse_taken(path: Path, *, is_folder: bool) -> None:
    """Raise ExportError where something has the name that an export would not replace: a folder, or a file by a folder."""
    with errors_told(path):
        if path.is_dir() or (is_folder and path.exists()):
            what = "a folder" if path.is_dir() else "a file"
            raise ExportError(f"{shown_path(path)}: there is {what} of this name: delete it, or take another name")


def _remove(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)
