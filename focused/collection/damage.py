"""What is wrong with a collection: with its database, for SQLite and as a journal to be replayed, and with every page it knows."""

from __future__ import annotations

import sqlite3
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from hashlib import blake2b
from pathlib import Path
from typing import NamedTuple

from focused.collection.repository import PageRepository, Place, way_out
from focused.collection.snapshot import decode
from focused.collection.store import IS_AGAIN, IS_VERSION, JOURNAL, SAME, last_event
from focused.collection.warc import are_members
from focused.exceptions import StorageError


class LostPage(NamedTuple):
    """A page that the database knows and the repository cannot give."""

    event: int  #: number of its fetch in the journal
    url: str  #: the URL that was chosen
    why: str  #: a line
    own_file: str = ""  #: that holds this page alone, where the repository has one for each


class Stretch(NamedTuple):
    """Bytes of a WARC file that are no record."""

    file: str
    start: int
    end: int


@dataclass(slots=True)
class Findings:
    """All that is wrong, in the words of a person, and what a repair needs to know of it."""

    events: int = 0  #: in the journal
    pages: int = 0  #: that the database knows
    past_repair: list[str] = field(default_factory=list)
    #: what SQLite says of a file of which the needed rows can be read
    malformed: list[str] = field(default_factory=list)
    index_errors: list[str] = field(default_factory=list)  #: what SQLite says of indexes, which can be made anew
    snapshot_error: str = ""  #: why the saved state cannot be used, which is made anew from the pages
    lost: list[LostPage] = field(default_factory=list)
    stretches: list[Stretch] = field(default_factory=list)  #: that other programs cannot read past
    notes: list[str] = field(default_factory=list)  #: nothing of this is damage

    @property
    def is_well(self) -> bool:
        return not self.past_repair and not self.can_be_repaired

    @property
    def can_be_repaired(self) -> bool:
        return bool(self.malformed or self.index_errors or self.snapshot_error or self.lost or self.stretches)


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


#: Every page, with the plain response that a rendered one was made of, in the order in which they lie; and what hosts answered
#: for a page that cannot be, which a replay reads as well.
PLACES = f"""
SELECT f.seq, u.url, f.file, f.offset, f.length, f.content_hash FROM fetches f JOIN urls u ON u.id = f.url
    WHERE {IS_VERSION} OR (f.outcome IN ('probe', 'list') AND f.file IS NOT NULL)
UNION ALL SELECT f.seq, u.url, f.plain_file, f.plain_offset, f.plain_length, NULL FROM fetches f JOIN urls u ON u.id = f.url
    WHERE {IS_VERSION} AND f.plain_file IS NOT NULL
ORDER BY 3, 4, 1"""

#: Notes that a page is as it was, of which nothing is read but that they are whole records.
NOTES = f"SELECT file, offset, length FROM fetches WHERE outcome = '{SAME}' AND file IS NOT NULL"

WARC = ".warc.gz"  #: ends the names of files that hold many pages

TellPagesRead = Callable[[int, int], None]  #: is told how many pages have been read, and of how many


def check_pages(db: sqlite3.Connection, repository: PageRepository, found: Findings, tell: TellPagesRead) -> None:
    """Read every page that the database knows; add those that cannot be read, or are others by now, to what was found."""
    rows = db.execute(PLACES).fetchall()
    found.pages = len({row[0] for row in rows})
    newest = {file: event for event, _, file, *_ in rows}  # the kind "files" keeps one page for a URL, the newest
    records: dict[str, list[tuple[int, int, bool]]] = defaultdict(list)  # where each lies, and whether it is good
    lost: dict[int, LostPage] = {}
    for number, (event, url, file, offset, length, digest) in enumerate(rows, 1):
        why = _why_lost(repository, file, offset, length, digest if offset or newest[file] == event else None)
        if why:
            lost[event] = LostPage(event, url, why, file if isinstance(file, str) and not file.endswith(WARC) else "")
        if all(isinstance(value, int) for value in (offset, length)):
            records[file].append((offset, offset + length, not why))
        tell(number, len(rows))
    for file, offset, length in db.execute(NOTES):
        if all(isinstance(value, int) for value in (offset, length)):
            records[file].append((offset, offset + length, _is_record(repository.folder / file, offset, length)))
    found.lost += [lost[event] for event in sorted(lost)]
    for path in sorted(repository.folder.glob(f"*{WARC}")):
        if path.name in records:
            _check_between(path, sorted(records[path.name]), found)
        else:
            found.notes.append(f"{path}: no page of it was committed; the next run deletes it")


def _why_lost(repository: PageRepository, file: object, offset: object, length: object, digest: str | None) -> str:
    """Why a page cannot be had; empty where it can.

    digest : of its body, as the reader of pages makes it; None: not known
    """
    if not (isinstance(file, str) and isinstance(offset, int) and isinstance(length, int)) or min(offset, length) < 0:
        return "the database does not know where it lies"
    try:
        body = repository.get(Place(file, offset, length)).body
    except StorageError as error:
        return str(error).removesuffix(way_out(repository.folder)).rstrip(":; ")
    if digest is not None and blake2b(body, digest_size=16).hexdigest() != digest:
        return f"{repository.folder / file}: another page lies at its place"
    return ""


def _is_record(path: Path, offset: int, length: int) -> bool:
    try:
        with path.open("rb") as file:
            file.seek(offset)
            return are_members(file, length)
    except OSError:
        return False


def _check_between(path: Path, records: list[tuple[int, int, bool]], found: Findings) -> None:
    """Look at what lies before, between and after the good pages of a WARC file: whole records, or what stops a reader."""
    place, size, last = 0, path.stat().st_size, max(end for _, end, _ in records)
    with path.open("rb") as file:
        for start, end, is_good in records:
            if not is_good:
                continue
            file.seek(place)
            if start > place and not are_members(file, start - place):
                found.stretches.append(Stretch(path.name, place, start))
            place = max(place, end)
    if last > place and size > place:  # what should be there are lost pages
        found.stretches.append(Stretch(path.name, place, size))
    elif size > place:
        found.notes.append(f"{path}: {size - place} bytes after the last commit; the next run cuts them off")
