"""portal.db: what the last portal of a collection was made of, beside crawl.db. It may be thrown away."""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, closing, contextmanager
from dataclasses import astuple, fields
from pathlib import Path
from urllib.parse import quote

from focused.collection.sqlite_errors import database_errors
from focused.desk.portal.entry import Entry
from focused.page.page_text import VERSION as TEXT_VERSION

PORTAL = "portal.db"
VERSION = 1  #: of its tables, and of what is kept of a page
LOCK_SECONDS = 30.0
_COLUMNS = ", ".join(one.name for one in fields(Entry))
_IN_SHORT = _COLUMNS.replace("words", "'[]'")  #: they are most of an entry
_TABLES = (
    f"CREATE TABLE entries ({_COLUMNS.replace('number', 'number INTEGER PRIMARY KEY').replace('url', 'url TEXT UNIQUE')})",
    "CREATE TABLE names (url TEXT PRIMARY KEY, name TEXT NOT NULL)",
    "CREATE TABLE made_of (mark TEXT NOT NULL)",
)


class PortalMemory:
    """The portal.db of a collection; in memory alone where nobody may write to its folder.

    mark : what tells the collection from another one that may lie here; of another one nothing is remembered
    Raises StorageError.
    """

    def __init__(self, folder: Path, mark: str) -> None:
        self._path = folder / PORTAL
        self._mark = _mark(mark)
        with self._errors():
            self._db = self._opened()

    def close(self) -> None:
        self._db.close()

    def entries(self) -> dict[str, Entry]:
        """By URL."""
        with self._errors():
            return {row[1]: Entry(*row) for row in self._db.execute(f"SELECT {_COLUMNS} FROM entries")}

    def next_number(self) -> int:
        """A number that no entry had."""
        with self._errors():
            (number,) = self._db.execute("SELECT coalesce(max(number), -1) + 1 FROM entries").fetchone()
        return int(number)

    def keep(self, entries: Iterable[Entry]) -> None:
        """Remember entries in place of earlier ones of the same URLs. Entries that are no longer shown stay, with their numbers."""
        marks = ", ".join("?" for _ in fields(Entry))
        with self._errors(), self._db:
            self._db.executemany(f"INSERT OR REPLACE INTO entries VALUES ({marks})", map(astuple, entries))

    def names(self) -> dict[str, str]:
        """Names of themes, by the URL of a page in them."""
        with self._errors():
            return dict(self._db.execute("SELECT url, name FROM names"))

    def keep_names(self, names: Mapping[str, str]) -> None:
        """Remember names in place of all earlier ones."""
        with self._errors(), self._db:
            self._db.execute("DELETE FROM names")
            self._db.executemany("INSERT INTO names VALUES (?, ?)", names.items())

    @classmethod
    def remembered(cls, folder: Path, mark: str) -> dict[str, Entry]:
        """The entries of the last portal by URL, without words; empty where there was none. Nothing is written."""
        path = folder / PORTAL
        if not path.is_file():
            return {}
        with cls._errors_of(path), closing(sqlite3.connect(f"file:{quote(path.as_posix())}?mode=ro", uri=True)) as db:
            if db.execute("SELECT mark FROM made_of").fetchone() != (_mark(mark),):
                return {}
            return {row[1]: Entry(*row) for row in db.execute(f"SELECT {_IN_SHORT} FROM entries")}

    def _opened(self) -> sqlite3.Connection:
        is_kept = os.access(self._path.parent, os.W_OK)
        db = sqlite3.connect(self._path if is_kept else ":memory:", timeout=LOCK_SECONDS)
        try:
            found = db.execute("SELECT 1 FROM sqlite_schema WHERE name = 'made_of'").fetchone()
            if not found or db.execute("SELECT mark FROM made_of").fetchone() != (self._mark,):
                for table in ("entries", "names", "made_of"):
                    db.execute(f"DROP TABLE IF EXISTS {table}")
                for statement in _TABLES:
                    db.execute(statement)
                db.execute("INSERT INTO made_of VALUES (?)", (self._mark,))
                db.commit()
        except BaseException:
            db.close()
            raise
        return db

    def _errors(self) -> AbstractContextManager[None]:
        return self._errors_of(self._path)

    @staticmethod
    @contextmanager
    def _errors_of(path: Path) -> Iterator[None]:
        with database_errors(path, "what a portal was made of", ", or delete it: pages are read again"):
            yield


def _mark(of_collection: str) -> str:
    return json.dumps([VERSION, TEXT_VERSION, of_collection])
