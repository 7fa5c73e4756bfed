"""Does the repository have every page that the database knows: each is read, and compared with what was fetched."""

from __future__ import annotations

import sqlite3
from collections import defaultdict
from collections.abc import Callable
from hashlib import blake2b
from pathlib import Path

from focused.collection.check.damage import Findings, LostPage, Stretch
from focused.collection.gzip_members import are_members
from focused.collection.repository import PageRepository, Place, way_out
from focused.collection.store import IS_VERSION, SAME
from focused.exceptions import StorageError

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

Tell = Callable[[int, int], None]  #: is told how many pages have been read, and of how many


def check_pages(db: sqlite3.Connection, repository: PageRepository, found: Findings, tell: Tell) -> None:
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
