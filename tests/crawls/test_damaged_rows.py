"""A damaged database ends a live crawl in one line and with exit code 1: the engine is not asked for ever."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from focused.collection.snapshot import decode, encode
from tests.crawls.crawling import crawl
from tests.crawls.mock_web import Answer, MockWeb, serving

HOST = "http://a.example"
LINKS = "".join(f'<p>solar <a href="/{number}">solar energy {number}</a></p>' for number in range(12))
WEB = {
    f"{HOST}/{path}": Answer(200, (("Content-Type", "text/html"),), f"<p>solar energy {path}</p>{LINKS}".encode())
    for path in ("", *map(str, range(12)))
}


def without_texts(db: sqlite3.Connection) -> None:
    """URLs that wait have lost their rows, but the last, so that numbers still are what they were."""
    db.execute("UPDATE urls SET url = x'00' WHERE id NOT IN (SELECT url FROM fetches)")


def with_garbage(db: sqlite3.Connection) -> None:
    """A snapshot of the right version and shape, whose strategy holds what it cannot reckon with."""
    state: dict[str, Any] = decode(db.execute("SELECT state FROM snapshots").fetchone()[0])
    state["strategy"]["regression"]["weights"] = "text"
    db.execute("UPDATE snapshots SET state = ?", (encode(state),))


@pytest.mark.parametrize("damage", [without_texts, with_garbage])
def test_it_ends_in_one_line(tmp_path: Path, damage: Callable[[sqlite3.Connection], None]) -> None:
    with serving(MockWeb(WEB)) as web:
        assert crawl(web, tmp_path, [f"{HOST}/"], pages=3).code == 0
        db = sqlite3.connect(tmp_path / "test" / "crawl.db", isolation_level=None)
        damage(db)
        db.close()
        ended = crawl(web, tmp_path, [f"{HOST}/"], pages=9)
    assert ended.code == 1
    assert "damaged" in ended.log or "failed" in ended.log
    assert damage is with_garbage or ended.plain
