"""A finished crawl of the small web, and exports of it in this process."""

import os
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from focused.export.commands.export import Command
from tests.commands.running import crawled, run_command
from tests.small_web import WEB, url_of


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


ARTICLE = url_of(0)
_TEXT = """<html lang=en><title>Panels</title><meta name=author content="Ada Lovelace"><meta name=description content="=1+1 panels">
<meta property=og:site_name content="Sun &amp; Co">
<script type="application/ld+json">{"@type": "Article", "datePublished": "2026-11-01", "wordCount": NaN}</script>
<body><h1>Panels</h1><p>Solar energy comes from solar panels, and their owners rarely think of them again, é.
<h2>Cells</h2><p>A cell is made of silicon, which is made of sand, and both are cheap and plentiful.
<h2>Roofs</h2><p>Most of them stand on the roof of the house, where nobody sees them and the sun shines."""


def article_crawled(folder: Path, change: tuple[str, str] = ("", "")) -> None:
    """Crawl one page that says much, into this collection.

    change : words of it, and other words that stand there
    """
    with pytest.MonkeyPatch.context() as patched:
        patched.setitem(WEB, ARTICLE, _TEXT.replace(*change) if change[0] else _TEXT)
        crawled(folder, 1)
