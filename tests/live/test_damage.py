"""Rows that no crawl wrote: a crawl, and what looks at it, end in one line, and none of them hangs."""

from __future__ import annotations

import shutil
import sqlite3
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from focused.collection.snapshot import decode, encode
from focused.desk.commands.judge import Command as Audit
from focused.exceptions import StorageError
from focused.inspection.commands.explain import Command as Explain
from focused.inspection.commands.report import Command as Report
from focused.live.session import Session
from tests import small_web
from tests.commands.running import run_command

Change = Callable[[sqlite3.Connection], Any]


@pytest.fixture(scope="module")
def collection(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder with a crawl that was cut off, so that its rows are read again, and that has asked for backlinks."""
    folder = tmp_path_factory.mktemp("data")
    session = Session(small_web.topic_of(), folder / "test")
    small_web.crawl(session, 12)
    session.request(session.reader.rules.address("http://own.example/x"), 0.5, '{"url": "http://own.example/x"}')
    small_web.name_backlinks(session, 3, ["http://host1.example/99"])
    session.commit()
    session.collection.close()
    return folder


def damaged(collection: Path, folder: Path, change: Change) -> Path:
    shutil.copytree(collection, folder, dirs_exist_ok=True)
    db = sqlite3.connect(folder / "test" / "crawl.db", isolation_level=None)
    change(db)
    db.close()
    return folder


def setting(table: str, column: str, value: object) -> Change:
    """Put a value into a row in the middle of a table."""
    return lambda db: db.execute(
        f"UPDATE {table} SET {column} = ? WHERE rowid = (SELECT rowid FROM {table} ORDER BY rowid LIMIT 1 OFFSET "
        f"(SELECT count(*) / 2 FROM {table}))",
        (value,),
    )


def running(statement: str) -> Change:
    return lambda db: db.execute(statement)


HURTING = [
    setting("runs", "topic", "no JSON"),
    setting("runs", "topic", "{}"),
    setting("runs", "topic", -1),
    setting("runs", "seconds", "text"),
    setting("urls", "key", "text"),
    setting("urls", "key", 1e308),
    running(f"UPDATE urls SET id = {2**62} WHERE id = (SELECT max(id) FROM urls)"),  # one that waits
    setting("seeds", "seq", "text"),
    setting("seeds", "seq", 1e308),
    setting("fetches", "final_url", 2**62),
    setting("fetches", "file", b"\x00\xff"),
    setting("fetches", "file", "../../../etc/passwd"),
    setting("fetches", "offset", "text"),
    running("UPDATE urls SET url = CAST(x'ff' AS TEXT)"),
    running("DROP TABLE fetches"),
    running("DELETE FROM urls"),
]


@pytest.mark.parametrize("change", HURTING)
def test_a_crawl_does_not_go_on_from_it(collection: Path, tmp_path: Path, change: Change) -> None:
    folder = damaged(collection, tmp_path, change)
    with pytest.raises(StorageError) as told:
        session = Session(small_web.topic_of(), folder / "test")
        try:
            while (pick := session.next()) is not None:
                session.store.url(pick.id)
                session.failed(pick.id, "http 404", 404)
        finally:
            with suppress(StorageError):
                session.close()
    assert len(str(told.value).splitlines()) == 1
    assert str(folder) in str(told.value)


@pytest.mark.parametrize(
    "change",
    [
        *HURTING,
        setting("urls", "host", 7),
        setting("fetches", "seq", 2**62),
        setting("fetches", "final_url", None),
        setting("fetches", "bytes", "text"),
        setting("fetches", "relevant", "text"),
        setting("fetches", "relevance", None),
        setting("fetches", "duplicate_of", "text"),
        setting("picks", "parts", "-1"),
        setting("picks", "score", "text"),
        setting("picks", "passed_over", b"x"),
        setting("links", "score", "text"),
    ],
)
def test_commands_say_so_in_one_line_or_tell_what_they_can(
    collection: Path, tmp_path: Path, change: Change, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = damaged(collection, tmp_path, change)
    urls = [small_web.url_of(number) for number in range(40)]
    for command, *argv in (
        (Report(), "test"),
        (Explain(), *urls, "--waiting", "50", "-a", "topic=test"),
        (Audit(), "test", "--sample", "5"),
    ):
        code = run_command(command, *argv, data_dir=folder)
        assert capsys.readouterr().err.count("\n") == code  # any other exception would have ended this test


def states() -> list[tuple[str, object]]:
    return [
        ("events", "x"),
        ("frontier", {}),
        ("urls", None),
        ("in_flight", [{}]),
        ("hosts", []),
        ("totals", -1),
        ("totals", {"relevant": "x", "recent": []}),
    ]


@pytest.mark.parametrize(("name", "value"), states())
def test_a_snapshot_of_the_right_version_with_garbage_in_it_is_told(tmp_path: Path, name: str, value: object) -> None:
    session = Session(small_web.topic_of(), tmp_path / "test")
    small_web.crawl(session, 5)
    session.close()
    db = sqlite3.connect(tmp_path / "test" / "crawl.db", isolation_level=None)
    state = decode(db.execute("SELECT state FROM snapshots").fetchone()[0])
    db.execute("UPDATE snapshots SET state = ?", (encode({**state, name: value}),))
    db.close()
    with pytest.raises(StorageError, match="damaged"):
        Session(small_web.topic_of(), tmp_path / "test")


@pytest.mark.parametrize("name", ["planted.Strategy", "planted", "os.path.join"])
def test_a_strategy_that_only_the_database_names_is_not_imported(
    collection: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    (tmp_path / "planted.py").write_text("raise SystemExit('it ran')")
    monkeypatch.syspath_prepend(tmp_path)
    planted = f"UPDATE runs SET topic = json_set(topic, '$.strategy.name', '{name}')"
    folder = damaged(collection, tmp_path / "data", running(planted))
    assert run_command(Explain(), small_web.url_of(0), "-a", "topic=test", data_dir=folder) == 1
    assert "strategy" in capsys.readouterr().err
    assert "planted" not in sys.modules
