"""Rescues a malformed crawl.db: rows that can be read are copied into a new one, and the next run makes the rest anew.

SQLite keeps each table in pages of its own, and most pages of a crawl.db hold what follows from the others: links, drops, the
saved state. So damaged pages are mostly of these. Where they are of the answers, the crawl asks again. Where they are of the
other tables nothing is rescued: nobody could say what is missing.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

from focused.collection.check.repair import copied, take_out
from focused.collection.migrations import migrate, require_newest
from focused.collection.repository import storage_errors, sync_folder
from focused.collection.sqlite_errors import database_errors
from focused.collection.store import IS_AGAIN, IS_VERSION, JOURNAL, connect_to_read, last_event
from focused.exceptions import StorageError

WHOLE = (
    "runs",
    "hosts",
    "urls",
    "seeds",
    "requests",
    "picks",
    "backlinks",
    "steering",
)  #: tables that are needed row for row
ANSWERS = "fetches"  #: of which the crawl asks again for those that are lost
OWN, LESSONS = "own_fields", "lessons"  #: of which all are kept that can be: no event is missing with them
MOST_ANSWERS = 100  #: of one choice: the first, and those when its page was asked for once more
NEW = ".new"  #: ends the name of a database in the making


def rescued(path: Path) -> sqlite3.Connection:
    """A copy in memory of what can be rescued. Raises StorageError where that is no crawl."""
    db = sqlite3.connect(":memory:", isolation_level=None)
    try:
        _rescue(path, db)
    except BaseException as error:
        db.close()
        if isinstance(error, sqlite3.Error):
            raise StorageError(f"{path}: {error}: nothing can be read") from error
        raise
    return db


def replace(path: Path) -> list[str]:
    """Put what can be rescued in the place of a malformed database; return what was done, a line each.

    Raises StorageError, with the database as it was, where nothing can be rescued or the disk does not take it.
    """
    kept, new = copied(path), path.with_name(path.name + NEW)
    with storage_errors(new, "write a new database"):
        new.unlink(missing_ok=True)  # of a repair that was killed
        try:
            with database_errors(new), closing(sqlite3.connect(new, isolation_level=None)) as db:
                db.execute("PRAGMA synchronous = FULL")
                lost = _rescue(path, db)
            with database_errors(path), closing(sqlite3.connect(path)) as old:
                old.execute("PRAGMA journal_mode = DELETE")  # its log would be taken for that of the new one
            new.replace(path)
        except BaseException:
            new.unlink(missing_ok=True)
            raise
        sync_folder(path.parent)
    done = [f"a copy of the database as it was: {kept}", "what could be read of the database is in a new one"]
    return [*done, f"{lost} answers could not: the next run asks again"] if lost else done


def _rescue(path: Path, to: sqlite3.Connection) -> int:
    """Copy what can be read into an empty database; return how many answers are lost. Raises what SQLite does as well."""
    with closing(connect_to_read(path)) as db:
        require_newest(db, str(path))
        migrate(to, str(path))
        with to:
            to.execute("BEGIN")
            torn = [table for table in (*WHOLE, ANSWERS) if not _copy(db, to, table)]
            for table in (OWN, LESSONS):
                _copy(db, to, table)
            to.execute(f"DELETE FROM {OWN} WHERE seq NOT IN (SELECT seq FROM fetches WHERE {IS_VERSION})")
    if missing := [table for table in torn if table != ANSWERS]:
        raise StorageError(f"{path}: rows cannot be read of {', '.join(missing)}")
    lost = _unnumbered(to, MOST_ANSWERS * to.execute("SELECT count(*) FROM picks").fetchone()[0] if torn else 0)
    if lost is None:
        raise StorageError(f"{path}: more events are missing than answers can be")
    take_out(to, sorted({*lost, *_of_lost_pages(to)}))
    return len(lost)


def _copy(db: sqlite3.Connection, to: sqlite3.Connection, table: str) -> bool:
    """Copy the rows of a table before a damaged page, and those behind; whether there is no such page."""
    last = 0
    try:
        for row in _rows(db, table, "ASC"):
            _insert(to, table, row)
            last = row[0]
    except sqlite3.DatabaseError:
        try:
            for row in _rows(db, table, "DESC"):
                if row[0] <= last:
                    break
                _insert(to, table, row)
        except sqlite3.DatabaseError:
            pass
        return False
    return True


def _rows(db: sqlite3.Connection, table: str, order: str) -> Iterator[tuple[Any, ...]]:
    """Number and columns of each row."""
    yield from db.execute(f"SELECT rowid, * FROM {table} ORDER BY rowid {order}")


def _insert(to: sqlite3.Connection, table: str, row: tuple[Any, ...]) -> None:
    to.execute(f"INSERT INTO {table} VALUES ({', '.join('?' * (len(row) - 1))})", row[1:])


def _of_lost_pages(db: sqlite3.Connection) -> Iterator[int]:
    """Numbers of what came of asking once more for pages that are lost."""
    query = f"SELECT seq FROM fetches WHERE {IS_AGAIN} AND pick NOT IN (SELECT pick FROM fetches WHERE NOT {IS_AGAIN})"
    yield from (row[0] for row in db.execute(query))


def _unnumbered(db: sqlite3.Connection, most: int) -> list[int] | None:
    """Numbers of events that no row has; None for more than there may be."""
    events = " UNION ".join(f"SELECT seq FROM {table}" for table in JOURNAL)
    found, last = {row[0] for row in db.execute(events)}, last_event(db)
    if last - len(found) > most:  # before they are counted: a damaged row may have any number
        return None
    return [event for event in range(1, last + 1) if event not in found]
