"""agent.db: what the browsing agent remembers, in a small file that only its owner may read, and that forgets for good.

The interest is made of the visits that are written here, so that whoever deletes visits has deleted what they told. What is
deleted is overwritten (SQLite's secure_delete). Whatever kills the process, a visit is there whole or not at all.
"""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import tomlkit
from tomlkit.exceptions import TOMLKitError

from focused.collection.collection import is_crawled
from focused.collection.desk import TEACH_PILE, Desk
from focused.collection.repository import storage_errors
from focused.collection.sqlite_errors import database_errors
from focused.desk.agent.interest import Matter
from focused.exceptions import StorageError, TopicError
from focused.topic.plain_files import read_text, shown_path
from focused.topic.topic_file import TopicFile

DIARY = "agent.db"
OWNER_ONLY = 0o600
MOST_VISITS = 1_000
LONGEST_VISIT = 600.0  #: seconds that are counted
SAME_VISIT = 1_800.0  #: seconds within which a page that is opened once more is the same visit
VERSION = 1
_SCHEMA = (
    """CREATE TABLE visits (
        id INTEGER PRIMARY KEY, url TEXT NOT NULL, host TEXT NOT NULL, title TEXT NOT NULL, began REAL NOT NULL,
        seconds REAL NOT NULL, words TEXT NOT NULL)""",
    "CREATE INDEX visits_by_url ON visits (url)",
    "CREATE TABLE manners (host TEXT PRIMARY KEY, asked TEXT, delay REAL, not_before TEXT)",
    "CREATE TABLE facts (name TEXT PRIMARY KEY, value TEXT NOT NULL)",
    f"PRAGMA user_version = {VERSION}",
)


@dataclass(frozen=True, slots=True)
class PageVisit:
    """A page that was read. Times are seconds, since 1970 where they are points in time."""

    url: str
    began: float
    seconds: float
    matter: Matter


class Diary:
    """The file of one collection. One process writes.

    folder : of the collection; made where there is none

    Raises StorageError, by every call, for a file that cannot be used.
    """

    def __init__(self, folder: Path, now: Callable[[], float]) -> None:
        self.path, self._now = folder / DIARY, now
        with storage_errors(folder, "make the folder"):
            folder.mkdir(parents=True, exist_ok=True)
            os.close(os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, OWNER_ONLY))
            self.path.chmod(OWNER_ONLY)  # SQLite gives its journal the rights of the database
        with self._errors():
            self._db = sqlite3.connect(self.path, isolation_level=None, check_same_thread=False, timeout=5)
            self._db.execute("PRAGMA secure_delete = ON")
            self._begin()

    def close(self) -> None:
        self._db.close()

    # Visits

    def visits(self) -> list[PageVisit]:
        """All visits, the oldest first."""
        rows = self.execute("SELECT url, began, seconds, words FROM visits ORDER BY began, id")
        return [PageVisit(url, began, seconds, _matter(words)) for url, began, seconds, words in rows]

    def knows(self, url: str) -> bool:
        """Whether a page was visited."""
        return bool(self.execute("SELECT 1 FROM visits WHERE url = ?", (url,)).fetchone())

    def visit(self, url: str, host: str, title: str, matter: Matter) -> None:
        """Write down that a page is being read; one that was open a moment ago goes on."""
        words = {word: [count, matter.written.get(word, word)] for word, count in matter.words.items()}
        text = json.dumps(words, ensure_ascii=False)
        latest = self._latest(url)
        if latest is not None:
            self.execute("UPDATE visits SET title = ?, words = ? WHERE id = ?", (title, text, latest))
            return
        row = (url, host, title, self._now(), 0.0, text)
        self.execute("INSERT INTO visits (url, host, title, began, seconds, words) VALUES (?, ?, ?, ?, ?, ?)", row)
        keep = "SELECT id FROM visits ORDER BY began DESC, id DESC LIMIT ?"
        self.execute(f"DELETE FROM visits WHERE id NOT IN ({keep})", (MOST_VISITS,))

    def spend(self, url: str, seconds: float) -> bool:
        """Add time to the visit of a page; False where there is none, such as one that was forgotten."""
        latest = self._latest(url)
        if latest is None:
            return False
        more = "UPDATE visits SET seconds = min(?, seconds + ?) WHERE id = ?"
        self.execute(more, (LONGEST_VISIT, max(0.0, seconds), latest))
        return True

    # Forgetting

    def forget_all(self) -> None:
        """Forget all visits, and what hosts wished."""
        self._forget("1", "1", ())

    def forget_since(self, moment: float) -> None:
        """Forget what began, or went on, after a time."""
        self._forget("began + seconds >= ?", "unixepoch(asked) >= ?", (moment,))

    def forget_site(self, host: str) -> None:
        """Forget a host and those below it."""
        below = "host = ?1 OR substr(host, -length(?1) - 1) = '.' || ?1"
        self._forget(below, below, (host,))

    def _forget(self, visits: str, manners: str, values: Sequence[object]) -> None:
        with self._errors():
            self._db.execute("BEGIN IMMEDIATE")
            self._db.execute(f"DELETE FROM visits WHERE {visits}", tuple(values))
            self._db.execute(f"DELETE FROM manners WHERE {manners}", tuple(values))
            self._db.execute("COMMIT")

    # What else is kept

    def fact(self, name: str) -> str:
        """A fact; empty where it was never told."""
        row = self.execute("SELECT value FROM facts WHERE name = ?", (name,)).fetchone()
        return str(row[0]) if row else ""

    def tell(self, name: str, value: str) -> None:
        self.execute("INSERT OR REPLACE INTO facts VALUES (?, ?)", (name, value))

    def execute(self, query: str, values: Sequence[object] = ()) -> sqlite3.Cursor:
        """A statement, committed at once; the wishes of hosts are kept this way too (`Courtesy`)."""
        with self._errors():
            return self._db.execute(query, tuple(values))

    def _latest(self, url: str) -> int | None:
        since = self._now() - SAME_VISIT
        query = "SELECT id FROM visits WHERE url = ? AND began + seconds >= ? ORDER BY id DESC LIMIT 1"
        row = self.execute(query, (url, since)).fetchone()
        return int(row[0]) if row else None

    def _begin(self) -> None:
        version: int = self._db.execute("PRAGMA user_version").fetchone()[0]
        if version > VERSION:
            raise StorageError(f"{self.path}: written by a newer release; upgrade focused")
        if not version:
            self._db.execute("BEGIN IMMEDIATE")
            for statement in _SCHEMA:
                self._db.execute(statement)
            self._db.execute("COMMIT")

    def _errors(self) -> Any:
        return database_errors(
            self.path, f"an {DIARY}", f"; or delete {DIARY}: what you read is forgotten, the rest stays"
        )


def _matter(text: str) -> Matter:
    """The words of a visit; none of a damaged one."""
    words: dict[str, int] = {}
    written: dict[str, str] = {}
    with suppress(ValueError, TypeError, AttributeError):
        for word, (count, form) in json.loads(text).items():
            words[word], written[word] = int(count), str(form)
    return Matter(words, written)


def keep_page(url: str, file: TopicFile, folder: Path) -> str:
    """Keep the page at a canonical URL; say what became of it.

    file : of the topic
    folder : of the collection

    Raises TopicError where the topic file cannot be written, StorageError where the desk cannot.
    """
    before = read_text(file.path)
    after = with_seed(before, url)
    if after != before:
        _replace(file, after)
    desk = Desk(folder)
    desk.judge([(url, TEACH_PILE, True)])
    if is_crawled(folder):
        desk.ask("raise_url", url)
        return "kept: the running crawl fetches it next"
    return "kept: the next crawl fetches it" if after != before else "it was kept already"


def with_seed(text: str, url: str) -> str:
    """The text of a topic file with one more seed, and nothing else changed. Raises TopicError for one that is no topic."""
    try:
        document = tomlkit.parse(text)
        seeds = document["topic"].setdefault("seeds", tomlkit.array())
        if url not in seeds:
            seeds.add_line(url)
            if not seeds.as_string().rstrip("]").endswith("\n"):
                seeds.add_line(indent="")
        return tomlkit.dumps(document)
    except (TOMLKitError, AttributeError, KeyError, TypeError):
        raise TopicError("the topic file has no list of seeds that can be added to") from None


def _replace(file: TopicFile, text: str) -> None:
    """Write a file anew: whoever reads it finds the old one or the new one."""
    path = file.path
    if not isinstance(path, Path):
        raise TopicError(f"{file}: cannot be written to; copy it into a folder that FOCUSED_TOPICS_DIR names")
    new = path.with_name(f".{path.name}.{os.getpid()}.new")
    try:
        new.write_text(text, encoding="utf-8")
        new.chmod(path.stat().st_mode & 0o777)
        new.replace(path.resolve())
    except OSError as error:
        with suppress(OSError):
            new.unlink(missing_ok=True)
        raise TopicError(f"{shown_path(path)}: cannot be written: {error.strerror}") from None
