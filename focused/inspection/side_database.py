"""Databases that may be thrown away, for what they hold can be made anew: maps, portals, caches, the index of a search."""

from __future__ import annotations

import json
import logging
import os
import sqlite3
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

from focused.collection.repository import storage_errors
from focused.collection.sqlite_errors import database_errors

logger = logging.getLogger(__name__)

PATIENCE = 60.0  #: seconds for which another process that writes is waited for


def is_damaged(error: sqlite3.Error) -> bool:
    """Whether SQLite says that a file is worth nothing any more; of a full disk, or a lock, it says something else."""
    return getattr(error, "sqlite_errorcode", 0) & 0xFF in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)


def delete_database(path: Path) -> None:
    """Delete a damaged database with what SQLite keeps beside it."""
    with storage_errors(path, "delete the damaged database"):
        for end in ("", "-wal", "-shm"):
            path.with_name(f"{path.name}{end}").unlink(missing_ok=True)


class SideDatabase:
    """A small database; in memory alone where nobody may write to its folder.

    One that was made of something else is emptied, a damaged one is made anew. Raises StorageError where that cannot be done.
    Belongs to the thread that made it.

    Parameters
    ----------
    path : of the file
    made_of : what tells its source from any other that may lie here, and the version of what is kept
    tables : their columns in SQL, by name
    what : it is, for messages
    """

    JOURNAL = "DELETE"  #: one file, which can also be read where nobody may write; WAL: writers and readers do not wait

    def __init__(self, path: Path, made_of: Sequence[object], tables: Mapping[str, str], what: str) -> None:
        self._path, self._made_of, self._what = path, json.dumps(made_of), what
        self._tables = {**tables, "made_of": "mark TEXT NOT NULL"}
        with self._errors():
            try:
                self._db = self._opened()
            except sqlite3.DatabaseError as error:
                self._db = self._anew(error)

    def close(self) -> None:
        self._db.close()

    def _rows(self, query: str, values: Sequence[object] = ()) -> list[tuple[Any, ...]]:
        """What a query finds; nothing where the file proves damaged, which is made anew."""
        with self._errors():
            try:
                return self._db.execute(query, values).fetchall()
            except sqlite3.DatabaseError as error:
                self._db = self._anew(error)
        return []

    def _write(self, statement: str, rows: Sequence[Sequence[object]]) -> None:
        """Write all rows, or none; if need be into a file that is made anew."""
        with self._errors():
            try:
                with self._db:
                    self._db.executemany(statement, rows)
            except sqlite3.DatabaseError as error:
                self._db = self._anew(error)
                with self._db:
                    self._db.executemany(statement, rows)

    def _opened(self) -> sqlite3.Connection:
        is_kept = os.access(self._path.parent, os.W_OK)
        db = sqlite3.connect(self._path if is_kept else ":memory:", timeout=PATIENCE)
        try:
            db.execute(f"PRAGMA journal_mode = {self.JOURNAL}")
            db.execute("PRAGMA synchronous = NORMAL")  # a power failure may cost what was added last
            db.execute("BEGIN IMMEDIATE")
            if _made_of(db) != self._made_of:
                for name, columns in self._tables.items():
                    db.execute(f"DROP TABLE IF EXISTS {name}")
                    db.execute(f"CREATE TABLE {name} ({columns})")
                db.execute("INSERT INTO made_of VALUES (?)", (self._made_of,))
            db.commit()
        except BaseException:
            db.close()
            raise
        return db

    def _anew(self, error: sqlite3.DatabaseError) -> sqlite3.Connection:
        """An empty database in place of a damaged one. Raises any other error."""
        if not is_damaged(error):
            raise error
        if hasattr(self, "_db"):
            self._db.close()
        logger.warning("%s: damaged (%s); it is made anew", self._path, error)
        delete_database(self._path)
        return self._opened()

    def _errors(self) -> AbstractContextManager[None]:
        return database_errors(self._path, self._what, ", or delete it: it is made anew")


def _made_of(db: sqlite3.Connection) -> str:
    if not db.execute("SELECT 1 FROM sqlite_schema WHERE name = 'made_of'").fetchone():
        return ""
    row = db.execute("SELECT mark FROM made_of").fetchone()
    return str(row[0]) if row else ""
