"""Where an export goes: a file or a folder that appears when it is whole, or standard output, for another program.

`scrapy export --new`: each export writes a part of its own, with what came since the part before; a small file remembers where.

The parts of ``solar.jsonl`` are ``solar.jsonl``, ``solar.2.jsonl``, ``solar.3.jsonl``, ... None is ever changed.
"""

from __future__ import annotations

import json
import os
import shutil
import sys
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import asdict, dataclass
from glob import escape
from pathlib import Path
from secrets import token_hex
from typing import Any, Protocol, TypeVar

from focused.collection.collection import locked
from focused.collection.store import Store
from focused.exceptions import ExportError
from focused.export.writers import ExportSpec, FileWriter, FolderWriter, Writer
from focused.topic.plain_files import read_text, shown_path

UNFINISHED = ".unfinished"  #: ends the name of what is not whole yet
KILLED_AFTER = 3600.0  #: seconds


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

    An export that is there already stays until then. Of two that write one file at a time, the last to end has it. Raises
    ExportError in one line where the disk does not take it.
    """
    with errors_told(path):
        if path.exists() and not (path.is_file() or path.is_dir()):
            raise ExportError(f"{shown_path(path)}: is a device or a pipe: take - for standard output")
        target = Path(os.path.realpath(path))
        temporary = target.with_name(f".{target.name}.{token_hex(4)}{UNFINISHED}")
        try:
            target.parent.mkdir(parents=True, exist_ok=True)
            _remove_killed(target)
            yield temporary
            if temporary.is_file():
                with temporary.open("rb") as file:
                    os.fsync(file.fileno())  # the name is not to be on the disk before the content
            temporary.replace(target)
        except BaseException:
            with suppress(OSError):
                _remove(temporary)
            raise


def _remove_killed(path: Path) -> None:
    """Remove what was to become a file, and has not been written to for so long that whoever wrote it was killed."""
    for left in path.parent.glob(f".{escape(path.name)}.*{UNFINISHED}"):
        with suppress(OSError):  # it has just become whole
            if left.stat().st_mtime < time.time() - KILLED_AFTER:
                _remove(left)


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


@dataclass(frozen=True, slots=True)
class Parts:
    """What is known of the parts that were written.

    first_run : when the first run of the crawl began: a crawl that was started anew numbers its events anew
    asked : format, fields and filters, which are the same in all parts
    seq : last event of the journal that they know
    count : how many there are
    """

    first_run: str
    asked: dict[str, Any]
    seq: int = 0
    count: int = 0


def remembered_in(path: Path) -> Path:
    """The file that remembers the parts of an export."""
    return path.with_name(f"{path.name}.parts.json")


def parts_so_far(path: Path, store: Store, asked: dict[str, Any]) -> Parts:
    """The parts of an export to ``path``; none before the first.

    Raises ExportError where they are of another crawl, or where something else was asked for: pages would be missing then.
    """
    (first_run,) = store.execute("SELECT min(started) FROM runs").fetchone()
    asked = json.loads(json.dumps(asked))
    memory = remembered_in(path)
    with errors_told(path):
        if not memory.exists():
            return Parts(first_run, asked)
    parts, way_out = _read(memory), _way_out(memory)
    if parts.first_run != first_run or parts.seq > store.committed:
        raise ExportError(f"{shown_path(path)}: its parts are of a crawl that was put aside: {way_out}")
    if differ := [key for key in asked if parts.asked.get(key) != asked[key]]:
        raise ExportError(
            f"{shown_path(path)}: its parts were made with another choice of {', '.join(differ)}: {way_out}"
        )
    return parts


@contextmanager
def parts_alone(path: Path) -> Iterator[None]:
    """No other export writes a part meanwhile. Raises StorageError where one does."""
    lock = path.with_name(f".{path.name}.parts.lock")
    with errors_told(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        lock.touch()
    with closing(locked(lock, f"{shown_path(path)}: another export with --new writes a part just now")):
        yield


def refuse_first_part(path: Path) -> None:
    """Raise ExportError where an export to ``path`` would replace the first of several parts."""
    memory = remembered_in(path)
    with errors_told(path):
        if memory.exists():
            raise ExportError(f"{shown_path(path)}: is the first part of an export with --new: {_way_out(memory)}")


def remember(path: Path, parts: Parts) -> None:
    """Write down which parts there are, now that they are."""
    with unfinished(remembered_in(path)) as file:
        file.write_text(json.dumps(asdict(parts), indent=1) + "\n", encoding="utf-8")


def _read(memory: Path) -> Parts:
    try:
        parts = Parts(**json.loads(read_text(memory)))
        if isinstance(parts.asked, dict) and min(parts.seq, parts.count) >= 0:
            return parts
    except (ValueError, TypeError, RecursionError):
        pass
    raise ExportError(f"{shown_path(memory)}: is not what an export wrote: {_way_out(memory)}")


def _way_out(memory: Path) -> str:
    return f"take another name, or delete the parts and {shown_path(memory)} to begin anew"


STDOUT = "-"  #: the name of a file that is none


@contextmanager
def writer_to(path: Path | None, kind: type[Writer], order: ExportSpec) -> Iterator[Writer]:
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
def _to_stdout(kind: type[FileWriter], order: ExportSpec) -> Iterator[Writer]:
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
