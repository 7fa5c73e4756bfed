"""The schema of crawl.db, as named steps that are applied once each and in order. docs/reference/storage.md explains every column.

A step never changes after a release: a new need is a new step. ``PRAGMA user_version`` counts the steps applied.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from datetime import UTC, datetime

from focused.exceptions import StorageError
from focused.storage.plain_json import json_of_pickle


class OlderSchemaError(StorageError):
    """An older release has written the database."""


def create_tables(db: sqlite3.Connection) -> None:
    """The first schema: a journal of events by ``seq`` (seeds, requests, picks, fetches) and what they led to."""
    for statement in FIRST_SCHEMA.split(";\n\n"):
        db.execute(statement)


FIRST_SCHEMA = """
CREATE TABLE migrations (number INTEGER PRIMARY KEY, name TEXT NOT NULL, applied TEXT NOT NULL);

CREATE TABLE runs (
    id INTEGER PRIMARY KEY, started TEXT NOT NULL, ended TEXT, seconds REAL NOT NULL DEFAULT 0, reason TEXT,
    version TEXT NOT NULL, strategy TEXT NOT NULL, topic TEXT NOT NULL);

CREATE TABLE hosts (id INTEGER PRIMARY KEY, name TEXT NOT NULL, crawl_delay REAL);

CREATE TABLE urls (id INTEGER PRIMARY KEY, key INTEGER NOT NULL, host INTEGER NOT NULL, url TEXT NOT NULL);

CREATE TABLE seeds (seq INTEGER NOT NULL, url INTEGER NOT NULL);

CREATE TABLE requests (seq INTEGER PRIMARY KEY, url INTEGER NOT NULL, score REAL NOT NULL, request BLOB);

CREATE TABLE picks (
    seq INTEGER PRIMARY KEY, run INTEGER NOT NULL, url INTEGER NOT NULL, time TEXT NOT NULL, score REAL NOT NULL,
    parts TEXT NOT NULL, source INTEGER, depth INTEGER NOT NULL);

CREATE TABLE fetches (
    seq INTEGER PRIMARY KEY, run INTEGER NOT NULL, pick INTEGER NOT NULL, url INTEGER NOT NULL, final_url INTEGER,
    outcome TEXT NOT NULL,
    reason TEXT, status INTEGER, time TEXT NOT NULL, bytes INTEGER, content_type TEXT, language TEXT, title TEXT,
    relevance REAL, relevant INTEGER, content_hash TEXT, duplicate_of INTEGER, noindex INTEGER, truncated INTEGER,
    file TEXT, offset INTEGER, length INTEGER);

CREATE TABLE links (
    page INTEGER NOT NULL, position INTEGER NOT NULL, target INTEGER NOT NULL, anchor TEXT NOT NULL, score REAL);

CREATE TABLE drops (url INTEGER PRIMARY KEY, reason TEXT NOT NULL, seq INTEGER NOT NULL);

CREATE TABLE snapshots (seq INTEGER PRIMARY KEY, version TEXT NOT NULL, made TEXT NOT NULL, state BLOB NOT NULL);

CREATE VIEW history AS
SELECT f.seq, u.url, final.url AS final_url, f.outcome, f.reason, f.status, p.time AS picked, f.time AS fetched, f.bytes,
    f.content_type, f.language, f.title, p.depth, source.url AS found_on, p.score, p.parts, f.relevance, f.relevant,
    f.content_hash, original.url AS duplicate_of, f.noindex, f.truncated, f.file, f.offset, f.length, f.run
FROM fetches f
JOIN urls u ON u.id = f.url
JOIN picks p ON p.seq = f.pick
LEFT JOIN urls final ON final.id = f.final_url
LEFT JOIN urls source ON source.id = p.source
LEFT JOIN urls original ON original.id = f.duplicate_of;

CREATE VIEW failures AS
SELECT u.url, f.reason, f.status, f.time FROM fetches f JOIN urls u ON u.id = f.url WHERE f.outcome = 'failed';

CREATE VIEW dropped AS SELECT u.url, d.reason, d.seq FROM drops d JOIN urls u ON u.id = d.url
WHERE d.url NOT IN (SELECT url FROM picks);

CREATE VIEW host_totals AS
SELECT h.name AS host, count(*) AS fetches, sum(f.outcome = 'page') AS pages, sum(f.relevant) AS relevant,
    sum(f.outcome = 'failed') AS failures, sum(f.bytes) AS bytes, h.crawl_delay
FROM fetches f JOIN urls u ON u.id = f.url JOIN hosts h ON h.id = u.host
GROUP BY h.id
"""


def mark_rendered_pages(db: sqlite3.Connection) -> None:
    """Whether a page is what a browser made of it (NULL: the topic did not render), and where its plain response is kept."""
    for column in ("rendered INTEGER", "plain_file TEXT", "plain_offset INTEGER", "plain_length INTEGER"):
        db.execute(f"ALTER TABLE fetches ADD COLUMN {column}")
    columns = "f.rendered, f.plain_file, f.plain_offset, f.plain_length"
    _change_history(db, "f.length, f.run", f"f.length, {columns}, f.run")


def keep_backlinks(db: sqlite3.Connection) -> None:
    """Answers to the question who links to a URL: events of the journal, one row for each page that was named."""
    db.execute("CREATE TABLE backlinks (seq INTEGER NOT NULL, url INTEGER NOT NULL, backlink INTEGER)")


def keep_model_of_run(db: sqlite3.Connection) -> None:
    """Which trained model a run used (NULL: not known, as of all runs before)."""
    db.execute("ALTER TABLE runs ADD COLUMN model TEXT")


def keep_what_was_passed_over(db: sqlite3.Connection) -> None:
    """Whether a strategy chose another URL than the best (NULL: no, or not known, as of all picks before)."""
    db.execute("ALTER TABLE picks ADD COLUMN passed_over REAL")


def keep_stop_of_run(db: sqlite3.Connection) -> None:
    """Why a run ended as a name for machines (NULL: not known, as of all runs before), beside the sentence for a person."""
    db.execute("ALTER TABLE runs ADD COLUMN stop TEXT")


def save_requests_as_json(db: sqlite3.Connection) -> None:
    """Requests of the user's own were saved by pickle, which is code: those that hold plain values become JSON, others are NULL."""
    for seq, saved in db.execute("SELECT seq, request FROM requests WHERE request IS NOT NULL").fetchall():
        db.execute("UPDATE requests SET request = ? WHERE seq = ?", (json_of_pickle(bytes(saved)), seq))


def keep_robots_txts(db: sqlite3.Connection) -> None:
    """What servers said to robots.txt, so that a run that goes on need not ask again within a day."""
    db.execute(
        "CREATE TABLE robots (id INTEGER PRIMARY KEY, origin TEXT NOT NULL UNIQUE, status INTEGER, "
        "reason TEXT NOT NULL, tries INTEGER NOT NULL, fetched REAL NOT NULL, until REAL NOT NULL, body BLOB)"
    )


def keep_verdicts(db: sqlite3.Connection) -> None:
    """Why a page brings nothing new (NULL: it does, or is none). What a host answers for a page that cannot be is a ``probe``."""
    db.execute("ALTER TABLE fetches ADD COLUMN verdict TEXT")
    db.execute("UPDATE fetches SET verdict = 'exact copy' WHERE duplicate_of IS NOT NULL")
    _change_history(db, "f.noindex", "f.verdict, f.noindex")


def keep_manners(db: sqlite3.Connection) -> None:
    """When each host was asked last, and what it asked for when it was too busy: how long between requests, and until when none."""
    db.execute("CREATE TABLE manners (host TEXT PRIMARY KEY, asked TEXT, delay REAL, not_before TEXT)")


def keep_own_fields(db: sqlite3.Connection) -> None:
    """What the spider of somebody's own took out of a page, a JSON object by the number of the page's fetch."""
    db.execute("CREATE TABLE own_fields (seq INTEGER PRIMARY KEY, fields TEXT NOT NULL)")


def keep_kinds(db: sqlite3.Connection) -> None:
    """Whether a page only leads to others, or hardly says a word (NULL: it says something, is none, or came before this step)."""
    db.execute("ALTER TABLE fetches ADD COLUMN kind TEXT")
    _change_history(db, "f.verdict,", "f.verdict, f.kind,")


def tell_versions(db: sqlite3.Connection) -> None:
    """Pages that were asked for again: their answers are fetches with outcomes of their own, which the older views leave out."""
    again = "('changed', 'same', 'gone', 'missed')"
    first = "iif(f.outcome = 'page', f.final_url, f.url)"  # the id under which a page was fetched first
    history, totals = _sql_of(db, "history"), _sql_of(db, "host_totals")
    rows = history.partition(" AS\n")[2]
    db.execute("DROP VIEW history")
    db.execute("DROP VIEW host_totals")
    db.execute(f"{history}\nWHERE f.outcome NOT IN {again}")
    db.execute(totals.replace("GROUP BY", f"WHERE f.outcome NOT IN {again}\nGROUP BY"))
    db.execute(f"CREATE VIEW versions AS\n{rows}\nWHERE f.outcome IN ('page', 'changed')")
    newest = f"SELECT max(seq) FROM fetches f WHERE f.outcome IN ('page', 'changed') GROUP BY {first}"
    db.execute(f"CREATE VIEW newest AS\n{rows}\nWHERE f.seq IN ({newest})")
    db.execute(
        "CREATE VIEW revisits AS SELECT f.seq, u.url, f.outcome, f.reason, f.status, f.time, f.file, f.offset, f.length, f.run "
        f"FROM fetches f JOIN urls u ON u.id = f.url WHERE f.outcome IN {again}"
    )


def keep_status_of_run(db: sqlite3.Connection) -> None:
    """Where a run stood at its last commit, a JSON object: what only the crawl's memory knows, such as how many URLs wait."""
    db.execute("ALTER TABLE runs ADD COLUMN status TEXT")


def keep_steering(db: sqlite3.Connection) -> None:
    """What a person asked of the crawl while it ran, and said of its pages: events of the journal."""
    db.execute(
        "CREATE TABLE steering (seq INTEGER PRIMARY KEY, run INTEGER NOT NULL, time TEXT NOT NULL, kind TEXT NOT NULL, "
        "url INTEGER, argument TEXT NOT NULL, value TEXT NOT NULL, desk INTEGER NOT NULL)"
    )
    # A verdict names a page by its URL: without this, each would cost a look at all fetches.
    db.execute("CREATE INDEX first_pages ON fetches (final_url) WHERE outcome = 'page'")
    db.execute(
        "CREATE TABLE lessons (seq INTEGER PRIMARY KEY, run INTEGER NOT NULL, time TEXT NOT NULL, judged INTEGER NOT NULL, "
        "yes INTEGER NOT NULL, before REAL NOT NULL, after REAL NOT NULL, kept INTEGER NOT NULL, looked INTEGER NOT NULL, "
        "gained INTEGER NOT NULL, lost INTEGER NOT NULL)"
    )


def _change_history(db: sqlite3.Connection, old: str, new: str) -> None:
    """Make the view ``history`` anew, with another text in place of a part of its own."""
    view = _sql_of(db, "history")
    db.execute("DROP VIEW history")
    db.execute(view.replace(old, new))


def _sql_of(db: sqlite3.Connection, view: str) -> str:
    """The statement that made a view."""
    sql: str = db.execute("SELECT sql FROM sqlite_schema WHERE name = ?", (view,)).fetchone()[0]
    return sql


MIGRATIONS: tuple[Callable[[sqlite3.Connection], None], ...] = (
    create_tables,
    mark_rendered_pages,
    keep_backlinks,
    keep_model_of_run,
    keep_what_was_passed_over,
    keep_stop_of_run,
    save_requests_as_json,
    keep_manners,
    keep_robots_txts,
    keep_verdicts,
    keep_own_fields,
    keep_kinds,
    tell_versions,
    keep_status_of_run,
    keep_steering,
)


def migrate(db: sqlite3.Connection, path: str) -> None:
    """Bring a database to the newest schema, each step in a transaction of its own.

    Raises StorageError for a database that a newer release has written.
    """
    version = _version(db, path)
    for number, step in enumerate(MIGRATIONS[version:], version + 1):
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
    if version < len(MIGRATIONS):
        raise OlderSchemaError(
            f"{path}: written by an older release (schema {version} of {len(MIGRATIONS)}); run its crawl once more, which brings "
            "it up to date"
        )


def schema(db: sqlite3.Connection) -> int:
    """Steps applied so far; 0 of a database that is not ours."""
    version: int = db.execute("PRAGMA user_version").fetchone()[0]
    return version


def _version(db: sqlite3.Connection, path: str) -> int:
    """Steps applied so far; raises StorageError for more than there are."""
    version = schema(db)
    if version > len(MIGRATIONS):
        raise StorageError(
            f"{path}: written by a newer release (schema {version}, this one knows {len(MIGRATIONS)}); upgrade focused"
        )
    return version
