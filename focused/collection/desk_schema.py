"""The schema of desk.db, as steps that are applied once each and in order; ``PRAGMA user_version`` counts them.

A step never changes after a release: a new need is a new step. docs/reference/storage.md explains every column.
"""

from __future__ import annotations

import sqlite3

from focused.exceptions import StorageError

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


def is_begun(db: sqlite3.Connection, path: str) -> bool:
    """Whether the first step has been applied. Raises StorageError for a desk that a newer release has written."""
    return _steps(db, path) > 0


def bring_up_to_date(db: sqlite3.Connection, path: str) -> None:
    """Apply the steps that are missing; whoever calls holds the right to write."""
    for number, statements in enumerate(STEPS[_steps(db, path) :], _steps(db, path) + 1):
        for statement in statements:
            db.execute(statement)
        db.execute(f"PRAGMA user_version = {number}")


def _steps(db: sqlite3.Connection, path: str) -> int:
    """Steps applied so far."""
    number: int = db.execute("PRAGMA user_version").fetchone()[0]
    if number > len(STEPS):
        raise StorageError(
            f"{path}: written by a newer release (schema {number}, this one knows {len(STEPS)}); upgrade focused"
        )
    return number
