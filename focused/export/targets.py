"""Where an export goes: a file or a folder that appears when it is whole, or standard output, for another program."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Protocol, TypeVar

from focused.exceptions import ExportError
from focused.export.formats.writer import FileWriter, FolderWriter, Order, Writer
from focused.export.unfinished import unfinished

STDOUT = "-"  #: the name of a file that is none


@contextmanager
def writer_to(path: Path | None, kind: type[Writer], order: Order) -> Iterator[Writer]:
    """Give the block what writes to a path; None: standard output.

    Raises ExportError in one line where it cannot be written, but BrokenPipeError where who reads it has had enough.
    """
    if path is None:
        assert issubclass(kind, FileWriter)  # by the wish
        with _to_stdout(kind, order) as writer:
            yield writer
        return
    with unfinished(path) as temporary:
        if issubclass(kind, FileWriter):
            with _closed(temporary.open("wb")) as file, _closed(kind(file, order)) as writer:
                yield writer
        else:
            assert issubclass(kind, FolderWriter)
            with _closed(kind(temporary, order)) as writer:
                yield writer


def refuse_terminal() -> None:
    """Raise ExportError where standard output is a terminal: pages hold what it would take for commands."""
    if sys.stdout.isatty():
        raise ExportError("-: this is a terminal: name a file, or send it on with | or >")


@contextmanager
def _to_stdout(kind: type[FileWriter], order: Order) -> Iterator[Writer]:
    try:
        with _closed(kind(sys.stdout.buffer, order)) as writer:
            yield writer
        sys.stdout.buffer.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        raise ExportError(f"standard output: cannot be written: {error.strerror or error}") from None


class _Closable(Protocol):
    def close(self) -> None: ...


_C = TypeVar("_C", bound=_Closable)


@contextmanager
def _closed(target: _C) -> Iterator[_C]:
    """Close a file or a writer; where something went wrong already, that is what is told."""
    try:
        yield target
    except BaseException:
        with suppress(Exception):
            target.close()
        raise
    target.close()
