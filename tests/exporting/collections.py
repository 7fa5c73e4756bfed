"""A finished crawl of the small web, and exports of it in this process."""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

from focused.commands.export import Command
from tests.commands.running import run_command


def export(data: Path, *argv: str | Path) -> int:
    """Run `scrapy export` in this process; return its exit code."""
    return run_command(Command(), *map(str, argv), "--processes", "1", data_dir=data)


def die(*_: object) -> None:
    """End a process as lack of memory does."""
    os._exit(1)


def change(data: Path, statement: str, *values: Any) -> None:
    """Write into the database of the collection what the small web has no case of."""
    with closing(sqlite3.connect(data / "test" / "crawl.db")) as db, db:
        assert db.execute(statement, values).rowcount > 0


def history(data: Path, columns: str, condition: str = "1") -> list[tuple[Any, ...]]:
    """Columns of the pages, in order of arrival."""
    with closing(sqlite3.connect(data / "test" / "crawl.db")) as db:
        query = f"SELECT {columns} FROM history WHERE outcome = 'page' AND {condition} ORDER BY seq"
        return db.execute(query).fetchall()
