"""Repairs a collection: what is damaged is put aside, never thrown away, and the next run fetches lost pages again.

A lost page becomes one whose answer never came: its fetch is taken out of the journal, whose later events move up, and its
pick is under way again. The next run replays the journal without the page, writes anew what followed from it (relevance,
links, drops), and fetches what was under way first, as after a kill.
"""

from __future__ import annotations

import os
import sqlite3
from bisect import bisect_left
from collections.abc import Sequence
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

from focused.collection.check.damage import Findings, LostPage, Stretch
from focused.collection.check.database_check import REPAIRED
from focused.collection.repository import storage_errors, sync_folder
from focused.collection.sqlite_errors import database_errors
from focused.collection.store import IS_AGAIN, JOURNAL, last_event
from focused.collection.warc import record_of_length

NUMBERED = (*JOURNAL, "drops", "own_fields", "lessons")  #: tables whose rows have the number of an event
DAMAGED = ".damaged"  #: ends the names of what is put aside


def repair(database: Path, pages: Path, found: Findings) -> list[str]:
    """Repair what can be; return what was done, a line each. Nobody else may use the collection.

    Raises StorageError, with the collection as it was or whole, where the disk is full or does not let itself be written to.
    """
    done = []
    if found.index_errors or found.snapshot_error or found.lost:
        done.append(f"a copy of the database as it was: {copied(database)}")
        with database_errors(database), closing(sqlite3.connect(database, isolation_level=None)) as db:
            db.execute("PRAGMA synchronous = FULL")
            if found.index_errors:
                db.execute("REINDEX")
                done.append("the indexes of the database are made anew")
            if found.snapshot_error:
                db.execute("DELETE FROM snapshots")
                done.append("the saved state is deleted; the next run makes it anew from the pages")
            if found.lost:
                take_out(db, _with_what_followed(db, [page.event for page in found.lost]))
                done.append(f"the next run fetches {len(found.lost)} lost pages again")
    for page in found.lost:
        _rename(pages, page)
    return [*done, *(_put_aside(pages, stretch) for stretch in found.stretches)]


def _with_what_followed(db: sqlite3.Connection, lost: Sequence[int]) -> list[int]:
    """Lost fetches, and what came of asking for these pages once more, in ascending order."""
    query = f"SELECT seq FROM fetches WHERE {IS_AGAIN} AND pick = (SELECT pick FROM fetches WHERE seq = ? AND outcome = 'page')"
    later = {row[0] for event in lost for row in db.execute(query, (event,))}
    return sorted(later.union(lost))


def take_out(db: sqlite3.Connection, lost: Sequence[int]) -> None:
    """Take fetches out of the journal, by number in ascending order, as if their answers had never come."""
    db.create_function("moved", 1, lambda event: event - bisect_left(lost, event), deterministic=True)
    with db:
        db.execute("BEGIN IMMEDIATE")
        db.executemany("DELETE FROM fetches WHERE seq = ?", [(event,) for event in lost])
        db.executemany("DELETE FROM own_fields WHERE seq = ?", [(event,) for event in lost])
        for table in NUMBERED:  # by way of negative numbers: no two rows ever have the same
            db.execute(f"UPDATE {table} SET seq = -moved(seq)")
            db.execute(f"UPDATE {table} SET seq = -seq")
        db.execute("UPDATE fetches SET pick = moved(pick)")
        db.execute("DELETE FROM snapshots")
        now = datetime.now(UTC).isoformat(timespec="milliseconds")
        db.execute("INSERT INTO snapshots VALUES (?, ?, ?, x'')", (last_event(db), REPAIRED, now))


def copied(database: Path) -> Path:
    """A copy of the database, with what is in its write-ahead log."""
    copy = _free_name(database)
    with (
        database_errors(database),
        closing(sqlite3.connect(database)) as original,
        closing(sqlite3.connect(copy)) as to,
    ):
        original.backup(to)
    return copy


def _rename(pages: Path, page: LostPage) -> None:
    """Put the files aside that hold a lost page alone, and what is known of it: the next run would delete them."""
    for path in (pages / page.own_file, pages / f"{page.own_file}.json"):
        if page.own_file and path.is_file():
            with storage_errors(path, "put a damaged page aside"):
                path.rename(_free_name(path))


def _put_aside(pages: Path, stretch: Stretch) -> str:
    """Keep a copy of damaged bytes; cut them off at the end of their file, elsewhere put a record in their place."""
    path, length = pages / stretch.file, stretch.end - stretch.start
    with storage_errors(path, "put damaged bytes aside"):
        if stretch.start == 0 and stretch.end == path.stat().st_size:
            kept = _free_name(path)
            path.rename(kept)
            sync_folder(pages)
            return f"{path}: no page of it can be read: it is now {kept.name}"
        kept = _free_name(path.with_name(f"{path.name}.{stretch.start}"))
        with path.open("r+b") as file:
            file.seek(stretch.start)
            kept.write_bytes(file.read(length))
            filler = record_of_length(length) if stretch.end < path.stat().st_size else b""
            if filler is None:
                return f"{path}: {length} damaged bytes from {stretch.start} stay: no record is as short"
            file.seek(stretch.start)
            file.write(filler)
            if not filler:
                file.truncate()
            file.flush()
            os.fsync(file.fileno())
    return f"{path}: {length} damaged bytes from {stretch.start} are now in {kept.name}"


def _free_name(path: Path) -> Path:
    """A name for something that is put aside, which nothing else has."""
    names = (path.with_name(f"{path.name}{DAMAGED}{number or ''}") for number in range(10_000))
    return next(name for name in names if not name.exists())
