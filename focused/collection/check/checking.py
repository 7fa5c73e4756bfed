"""Checks a whole collection, and repairs it."""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from focused.collection.check.damage import Findings
from focused.collection.check.database_check import check_integrity, check_journal
from focused.collection.check.pages_check import Tell, check_pages
from focused.collection.check.repair import repair
from focused.collection.check.rescue import replace, rescued
from focused.collection.collection import DATABASE, PAGES, hold
from focused.collection.migrations import OlderSchemaError
from focused.collection.repositories import open_repository
from focused.collection.sqlite_errors import database_errors
from focused.collection.store import Store, connect_to_read
from focused.exceptions import StorageError


def check(folder: Path, tell: Tell) -> Findings:
    """What is wrong with a collection. Nothing is changed.

    Raises StorageError where there is none, a crawl is running, or a newer release has written it.
    """
    with _alone(folder):
        return _findings(folder, tell)


def check_and_repair(folder: Path, tell: Tell) -> tuple[Findings, list[str], Findings]:
    """Repair what can be; return what was wrong, what was done, a line each, and what is wrong now. Raises as `check` does.

    Of a collection that is partly past repair nothing is changed.
    """
    with _alone(folder):
        found = _findings(folder, tell)
        if found.past_repair or not found.can_be_repaired:
            return found, [], found
        done = replace(folder / DATABASE) if found.malformed else []
        Store(folder / DATABASE).close()  # what an older release has written is brought up to date
        return found, done + repair(folder / DATABASE, folder / PAGES, found), _findings(folder, tell)


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """Hold the lock of a crawl; where nobody may write none can run."""
    if not (folder / DATABASE).is_file():
        raise StorageError(f"{folder / DATABASE}: no such collection; `scrapy report` lists those that there are")
    if not os.access(folder, os.W_OK):
        yield
        return
    with closing(hold(folder)):
        yield


def _findings(folder: Path, tell: Tell) -> Findings:
    path = folder / DATABASE
    with database_errors(path), closing(connect_to_read(path)) as db:
        found = check_integrity(db)
    if found.past_repair:
        return _of_rescued(folder, found, tell)
    try:
        store = Store(path, read_only=True)
    except OlderSchemaError:
        store = Store.copy_of(path)
    with database_errors(path), closing(store):
        _check_rows(store.db, folder, found, tell)
    return found


def _of_rescued(folder: Path, found: Findings, tell: Tell) -> Findings:
    """Of a malformed database: what a repair would make of it, where that is whole."""
    try:
        db = rescued(folder / DATABASE)
    except StorageError as error:
        found.past_repair.append(str(error))
        return found
    with closing(db):
        of_new = Findings(malformed=found.past_repair)
        _check_rows(db, folder, of_new, tell)
    of_new.past_repair = [*found.past_repair, *of_new.past_repair] if of_new.past_repair else []
    return of_new


def _check_rows(db: sqlite3.Connection, folder: Path, found: Findings, tell: Tell) -> None:
    check_journal(db, found)
    kind = _kind_of_pages(db, found)
    if kind and not found.past_repair:
        check_pages(db, open_repository(kind, folder / PAGES), found, tell)


def _kind_of_pages(db: sqlite3.Connection, found: Findings) -> str:
    """Which repository the crawl has, as its last run says; empty where there was none, or it cannot be read."""
    row = db.execute("SELECT topic FROM runs ORDER BY id DESC LIMIT 1").fetchone()
    try:
        return str(json.loads(row[0])["storage"]["pages"]) if row else ""
    except (ValueError, KeyError, TypeError):
        found.past_repair.append("what the last run crawled cannot be read")
        return ""
