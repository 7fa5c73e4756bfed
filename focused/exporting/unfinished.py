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
def unfinished(path: Path) -> Iterator[Path]:
    """Give the block another path to write to, a file or a folder, and rename it to ``path`` when it ends well.

    An export that is there already stays until then. Raises ExportError in one line where the disk does not take it.
    """
    temporary = path.with_name(f".{path.name}.unfinished")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        _remove(temporary)  # of an export that was killed
        yield temporary
        if temporary.is_file():
            with temporary.open("rb") as file:
                os.fsync(file.fileno())  # the name is not to be on the disk before the content
        temporary.replace(path)
    except OSError as error:
        _give_up(temporary)
        raise ExportError(f"{shown_path(path)}: cannot be written: {error.strerror or error}") from None
    except BaseException:
        _give_up(temporary)
        raise


def _remove(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


def _give_up(path: Path) -> None:
    with suppress(OSError):
        _remove(path)
