"""Files that a person wrote or will read: whatever is wrong with one is told in one line."""

from __future__ import annotations

import errno
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib.resources.abc import Traversable
from pathlib import Path

from focused.exceptions import FocusedError, StorageError, TopicError


def at_home(path: str | Path) -> Path:
    """A path in which ~ and ~user are home folders; one of a user that there is not, or that no file can have, stays as it is."""
    try:
        return Path(path).expanduser()
    except (RuntimeError, ValueError):
        return Path(path)


def is_checkout() -> bool:
    """Whether this is the project's own folder, which may be written to, and no installed package."""
    return (Path(__file__).parents[2] / "scrapy.cfg").is_file()


def shown_path(path: Traversable) -> str:
    """A path for a person: relative to the working directory where it lies inside."""
    text = Path(str(path))
    return str(text.relative_to(Path.cwd())) if text.is_relative_to(Path.cwd()) else str(text)


def read_bytes(file: Traversable) -> bytes:
    """The content of a file; TopicError in one line if it cannot be read."""
    try:
        return file.read_bytes()
    except IsADirectoryError:
        raise TopicError(f"{shown_path(file)}: is a folder, not a file") from None
    except (OSError, KeyError) as error:  # KeyError: no such file in a zipped egg
        reason = getattr(error, "strerror", None) or "No such file"
        raise TopicError(f"{shown_path(file)}: cannot be read: {reason}") from None
    except ValueError as error:  # a null character in the path
        raise TopicError(f"{str(file)!r}: cannot be read: {error}") from None


def read_text(file: Traversable) -> str:
    """The text of a UTF-8 file, with or without byte order mark."""
    data = read_bytes(file)
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise TopicError(f"{shown_path(file)}: line {line} is not UTF-8 text; save the file as UTF-8") from None


def read_urls(file: Traversable) -> Iterator[tuple[int, str]]:
    """URLs of a text file with their line numbers: one a line; a # at the start or after a blank begins a comment."""
    for number, line in enumerate(read_text(file).splitlines(), start=1):
        if url := re.sub(r"(^|\s)#.*", "", line).strip():
            yield number, url


def check_folder_of(path: Path) -> None:
    """Make the folder of a file that is to be written later; TopicError in one line if nobody can write there."""
    with writing(path, TopicError):
        if not os.access(path.parent, os.W_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))


def write_new(path: Path, text: str) -> None:
    """Write a file that is not there yet, with its folder; TopicError in one line if that cannot be done."""
    with writing(path, TopicError), path.open("x", encoding="utf-8") as file:
        try:
            file.write(text)
            file.flush()
        except BaseException:
            path.unlink()
            raise


def replace_file(path: Path, content: bytes) -> None:
    """Write a file so that a reader, or a crash, finds the old content or the new, never a part. Raises OSError."""
    unfinished = path.with_name(f"{path.name}.{os.getpid()}.tmp")  # another process may be doing the same
    try:
        unfinished.write_bytes(content)
        unfinished.replace(path)
    except BaseException:
        with suppress(OSError):
            unfinished.unlink(missing_ok=True)
        raise


@contextmanager
def writing(path: Path, error: type[FocusedError] = StorageError) -> Iterator[None]:
    """Make the folder of a file that the block writes; raise ``error`` in one line if the file cannot be written."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        yield
    except OSError as cause:
        raise error(f"{shown_path(path)}: cannot be written: {cause.strerror}") from None
