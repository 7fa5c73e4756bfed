"""`scrapy export --new`: each export writes a part of its own, with what came since the part before; a small file remembers where.

The parts of ``solar.jsonl`` are ``solar.jsonl``, ``solar.2.jsonl``, ``solar.3.jsonl``, ... None is ever changed.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from focused.exceptions import ExportError
from focused.exporting.unfinished import errors_told, unfinished
from focused.storage.store import Store
from focused.topic.plain_files import read_text, shown_path


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
