"""desk.db: what people say of a collection and ask of its crawl, in a small database beside crawl.db.

Verdicts, tags, notes, names of themes and saved searches are kept by the text of a URL, so that they outlive the crawl: a fresh
start leaves them where they are. Commands wait here until the crawl takes them at its next commit.
"""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from urllib.parse import quote

from focused.collection.repository import storage_errors
from focused.collection.sqlite_errors import database_errors
from focused.crawl.standing_orders import OrderKind
from focused.exceptions import StorageError
from focused.page.plain_text import JOINERS, plain, printable

#: The schema, as steps that are applied once each and in order; ``PRAGMA user_version`` counts them. A step never changes after a
#: release: a new need is a new step. docs/reference/storage.md explains every column.
STEPS: tuple[tuple[str, ...], ...] = (
    (
        """CREATE TABLE verdicts (
            seq INTEGER NOT NULL UNIQUE, url TEXT NOT NULL, pile TEXT NOT NULL, relevant INTEGER, time TEXT NOT NULL,
            PRIMARY KEY (url, pile))""",
        "CREATE TABLE tags (url TEXT NOT NULL, name TEXT NOT NULL, time TEXT NOT NULL, PRIMARY KEY (url, name))",
        "CREATE TABLE notes (url TEXT PRIMARY KEY, text TEXT NOT NULL, time TEXT NOT NULL)",
        "CREATE TABLE names (key TEXT PRIMARY KEY, text TEXT NOT NULL, time TEXT NOT NULL)",
        "CREATE TABLE searches (name TEXT PRIMARY KEY, query TEXT NOT NULL, time TEXT NOT NULL)",
        """CREATE TABLE commands (
            id INTEGER PRIMARY KEY, kind TEXT NOT NULL, argument TEXT NOT NULL, value TEXT NOT NULL, time TEXT NOT NULL,
            state TEXT NOT NULL DEFAULT 'waiting', answer TEXT NOT NULL DEFAULT '')""",
        "CREATE INDEX waiting_commands ON commands (id) WHERE state = 'waiting'",
    ),
    (
        """CREATE TABLE looks (
            reader TEXT PRIMARY KEY, mark TEXT NOT NULL, seq INTEGER NOT NULL, number INTEGER NOT NULL, time TEXT NOT NULL)""",
    ),
    (
        """CREATE TABLE placements (
            url TEXT PRIMARY KEY, accepted INTEGER NOT NULL, category TEXT NOT NULL, time TEXT NOT NULL)""",
    ),
)


def bring_up_to_date(db: sqlite3.Connection, path: str) -> None:
    """Apply the steps that are missing; whoever calls holds the right to write."""
    for number, statements in enumerate(STEPS[_steps(db, path) :], _steps(db, path) + 1):
        for statement in statements:
            db.execute(statement)
        db.execute(f"PRAGMA user_version = {number}")


def _steps(db: sqlite3.Connection, path: str) -> int:
    """How many steps have been applied. Raises StorageError for a desk that a newer release has written."""
    number: int = db.execute("PRAGMA user_version").fetchone()[0]
    if number > len(STEPS):
        raise StorageError(
            f"{path}: written by a newer release (schema {number}, this one knows {len(STEPS)}); upgrade focused"
        )
    return number


DESK = "desk.db"
LOCK_SECONDS = 10.0  #: for which another process that is writing is waited for
#: Seconds after which the time of a file tells two writes apart on every file system (FAT counts in steps of 2).
SETTLED = 2.5

Stamp = tuple[int, int, int]


class DeskFile:
    """desk.db of one collection. Any number of processes and threads may use it: each call opens the file anew.

    folder : of the collection; where there is no desk.db all is empty, and the first thing that is said makes one

    Every call raises StorageError for a file that is damaged, of a newer release, or locked for `LOCK_SECONDS`. A call that writes
    raises it for a folder that is read-only, too.
    """

    def __init__(self, folder: Path, lock_seconds: float = LOCK_SECONDS) -> None:
        self.path, self.lock_seconds = folder / DESK, lock_seconds

    def stamp(self) -> Stamp | None:
        """What changes with each write; None without a desk.db. A file written just now has a stamp that no other look gives."""
        try:
            found = self.path.stat()
        except OSError:
            return None
        settled = abs(time.time() - found.st_mtime) > SETTLED
        return (found.st_ino, found.st_mtime_ns, found.st_size if settled else -time.monotonic_ns())

    def rows(self, query: str, values: Sequence[object] = ()) -> list[tuple[Any, ...]]:
        if not self.path.exists():
            return []
        with self._errors(), closing(self._connect()) as db:
            return db.execute(query, tuple(values)).fetchall() if _steps(db, str(self.path)) else []

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """All that the block writes, or nothing."""
        with storage_errors(self.path.parent, "make the folder"):
            self.path.parent.mkdir(parents=True, exist_ok=True)
        with self._errors(), closing(self._connect(make=True)) as db:
            db.execute("BEGIN IMMEDIATE")
            bring_up_to_date(db, str(self.path))
            yield db
            db.execute("COMMIT")  # what is not committed is rolled back as the file is closed

    def _connect(self, *, make: bool = False) -> sqlite3.Connection:
        # A journal that is rolled back, unlike a WAL, leaves one file to copy, which can also be read where nobody may write.
        writable = make or (os.access(self.path, os.W_OK) and os.access(self.path.parent, os.W_OK))
        mode = "rwc" if make else "rw" if writable else "ro&immutable=1"
        uri = f"file:{quote(self.path.as_posix())}?mode={mode}"
        return sqlite3.connect(uri, uri=True, timeout=self.lock_seconds, isolation_level=None)

    @contextmanager
    def _errors(self) -> Iterator[None]:
        help_ = f"; without one move {DESK} away: its verdicts, tags and notes are lost, the crawl is not"
        with database_errors(self.path, f"a {DESK}", help_):
            yield


AUDIT_PILE, TEACH_PILE = "audit", "teach"
PILES = (AUDIT_PILE, TEACH_PILE)
#: What can be asked of a crawl, and what is said with it: an argument, a value, or nothing.
PAUSE, RESUME, STOP = "pause", "resume", "stop"
OF_RUN = (PAUSE, RESUME, STOP)  #: commands for the run that is under way, and no other
KINDS = (*OF_RUN, *OrderKind)
WAITING, DONE, REFUSED = "waiting", "done", "refused"  #: states of a command

LONGEST_NAME, LONGEST_NOTE = 200, 20_000  #: characters of a tag or name, and of a note


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a person said of a page."""

    seq: int  #: grows with each verdict, also when a page is judged once more
    url: str
    pile: str  #: one of `PILES`
    relevant: bool
    time: str  #: ISO 8601, UTC


@dataclass(frozen=True, slots=True)
class SavedSearch:
    name: str
    query_string: str


@dataclass(frozen=True, slots=True)
class SteeringCommand:
    """A command for the crawl, and what became of it."""

    id: int
    kind: str  #: one of `KINDS`
    argument: str  #: the URL or host it is about
    value: str
    time: str
    state: str  #: ``waiting``, ``done`` or ``refused``
    answer: str  #: of the crawl, one line


class Desk(DeskFile):
    """The desk of one collection."""

    # Verdicts

    def verdicts(self, pile: str | None = None) -> list[Verdict]:
        """All verdicts, of one pile or of both, in the order in which they were given."""
        return [
            Verdict(seq, url, of, bool(relevant), when)
            for seq, url, of, relevant, when in self.rows(
                "SELECT seq, url, pile, relevant, time FROM verdicts WHERE relevant IS NOT NULL AND pile = coalesce(?, pile) "
                "ORDER BY seq",
                (pile,),
            )
        ]

    def verdicts_after(self, seq: int, pile: str) -> list[tuple[int, str, bool | None]]:
        """Number, URL and verdict of each that was given, or taken back (None), after the one with this number."""
        rows = self.rows("SELECT seq, url, relevant FROM verdicts WHERE seq > ? AND pile = ? ORDER BY seq", (seq, pile))
        return [(number, url, None if relevant is None else bool(relevant)) for number, url, relevant in rows]

    def judge(self, verdicts: Sequence[tuple[str, str, bool | None]]) -> None:
        """Keep what a person says of pages: URL, pile, and yes, no, or None to take back what was said before."""
        for _, pile, _ in verdicts:
            if pile not in PILES:
                raise StorageError(f"there is no pile {plain(pile, 20)!r}: it is {' or '.join(PILES)}")
        with self.writing() as db:
            seq = _next(db, "SELECT max(seq) FROM verdicts")
            rows = [
                (seq + i, _text(url), pile, None if said is None else int(said), _now())
                for i, (url, pile, said) in enumerate(verdicts)
            ]
            db.executemany("INSERT OR REPLACE INTO verdicts VALUES (?, ?, ?, ?, ?)", rows)

    # Tags, notes, names and searches

    def tags(self) -> dict[str, list[str]]:
        """By URL: its tags in the order of the alphabet."""
        found: dict[str, list[str]] = {}
        for url, name in self.rows("SELECT url, name FROM tags ORDER BY url, name"):
            found.setdefault(url, []).append(name)
        return found

    def tag(self, url: str, name: str) -> None:
        name = _name(name, "a tag")
        with self.writing() as db:
            db.execute("INSERT OR IGNORE INTO tags VALUES (?, ?, ?)", (_text(url), name, _now()))

    def untag(self, url: str, name: str) -> None:
        with self.writing() as db:
            db.execute("DELETE FROM tags WHERE url = ? AND name = ?", (_text(url), _line(name)))

    def notes(self) -> dict[str, str]:
        """By URL: what a person wrote of it; may have several lines."""
        return dict(self.rows("SELECT url, text FROM notes"))

    def note(self, url: str, text: str) -> None:
        """Write something of a URL in place of what was written before; an empty text deletes it."""
        text = printable(_text(text).replace("\r\n", "\n"), f"\n\t{JOINERS}").strip()[:LONGEST_NOTE]
        with self.writing() as db:
            _set(db, "notes", _text(url), text)

    def names(self) -> dict[str, str]:
        """By key: the name that a person gave to a theme of the map."""
        return dict(self.rows("SELECT key, text FROM names"))

    def name(self, key: str, text: str) -> None:
        """Give a name; an empty one takes it back."""
        with self.writing() as db:
            _set(db, "names", _text(key), _line(text))

    def searches(self) -> list[SavedSearch]:
        return [SavedSearch(*row) for row in self.rows("SELECT name, query FROM searches ORDER BY name")]

    def save_search(self, name: str, query_string: str) -> None:
        name = _name(name, "a saved search")
        with self.writing() as db:
            db.execute("INSERT OR REPLACE INTO searches VALUES (?, ?, ?)", (name, _text(query_string), _now()))

    def forget_search(self, name: str) -> None:
        with self.writing() as db:
            db.execute("DELETE FROM searches WHERE name = ?", (_line(name),))

    # Commands

    def ask(self, kind: str, argument: str = "", value: str = "") -> int:
        """Ask something of the crawl; return the number of the command, which no other will ever have."""
        if kind not in KINDS:
            raise StorageError(f"there is no command {plain(kind, 20)!r}: {', '.join(KINDS)}")
        with self.writing() as db:
            number = _next(db, "SELECT max(id) FROM commands")
            db.execute(
                "INSERT INTO commands (id, kind, argument, value, time) VALUES (?, ?, ?, ?, ?)",
                (number, kind, _text(argument), _text(value), _now()),
            )
        return number

    def commands(self, most: int = 50) -> list[SteeringCommand]:
        """The newest commands and what became of them, newest first."""
        return self._asked("ORDER BY id DESC LIMIT ?", (most,))

    def waiting(self) -> list[SteeringCommand]:
        """Commands that no crawl has taken yet, oldest first."""
        return self._asked(f"WHERE state = '{WAITING}' ORDER BY id", ())

    def taken(self, answers: Mapping[int, tuple[str, str]]) -> None:
        """Write down what became of commands: by number, `DONE` or `REFUSED`, and one line. By the crawl only."""
        with self.writing() as db:
            rows = [(state, plain(_text(answer)), number) for number, (state, answer) in answers.items()]
            db.executemany("UPDATE commands SET state = ?, answer = ? WHERE id = ?", rows)

    def _asked(self, which: str, values: tuple[int, ...]) -> list[SteeringCommand]:
        rows = self.rows(f"SELECT id, kind, argument, value, time, state, answer FROM commands {which}", values)
        return [SteeringCommand(*row) for row in rows]


def _set(db: sqlite3.Connection, table: str, key: str, text: str) -> None:
    """Write a text in place of the one before; an empty one deletes it."""
    if text:
        db.execute(f"INSERT OR REPLACE INTO {table} VALUES (?, ?, ?)", (key, text, _now()))
    else:
        db.execute(f"DELETE FROM {table} WHERE {'url' if table == 'notes' else 'key'} = ?", (key,))


def _next(db: sqlite3.Connection, highest: str) -> int:
    """A number above all others, also above those of a desk that was deleted: microseconds since 1970."""
    return max(int(time.time() * 1e6), (db.execute(highest).fetchone()[0] or 0) + 1)


def _name(name: str, what: str) -> str:
    """A name on one line. Raises StorageError for an empty one."""
    if not (line := _line(name)):
        raise StorageError(f"{what} needs a name")
    return line


def _line(text: str) -> str:
    return plain(_text(text), LONGEST_NAME).strip()


def _text(text: str) -> str:
    """A text that SQLite can keep: halves of characters have no UTF-8."""
    return text.encode("utf-8", "replace").decode()


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
