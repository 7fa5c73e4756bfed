"""Is crawl.db whole: as SQLite sees it, and as a journal that can be replayed."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator

from focused.collection.check.damage import Findings
from focused.collection.snapshot import decode
from focused.collection.store import IS_AGAIN, IS_VERSION, JOURNAL, last_event

MOST_ERRORS = 20  #: of SQLite's that are told
OF_INDEX = (" missing from index ", "wrong # of entries in index ", "non-unique entry in index ")
REPAIRED = "repaired"  #: version of a snapshot without a state, which has the next run replay the whole journal

OF_URLS = (
    ("seeds", "url"),
    ("requests", "url"),
    ("picks", "url"),
    ("picks", "source"),
    ("fetches", "url"),
    ("fetches", "final_url"),
    ("fetches", "duplicate_of"),
    ("links", "page"),
    ("links", "target"),
    ("drops", "url"),
    ("backlinks", "url"),
    ("backlinks", "backlink"),
    ("steering", "url"),
)  #: columns that hold ids of URLs, or NULL


def check_integrity(db: sqlite3.Connection) -> Findings:
    """What SQLite finds wrong with its file; nothing else can be asked of it where this is past repair."""
    found = Findings()
    try:
        lines = [str(row[0]) for row in db.execute(f"PRAGMA integrity_check({MOST_ERRORS})")]
    except sqlite3.DatabaseError as error:
        lines = [str(error)]
    if lines != ["ok"]:
        of_index = all(any(words in line for words in OF_INDEX) for line in lines)
        (found.index_errors if of_index else found.past_repair).extend(lines)
    return found


def check_journal(db: sqlite3.Connection, found: Findings) -> None:
    """Whether every row leads to what it names, and the events are numbered without gaps."""
    found.past_repair += [*_ids(db, "hosts"), *_ids(db, "urls"), *_references(db), *_numbers(db), *_outcomes(db)]
    found.events = last_event(db)
    row = db.execute("SELECT seq, version, state FROM snapshots ORDER BY seq DESC LIMIT 1").fetchone()
    if row is not None and row[1] != REPAIRED:
        try:
            decode(bytes(row[2]))
        except Exception as error:  # whatever zipfile, json and numpy say of damaged bytes
            found.snapshot_error = f"{type(error).__name__}: {error}"
        if row[0] > found.events:
            found.snapshot_error = "it is newer than the journal"


def _ids(db: sqlite3.Connection, table: str) -> Iterator[str]:
    count, last = db.execute(f"SELECT count(*), coalesce(max(id) + 1, 0) FROM {table}").fetchone()
    if count != last:
        yield f"the table {table} misses {last - count} of {last} rows"


def _references(db: sqlite3.Connection) -> Iterator[str]:
    """Rows that name what is not there. Ids of hosts and URLs are without gaps, so that a comparison will do."""
    inside = "BETWEEN 0 AND (SELECT max(id) FROM {})"
    wrong = [(table, f"{column} NOT {inside.format('urls')}") for table, column in OF_URLS]
    wrong += [
        ("urls", f"host NOT {inside.format('hosts')}"),
        ("picks", "run NOT IN (SELECT id FROM runs)"),
        ("fetches", "run NOT IN (SELECT id FROM runs)"),
        ("fetches", f"NOT EXISTS (SELECT 1 FROM picks WHERE seq = fetches.pick AND (url = fetches.url OR {IS_AGAIN}))"),
        ("own_fields", f"seq NOT IN (SELECT seq FROM fetches WHERE {IS_VERSION})"),
    ]
    for table, where in wrong:
        count = db.execute(f"SELECT count(*) FROM {table} WHERE {where}").fetchone()[0]
        if count:
            yield f"the table {table} has {count} rows that name what is not there ({where.split()[0].lower()})"


def _numbers(db: sqlite3.Connection) -> Iterator[str]:
    events = " UNION ALL ".join(f"SELECT DISTINCT seq, '{table}' FROM {table}" for table in JOURNAL)
    count, distinct, last = db.execute(
        f"SELECT count(*), count(DISTINCT seq), coalesce(max(seq), 0) FROM ({events})"
    ).fetchone()
    if distinct != last:
        yield f"the journal misses {last - distinct} of {last} events"
    if count != distinct:
        yield f"{count - distinct} events of the journal have a number that another one has"
    query = f"SELECT count(*) FROM (SELECT 1 FROM fetches WHERE NOT {IS_AGAIN} GROUP BY pick HAVING count(*) > 1)"
    again = db.execute(query).fetchone()[0]
    if again:
        yield f"{again} choices have more than one answer"


def _outcomes(db: sqlite3.Connection) -> Iterator[str]:
    query = "SELECT count(*) FROM fetches WHERE outcome NOT IN ('page', 'failed', 'alias', 'probe', 'list') "
    query += f"AND NOT {IS_AGAIN}"
    if count := db.execute(query).fetchone()[0]:
        yield f"{count} answers have an outcome that there is not"
