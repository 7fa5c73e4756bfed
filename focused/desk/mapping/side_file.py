"""map.db: what maps were made of, in a small database beside crawl.db that may be thrown away at any time."""

from __future__ import annotations

import io
import json
import os
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from focused.collection.sqlite_errors import database_errors
from focused.desk.mapping.page_words import Said
from focused.exceptions import StorageError

MAP = "map.db"
VERSION = 1  #: of the tables, and of how pages are read for a map
LOCK_SECONDS = 30.0

_TABLES = (
    "CREATE TABLE said (url INTEGER PRIMARY KEY, words TEXT NOT NULL, counts BLOB NOT NULL)",
    "CREATE TABLE maps (name TEXT PRIMARY KEY, arrays BLOB NOT NULL)",
    "CREATE TABLE made_of (mark TEXT NOT NULL)",
)
Arrays = Mapping[str, np.typing.NDArray[Any]]


class SideFile:
    """The map.db of a collection; in memory alone where nobody may write to its folder.

    Parameters
    ----------
    folder : of the collection
    mark : what tells the collection from any other that may lie here; a file that was made of another is emptied

    A damaged file is made anew. Raises StorageError where that cannot be done. Belongs to the thread that made it.
    """

    def __init__(self, folder: Path, mark: str) -> None:
        self._path = folder / MAP
        self._mark = mark
        self.is_kept = os.access(folder, os.W_OK)
        try:
            self._db = self._opened()
        except sqlite3.DatabaseError as error:
            if not _is_damaged(error):
                with database_errors(self._path, "a map of ours", ""):
                    raise
            self._delete()
            with database_errors(self._path, "a map of ours", ""):
                self._db = self._opened()

    def close(self) -> None:
        self._db.close()

    def read_urls(self) -> set[int]:
        """Ids of pages whose words are known."""
        with self._errors():
            return {url for (url,) in self._db.execute("SELECT url FROM said")}

    def add(self, said: Sequence[tuple[int, Said]]) -> None:
        """Keep the words of pages, by the ids of their URLs."""
        with self._errors(), self._db:
            self._db.executemany(
                "INSERT OR REPLACE INTO said VALUES (?, ?, ?)",
                [(url, " ".join(one.words), bytes(one.counts)) for url, one in said],
            )

    def said(self) -> dict[int, Said]:
        """The words of all pages that were read, by the ids of their URLs."""
        found = {}
        with self._errors():
            for url, words, counts in self._db.execute("SELECT url, words, counts FROM said"):
                said = Said(tuple(words.split(" ")) if words else (), tuple(counts))
                if len(said.words) == len(said.counts):
                    found[url] = said
        return found

    def keep(self, name: str, arrays: Arrays) -> None:
        """Keep a map, in place of the one with this name."""
        buffer = io.BytesIO()
        np.savez(buffer, allow_pickle=False, **dict(arrays))
        with self._errors(), self._db:
            self._db.execute("INSERT OR REPLACE INTO maps VALUES (?, ?)", (name, buffer.getvalue()))

    def kept(self, name: str) -> dict[str, np.typing.NDArray[Any]] | None:
        """The map with a name; None where there is none that can be read."""
        with self._errors():
            row = self._db.execute("SELECT arrays FROM maps WHERE name = ?", (name,)).fetchone()
        if row is None:
            return None
        try:
            with np.load(io.BytesIO(row[0]), allow_pickle=False) as arrays:
                return {key: arrays[key] for key in arrays.files}
        except (OSError, ValueError, EOFError, KeyError):
            return None

    def _opened(self) -> sqlite3.Connection:
        db = sqlite3.connect(self._path if self.is_kept else ":memory:", timeout=LOCK_SECONDS, isolation_level=None)
        try:
            if self.is_kept:
                db.execute("PRAGMA journal_mode = WAL")
                db.execute("PRAGMA synchronous = NORMAL")
            db.execute("BEGIN IMMEDIATE")
            if _mark_of(db) != json.dumps([VERSION, self._mark]):
                for (name,) in db.execute("SELECT name FROM sqlite_schema WHERE type = 'table'").fetchall():
                    if name in ("said", "maps", "made_of"):
                        db.execute(f"DROP TABLE {name}")
                for statement in _TABLES:
                    db.execute(statement)
                db.execute("INSERT INTO made_of VALUES (?)", (json.dumps([VERSION, self._mark]),))
            db.execute("COMMIT")
        except BaseException:
            db.close()
            raise
        return db

    def _delete(self) -> None:
        try:
            for name in (MAP, f"{MAP}-wal", f"{MAP}-shm"):
                self._path.with_name(name).unlink(missing_ok=True)
        except OSError as error:
            raise StorageError(f"{self._path}: is damaged and cannot be deleted: {error.strerror}") from None

    @contextmanager
    def _errors(self) -> Iterator[None]:
        with database_errors(self._path, "a map of ours", ", or delete it: it is made anew"):
            yield


def _mark_of(db: sqlite3.Connection) -> str:
    if not db.execute("SELECT 1 FROM sqlite_schema WHERE name = 'made_of'").fetchone():
        return ""
    row = db.execute("SELECT mark FROM made_of").fetchone()
    return str(row[0]) if row else ""


def _is_damaged(error: sqlite3.DatabaseError) -> bool:
    return getattr(error, "sqlite_errorcode", 0) & 0xFF in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
