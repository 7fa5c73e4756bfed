"""Checks a whole collection, and repairs it: what is damaged is put aside, never thrown away, and the next run fetches it again.

A lost page becomes one whose answer never came: its fetch is taken out of the journal, whose later events move up, and its
pick is under way again. The next run replays the journal without the page, writes anew what followed from it (relevance,
links, drops), and fetches what was under way first, as after a kill.

Of a malformed crawl.db the rows that can be read are copied into a new one, and the next run makes the rest anew. SQLite keeps
each table in pages of its own, and most pages of a crawl.db hold what follows from the others: links, drops, the saved state.
So damaged pages are mostly of these. Where they are of the answers, the crawl asks again. Where they are of the other tables
nothing is rescued: nobody could say what is missing.
"""

from __future__ import annotations

import json
import os
import sqlite3
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from hashlib import blake2b
from pathlib import Path
from typing import Any, NamedTuple

from focused.collection.collection import DATABASE, PAGES, hold, open_repository
from focused.collection.migrations import OlderSchemaError, migrate, require_newest
from focused.collection.repository import PageRepository, Place, storage_errors, sync_folder, way_out
from focused.collection.snapshot import decode
from focused.collection.sqlite_errors import database_errors
from focused.collection.store import (
    DROPPED,
    DROPPED_CHANGE,
    IS_AGAIN,
    IS_VERSION,
    JOURNAL,
    SAME,
    Store,
    connect_to_read,
    last_event,
)
from focused.collection.warc import are_members, record_of_length
from focused.exceptions import StorageError, seeing


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
        (
            "fetches",
            f"NOT EXISTS (SELECT 1 FROM picks WHERE seq = fetches.pick AND (url = fetches.url OR {IS_AGAIN}))",
        ),
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
    query = "SELECT count(*) FROM fetches WHERE outcome NOT IN ('page', 'failed', 'alias', 'probe', 'list', "
    query += f"'{DROPPED}') AND NOT {IS_AGAIN}"
    if count := db.execute(query).fetchone()[0]:
        yield f"{count} answers have an outcome that there is not"


#: Every page, with the plain response that a rendered one was made of, in the order in which they lie; and what hosts answered
#: for a page that cannot be, which a replay reads as well.
PLACES = f"""
SELECT f.seq, u.url, f.file, f.offset, f.length, f.content_hash FROM fetches f JOIN urls u ON u.id = f.url
    WHERE {IS_VERSION} OR (f.outcome IN ('probe', 'list', '{DROPPED}', '{DROPPED_CHANGE}') AND f.file IS NOT NULL)
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


NUMBERED = (*JOURNAL, "drops", "own_fields", "lessons")  #: tables whose rows have the number of an event
DAMAGED = ".damaged"  #: ends the names of what is put aside


def repair(database: Path, pages: Path, found: Findings) -> list[str]:
    """Repair what can be; return what was done, a line each. Nobody else may use the collection.

    Raises StorageError, with the collection as it was or whole, where the disk is full or does not let itself be written to.
    """
    done = []
    if found.index_errors or found.snapshot_error or found.lost:
        done.append(f"a copy of the database as it was: {copied(database)}")
        with database_errors(database), closing(sqlite3.connect(database, isolation_level=None)) as db:
            db.execute("PRAGMA synchronous = FULL")
            if found.index_errors:
                db.execute("REINDEX")
                done.append("the indexes of the database are made anew")
            if found.snapshot_error:
                db.execute("DELETE FROM snapshots")
                done.append("the saved state is deleted; the next run makes it anew from the pages")
            if found.lost:
                take_out(db, with_what_followed(db, [page.event for page in found.lost]))
                done.append(f"the next run fetches {len(found.lost)} lost pages again")
    for page in found.lost:
        _rename(pages, page)
    return [*done, *(_put_aside(pages, stretch) for stretch in found.stretches)]


def with_what_followed(db: sqlite3.Connection, lost: Sequence[int]) -> list[int]:
    """Lost fetches, and what came of asking for these pages once more, in ascending order."""
    query = f"SELECT seq FROM fetches WHERE {IS_AGAIN} AND pick = (SELECT pick FROM fetches WHERE seq = ? AND outcome = 'page')"
    later = {row[0] for event in lost for row in db.execute(query, (event,))}
    return sorted(later.union(lost))


def take_out(db: sqlite3.Connection, lost: Sequence[int]) -> None:
    """Take fetches out of the journal, by number in ascending order, as if their answers had never come."""
    db.create_function("moved", 1, lambda event: event - bisect_left(lost, event), deterministic=True)
    with db:
        db.execute("BEGIN IMMEDIATE")
        db.executemany("DELETE FROM fetches WHERE seq = ?", [(event,) for event in lost])
        db.executemany("DELETE FROM own_fields WHERE seq = ?", [(event,) for event in lost])
        for table in NUMBERED:  # by way of negative numbers: no two rows ever have the same
            db.execute(f"UPDATE {table} SET seq = -moved(seq)")
            db.execute(f"UPDATE {table} SET seq = -seq")
        db.execute("UPDATE fetches SET pick = moved(pick)")
        db.execute("DELETE FROM snapshots")
        now = datetime.now(UTC).isoformat(timespec="milliseconds")
        db.execute("INSERT INTO snapshots VALUES (?, ?, ?, x'')", (last_event(db), REPAIRED, now))


def copied(database: Path) -> Path:
    """A copy of the database, with what is in its write-ahead log."""
    copy = _free_name(database)
    with (
        database_errors(database),
        closing(sqlite3.connect(database)) as original,
        closing(sqlite3.connect(copy)) as to,
    ):
        original.backup(to)
    return copy


def _rename(pages: Path, page: LostPage) -> None:
    """Put the files aside that hold a lost page alone, and what is known of it: the next run would delete them."""
    for path in (pages / page.own_file, pages / f"{page.own_file}.json"):
        if page.own_file and path.is_file():
            with storage_errors(path, "put a damaged page aside"):
                path.rename(_free_name(path))


def _put_aside(pages: Path, stretch: Stretch) -> str:
    """Keep a copy of damaged bytes; cut them off at the end of their file, elsewhere put a record in their place."""
    path, length = pages / stretch.file, stretch.end - stretch.start
    with storage_errors(path, "put damaged bytes aside"):
        if stretch.start == 0 and stretch.end == path.stat().st_size:
            kept = _free_name(path)
            path.rename(kept)
            sync_folder(pages)
            return f"{path}: no page of it can be read: it is now {kept.name}"
        kept = _free_name(path.with_name(f"{path.name}.{stretch.start}"))
        with path.open("r+b") as file:
            file.seek(stretch.start)
            kept.write_bytes(file.read(length))
            filler = record_of_length(length) if stretch.end < path.stat().st_size else b""
            if filler is None:
                return f"{path}: {length} damaged bytes from {stretch.start} stay: no record is as short"
            file.seek(stretch.start)
            file.write(filler)
            if not filler:
                file.truncate()
            file.flush()
            os.fsync(file.fileno())
    return f"{path}: {length} damaged bytes from {stretch.start} are now in {kept.name}"


def _free_name(path: Path) -> Path:
    """A name for something that is put aside, which nothing else has."""
    names = (path.with_name(f"{path.name}{DAMAGED}{number or ''}") for number in range(10_000))
    return next(name for name in names if not name.exists())


WHOLE = (
    "runs",
    "hosts",
    "urls",
    "seeds",
    "requests",
    "picks",
    "backlinks",
    "steering",
)  #: tables that are needed row for row
ANSWERS = "fetches"  #: of which the crawl asks again for those that are lost
OWN, LESSONS, AT_HAND = (
    "own_fields",
    "lessons",
    "at_hand",
)  #: of which all are kept that can be: no event is missing with them
MOST_ANSWERS = 100  #: of one choice: the first, and those when its page was asked for once more
NEW = ".new"  #: ends the name of a database in the making


def rescued(path: Path) -> sqlite3.Connection:
    """A copy in memory of what can be rescued. Raises StorageError where that is no crawl."""
    db = sqlite3.connect(":memory:", isolation_level=None)
    try:
        _rescue(path, db)
    except BaseException as error:
        db.close()
        if isinstance(error, sqlite3.Error):
            raise StorageError(f"{path}: {error}: nothing can be read") from error
        raise
    return db


def replace(path: Path) -> list[str]:
    """Put what can be rescued in the place of a malformed database; return what was done, a line each.

    Raises StorageError, with the database as it was, where nothing can be rescued or the disk does not take it.
    """
    kept, new = copied(path), path.with_name(path.name + NEW)
    with storage_errors(new, "write a new database"):
        new.unlink(missing_ok=True)  # of a repair that was killed
        try:
            with database_errors(new), closing(sqlite3.connect(new, isolation_level=None)) as db:
                db.execute("PRAGMA synchronous = FULL")
                lost = _rescue(path, db)
            with database_errors(path), closing(sqlite3.connect(path)) as old:
                old.execute("PRAGMA journal_mode = DELETE")  # its log would be taken for that of the new one
            new.replace(path)
        except BaseException:
            new.unlink(missing_ok=True)
            raise
        sync_folder(path.parent)
    done = [f"a copy of the database as it was: {kept}", "what could be read of the database is in a new one"]
    return [*done, f"{lost} answers could not: the next run asks again"] if lost else done


def _rescue(path: Path, to: sqlite3.Connection) -> int:
    """Copy what can be read into an empty database; return how many answers are lost. Raises what SQLite does as well."""
    with closing(connect_to_read(path)) as db:
        require_newest(db, str(path))
        migrate(to, str(path))
        with to:
            to.execute("BEGIN")
            torn = [table for table in (*WHOLE, ANSWERS) if not _copy(db, to, table)]
            for table in (OWN, LESSONS, AT_HAND):
                _copy(db, to, table)
            to.execute(f"DELETE FROM {OWN} WHERE seq NOT IN (SELECT seq FROM fetches WHERE {IS_VERSION})")
    if missing := [table for table in torn if table != ANSWERS]:
        raise StorageError(f"{path}: rows cannot be read of {', '.join(missing)}")
    lost = _unnumbered(to, MOST_ANSWERS * to.execute("SELECT count(*) FROM picks").fetchone()[0] if torn else 0)
    if lost is None:
        raise StorageError(f"{path}: more events are missing than answers can be")
    take_out(to, sorted({*lost, *_of_lost_pages(to)}))
    return len(lost)


def _copy(db: sqlite3.Connection, to: sqlite3.Connection, table: str) -> bool:
    """Copy the rows of a table before a damaged page, and those behind; whether there is no such page."""
    last = 0
    try:
        for row in _rows(db, table, "ASC"):
            _insert(to, table, row)
            last = row[0]
    except sqlite3.DatabaseError:
        try:
            for row in _rows(db, table, "DESC"):
                if row[0] <= last:
                    break
                _insert(to, table, row)
        except sqlite3.DatabaseError:
            pass
        return False
    return True


def _rows(db: sqlite3.Connection, table: str, order: str) -> Iterator[tuple[Any, ...]]:
    """Number and columns of each row."""
    yield from db.execute(f"SELECT rowid, * FROM {table} ORDER BY rowid {order}")


def _insert(to: sqlite3.Connection, table: str, row: tuple[Any, ...]) -> None:
    to.execute(f"INSERT INTO {table} VALUES ({', '.join('?' * (len(row) - 1))})", row[1:])


def _of_lost_pages(db: sqlite3.Connection) -> Iterator[int]:
    """Numbers of what came of asking once more for pages that are lost."""
    query = f"SELECT seq FROM fetches WHERE {IS_AGAIN} AND pick NOT IN (SELECT pick FROM fetches WHERE NOT {IS_AGAIN})"
    yield from (row[0] for row in db.execute(query))


def _unnumbered(db: sqlite3.Connection, most: int) -> list[int] | None:
    """Numbers of events that no row has; None for more than there may be."""
    events = " UNION ".join(f"SELECT seq FROM {table}" for table in JOURNAL)
    found, last = {row[0] for row in db.execute(events)}, last_event(db)
    if last - len(found) > most:  # before they are counted: a damaged row may have any number
        return None
    return [event for event in range(1, last + 1) if event not in found]


def check(folder: Path, tell: TellPagesRead) -> Findings:
    """What is wrong with a collection. Nothing is changed.

    Raises StorageError where there is none, a crawl is running, or a newer release has written it.
    """
    with _alone(folder):
        return _findings(folder, tell)


def check_and_repair(folder: Path, tell: TellPagesRead) -> tuple[Findings, list[str], Findings]:
    """Repair what can be; return what was wrong, what was done, a line each, and what is wrong now. Raises as `check` does.

    Of a collection that is partly past repair nothing is changed.
    """
    with _alone(folder):
        found = _findings(folder, tell)
        if found.past_repair or not found.can_be_repaired:
            return found, [], found
        done = replace(folder / DATABASE) if found.malformed else []
        Store(folder / DATABASE).close()  # what an older release has written is brought up to date
        return found, done + repair(folder / DATABASE, folder / PAGES, found), _findings(folder, tell)


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """Hold the lock of a crawl; where nobody may write none can run."""
    with seeing(StorageError):
        is_there = (folder / DATABASE).is_file()
    if not is_there:
        raise StorageError(f"{folder / DATABASE}: no such collection; `scrapy report` lists those that there are")
    if not os.access(folder, os.W_OK):
        yield
        return
    with closing(hold(folder)):
        yield


def _findings(folder: Path, tell: TellPagesRead) -> Findings:
    path = folder / DATABASE
    with database_errors(path), closing(connect_to_read(path)) as db:
        found = check_integrity(db)
    if found.past_repair:
        return _of_rescued(folder, found, tell)
    try:
        store = Store(path, read_only=True)
    except OlderSchemaError:
        store = Store.copy_of(path)
    with database_errors(path), closing(store):
        _check_rows(store.db, folder, found, tell)
    return found


def _of_rescued(folder: Path, found: Findings, tell: TellPagesRead) -> Findings:
    """Of a malformed database: what a repair would make of it, where that is whole."""
    try:
        db = rescued(folder / DATABASE)
    except StorageError as error:
        found.past_repair.append(str(error))
        return found
    with closing(db):
        of_new = Findings(malformed=found.past_repair)
        _check_rows(db, folder, of_new, tell)
    of_new.past_repair = [*found.past_repair, *of_new.past_repair] if of_new.past_repair else []
    return of_new


def _check_rows(db: sqlite3.Connection, folder: Path, found: Findings, tell: TellPagesRead) -> None:
    check_journal(db, found)
    kind = _kind_of_pages(db, found)
    if kind and not found.past_repair:
        check_pages(db, open_repository(kind, folder / PAGES), found, tell)


def _kind_of_pages(db: sqlite3.Connection, found: Findings) -> str:
    """Which repository the crawl has, as its last run says; empty where there was none, or it cannot be read."""
    row = db.execute("SELECT topic FROM runs ORDER BY id DESC LIMIT 1").fetchone()
    try:
        return str(json.loads(row[0])["storage"]["pages"]) if row else ""
    except (ValueError, KeyError, TypeError):
        found.past_repair.append("what the last run crawled cannot be read")
        return ""
