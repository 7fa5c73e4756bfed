"""The schema of crawl.db, and named steps that change it. docs/reference/storage.md explains every column.

A step never changes after a release: a new need is a new step. ``PRAGMA user_version`` is the number of the last step.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from datetime import UTC, datetime

from focused.exceptions import StorageError


class OlderSchemaError(StorageError):
    """An older release has written the database."""


AGAIN = "('changed', 'same', 'gone', 'missed')"  #: outcomes of pages that were asked for once more
AGAIN_OR_DROPPED = AGAIN.replace(")", ", 'dropped change')")
ROWS = """
SELECT f.seq, u.url, final.url AS final_url, f.outcome, f.reason, f.status, p.time AS picked, f.time AS fetched, f.bytes,
    f.content_type, f.language, f.title, p.depth, source.url AS found_on, p.score, p.parts, f.relevance, f.relevant,
    f.content_hash, original.url AS duplicate_of, f.verdict, f.kind, f.noindex, f.truncated, f.file, f.offset, f.length,
    f.rendered, f.plain_file, f.plain_offset, f.plain_length, f.run
FROM fetches f
JOIN urls u ON u.id = f.url
JOIN picks p ON p.seq = f.pick
LEFT JOIN urls final ON final.id = f.final_url
LEFT JOIN urls source ON source.id = p.source
LEFT JOIN urls original ON original.id = f.duplicate_of
"""
#: A journal of events by ``seq`` (seeds, requests, picks, fetches, backlinks, steering) and what they led to.
SCHEMA = f"""
CREATE TABLE migrations (number INTEGER PRIMARY KEY, name TEXT NOT NULL, applied TEXT NOT NULL);

CREATE TABLE runs (
    id INTEGER PRIMARY KEY, started TEXT NOT NULL, ended TEXT, seconds REAL NOT NULL DEFAULT 0, reason TEXT,
    version TEXT NOT NULL, strategy TEXT NOT NULL, topic TEXT NOT NULL, model TEXT, stop TEXT, status TEXT);

CREATE TABLE hosts (id INTEGER PRIMARY KEY, name TEXT NOT NULL, crawl_delay REAL);

CREATE TABLE urls (id INTEGER PRIMARY KEY, key INTEGER NOT NULL, host INTEGER NOT NULL, url TEXT NOT NULL);

CREATE TABLE seeds (seq INTEGER NOT NULL, url INTEGER NOT NULL);

CREATE TABLE requests (seq INTEGER PRIMARY KEY, url INTEGER NOT NULL, score REAL NOT NULL, request BLOB);

CREATE TABLE picks (
    seq INTEGER PRIMARY KEY, run INTEGER NOT NULL, url INTEGER NOT NULL, time TEXT NOT NULL, score REAL NOT NULL,
    parts TEXT NOT NULL, source INTEGER, depth INTEGER NOT NULL, passed_over REAL);

CREATE TABLE fetches (
    seq INTEGER PRIMARY KEY, run INTEGER NOT NULL, pick INTEGER NOT NULL, url INTEGER NOT NULL, final_url INTEGER,
    outcome TEXT NOT NULL,
    reason TEXT, status INTEGER, time TEXT NOT NULL, bytes INTEGER, content_type TEXT, language TEXT, title TEXT,
    relevance REAL, relevant INTEGER, content_hash TEXT, duplicate_of INTEGER, noindex INTEGER, truncated INTEGER,
    file TEXT, offset INTEGER, length INTEGER, rendered INTEGER, plain_file TEXT, plain_offset INTEGER, plain_length INTEGER,
    verdict TEXT, kind TEXT);

CREATE TABLE links (
    page INTEGER NOT NULL, position INTEGER NOT NULL, target INTEGER NOT NULL, anchor TEXT NOT NULL, score REAL);

CREATE TABLE drops (url INTEGER PRIMARY KEY, reason TEXT NOT NULL, seq INTEGER NOT NULL);

CREATE TABLE snapshots (seq INTEGER PRIMARY KEY, version TEXT NOT NULL, made TEXT NOT NULL, state BLOB NOT NULL);

CREATE TABLE backlinks (seq INTEGER NOT NULL, url INTEGER NOT NULL, backlink INTEGER);

CREATE TABLE manners (host TEXT PRIMARY KEY, asked TEXT, delay REAL, not_before TEXT);

CREATE TABLE robots (
    id INTEGER PRIMARY KEY, origin TEXT NOT NULL UNIQUE, status INTEGER, reason TEXT NOT NULL, tries INTEGER NOT NULL,
    fetched REAL NOT NULL, until REAL NOT NULL, body BLOB);

CREATE TABLE own_fields (seq INTEGER PRIMARY KEY, fields TEXT NOT NULL);

CREATE TABLE steering (
    seq INTEGER PRIMARY KEY, run INTEGER NOT NULL, time TEXT NOT NULL, kind TEXT NOT NULL, url INTEGER, argument TEXT NOT NULL,
    value TEXT NOT NULL, desk INTEGER NOT NULL);

CREATE TABLE lessons (
    seq INTEGER PRIMARY KEY, run INTEGER NOT NULL, time TEXT NOT NULL, judged INTEGER NOT NULL, yes INTEGER NOT NULL,
    before REAL NOT NULL, after REAL NOT NULL, kept INTEGER NOT NULL, looked INTEGER NOT NULL, gained INTEGER NOT NULL,
    lost INTEGER NOT NULL);

CREATE INDEX first_pages ON fetches (final_url) WHERE outcome = 'page';

CREATE VIEW history AS {ROWS} WHERE f.outcome NOT IN {AGAIN};

CREATE VIEW failures AS
SELECT u.url, f.reason, f.status, f.time FROM fetches f JOIN urls u ON u.id = f.url WHERE f.outcome = 'failed';

CREATE VIEW dropped AS SELECT u.url, d.reason, d.seq FROM drops d JOIN urls u ON u.id = d.url
WHERE d.url NOT IN (SELECT url FROM picks);

CREATE VIEW host_totals AS
SELECT h.name AS host, count(*) AS fetches, sum(f.outcome = 'page') AS pages, sum(f.relevant) AS relevant,
    sum(f.outcome = 'failed') AS failures, sum(f.bytes) AS bytes, h.crawl_delay
FROM fetches f JOIN urls u ON u.id = f.url JOIN hosts h ON h.id = u.host
WHERE f.outcome NOT IN {AGAIN}
GROUP BY h.id;

CREATE VIEW versions AS {ROWS} WHERE f.outcome IN ('page', 'changed');

CREATE VIEW newest AS {ROWS} WHERE f.seq IN (
    SELECT max(seq) FROM fetches f WHERE f.outcome IN ('page', 'changed')
    GROUP BY iif(f.outcome = 'page', f.final_url, f.url));

CREATE VIEW revisits AS
SELECT f.seq, u.url, f.outcome, f.reason, f.status, f.time, f.file, f.offset, f.length, f.run
FROM fetches f JOIN urls u ON u.id = f.url WHERE f.outcome IN {AGAIN}
"""


def create_tables(db: sqlite3.Connection) -> None:
    """The schema of release 0.2."""
    for statement in SCHEMA.split(";\n\n"):
        db.execute(statement)


def keep_content_signals(db: sqlite3.Connection) -> None:
    """What the robots.txt of a page's origin said of its use."""
    db.execute("ALTER TABLE fetches ADD COLUMN signals TEXT")
    for view in ("history", "versions", "newest"):
        (sql,) = db.execute("SELECT sql FROM sqlite_master WHERE name = ?", (view,)).fetchone()
        db.execute(f"DROP VIEW {view}")
        db.execute(sql.replace("f.run\nFROM fetches f", "f.run, f.signals\nFROM fetches f", 1))


def keep_dropped_pages_at_hand(db: sqlite3.Connection) -> None:
    """Pages that the pipelines have not stored, until a snapshot knows what they led to."""
    db.execute("CREATE TABLE at_hand (seq INTEGER PRIMARY KEY, content_type TEXT, robots TEXT, body BLOB NOT NULL)")


def count_dropped_pages_apart(db: sqlite3.Connection) -> None:
    """A dropped page is not relevant of its host's pages; a dropped new version came of asking once more."""
    for view, before, after in (
        ("history", AGAIN, AGAIN_OR_DROPPED),
        ("revisits", AGAIN, AGAIN_OR_DROPPED),
        ("host_totals", AGAIN, AGAIN_OR_DROPPED),
        ("host_totals", "sum(f.relevant)", "sum(f.relevant AND f.outcome = 'page')"),
    ):
        (sql,) = db.execute("SELECT sql FROM sqlite_master WHERE name = ?", (view,)).fetchone()
        db.execute(f"DROP VIEW {view}")
        db.execute(sql.replace(before, after))


FIRST = 15  #: number of this step: before 0.2 there were others, and nobody has such a database
STEPS: tuple[Callable[[sqlite3.Connection], None], ...] = (
    create_tables,
    keep_content_signals,
    keep_dropped_pages_at_hand,
    count_dropped_pages_apart,
)


def newest() -> int:
    """The number of the last step."""
    return FIRST + len(STEPS) - 1


def migrate(db: sqlite3.Connection, path: str) -> None:
    """Bring a database to the newest schema, each step in a transaction of its own.

    Raises StorageError for a database that a newer release has written, or one before 0.2.
    """
    version = _version(db, path)
    for number, step in enumerate(STEPS, FIRST):
        if number <= version:
            continue
        with db:
            db.execute("BEGIN IMMEDIATE")
            step(db)
            now = datetime.now(UTC).isoformat(timespec="seconds")
            db.execute("INSERT INTO migrations VALUES (?, ?, ?)", (number, step.__name__, now))
            db.execute(f"PRAGMA user_version = {number}")


def require_newest(db: sqlite3.Connection, path: str) -> None:
    """Raise StorageError for a database that is only to be read and whose schema is not the newest."""
    version = _version(db, path)
    if not version:
        raise StorageError(
            f"{path}: no crawl has written to it: it is empty, or not a crawl.db; put a copy back, or start anew with "
            "-a fresh=true"
        )
    if version < newest():
        raise OlderSchemaError(
            f"{path}: written by an older release (schema {version} of {newest()}); run its crawl once more, which brings "
            "it up to date"
        )


def schema(db: sqlite3.Connection) -> int:
    """Number of the last step applied; 0 of a database that is not ours."""
    version: int = db.execute("PRAGMA user_version").fetchone()[0]
    return version


def _version(db: sqlite3.Connection, path: str) -> int:
    """Number of the last step applied; raises StorageError for one that this release does not know."""
    version = schema(db)
    if version > newest():
        raise StorageError(
            f"{path}: written by a newer release (schema {version}, this one knows {newest()}); upgrade focused"
        )
    if 0 < version < FIRST:
        raise StorageError(
            f"{path}: written before release 0.2, which reads no such database; start anew: -a fresh=true"
        )
    return version
