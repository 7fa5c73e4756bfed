"""crawl.db while a crawl runs: locks of others, and files that vanish from under it."""

import logging
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from focused.collection import migrations
from focused.collection import store as crawl_db
from focused.collection.collection import Collection, holder
from focused.collection.sqlite_errors import BusyError
from focused.collection.store import Rows, Store
from focused.exceptions import StorageError


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    store = Store(tmp_path / "crawl.db", lock_seconds=0.5)
    yield store
    store.close()


def locked(store: Store) -> sqlite3.Connection:
    """Another program that is about to write."""
    other = sqlite3.connect(store.path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    return other


def test_a_running_crawl_is_told_of_a_lock_at_once_and_the_next_commit_writes_all(store: Store) -> None:
    store.patient = False
    store.add(1, [Rows.one("seeds", seq=1, url=0)])
    with closing(locked(store)), pytest.raises(BusyError, match="database is locked: another process is using it"):
        store.commit()
    assert store.commit() == 1
    assert store.execute("SELECT * FROM seeds").fetchall() == [(1, 0)]


def test_whoever_may_wait_waits_with_a_line_until_patience_is_at_its_end(
    store: Store, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(crawl_db, "TELL_AFTER", 0.2)
    with closing(locked(store)), caplog.at_level(logging.WARNING), pytest.raises(BusyError):
        store.execute("DELETE FROM seeds")
    assert "crawl.db is locked by another process: waiting, for 0 s at most" in caplog.text
    with closing(locked(store)), pytest.raises(BusyError):  # and not once more: a crawl that has given up is to end
        monkeypatch.setattr(crawl_db.time, "sleep", lambda _: pytest.fail("waits again"))
        store.execute("DELETE FROM seeds")


def test_a_lock_that_goes_is_no_error(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    store.execute("INSERT INTO seeds VALUES (1, 0)")
    other = locked(store)
    monkeypatch.setattr(crawl_db.time, "sleep", lambda _: other.close())
    store.execute("DELETE FROM seeds")
    assert store.execute("SELECT * FROM seeds").fetchall() == []


@pytest.mark.parametrize("name", ["crawl.db", "crawl.db-wal"])
def test_a_database_that_was_deleted_or_replaced_takes_no_commit(store: Store, name: str) -> None:
    store.commit()
    path = store.path.with_name(name)
    content = path.read_bytes()
    path.unlink()
    with pytest.raises(StorageError, match=f"{name}: was deleted while the crawl ran"):
        store.commit()
    path.with_name("new").write_bytes(content)
    path.with_name("new").rename(path)
    with pytest.raises(StorageError, match=f"{name}: was replaced while the crawl ran"):
        store.commit()


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only Linux tells who holds a lock")
def test_a_second_crawl_says_which_process_has_the_collection(tmp_path: Path) -> None:
    code = (
        "import sys, pathlib, focused.collection.collection as c; c.hold(pathlib.Path(sys.argv[1])); print(); input()"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", code, str(tmp_path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    try:
        assert process.stdout is not None
        process.stdout.readline()
        with pytest.raises(StorageError, match=rf"another crawl of this topic is running \(process {process.pid}\)"):
            Collection(tmp_path, pages="warc")
    finally:
        process.communicate(b"\n")
    assert holder(tmp_path / "crawl.lock") is None


def test_a_file_that_nobody_has_locked_has_no_holder(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    assert holder(tmp_path / "file") is None
    assert holder(tmp_path / "missing") is None


def test_a_database_of_before_content_signals_gets_their_column(tmp_path: Path) -> None:
    path = tmp_path / "crawl.db"
    with closing(sqlite3.connect(path)) as db:
        migrations.create_tables(db)
        db.execute(f"PRAGMA user_version = {migrations.FIRST}")
        db.execute("INSERT INTO urls VALUES (0, 1, 0, 'http://a.example/')")
        db.execute("INSERT INTO picks VALUES (1, 1, 0, '', 1.0, '{}', NULL, 0, NULL)")
        db.execute(
            "INSERT INTO fetches (seq, run, pick, url, final_url, outcome, time) VALUES (2, 1, 1, 0, 0, 'page', '')"
        )
        db.commit()
        migrations.migrate(db, str(path))
        for view in ("history", "versions", "newest"):
            assert db.execute(f"SELECT url, run, signals FROM {view}").fetchall() == [("http://a.example/", 1, None)]
        assert migrations.schema(db) == migrations.newest()
