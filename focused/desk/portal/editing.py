"""What the editors of a portal say of pages, kept in desk.db, and portal.db: what the last portal was made of."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Mapping
from contextlib import closing
from dataclasses import astuple, dataclass, fields
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal
from urllib.parse import quote

from focused.collection.desk import DeskFile
from focused.collection.sqlite_errors import database_errors
from focused.desk.portal.entry import PortalEntry
from focused.inspection.side_database import SideDatabase
from focused.page.page_text import VERSION as TEXT_VERSION
from focused.page.plain_text import plain

LONGEST_CATEGORY = 200  #: characters
PORTAL = "portal.db"
VERSION = 1  #: of its tables, and of what is kept of a page
WHAT = "what a portal was made of"
_COLUMNS = ", ".join(one.name for one in fields(PortalEntry))
_IN_SHORT = _COLUMNS.replace("words", "'[]'")  #: they are most of an entry
_TABLES = {
    "entries": _COLUMNS.replace("number", "number INTEGER PRIMARY KEY").replace("url", "url TEXT UNIQUE"),
    "names": "url TEXT PRIMARY KEY, name TEXT NOT NULL",
}
EntryState = Literal["waiting", "accepted", "rejected"]
STATES: tuple[EntryState, ...] = ("waiting", "accepted", "rejected")


@dataclass(frozen=True, slots=True)
class Placement:
    """What an editor said of one page.

    category : that it was moved into; empty: the one that the portal chooses
    """

    accepted: bool
    category: str = ""


ACCEPTED, REJECTED = Placement(True), Placement(False)


class Placements:
    """The placements of one collection, by the text of URLs. Each call opens the file anew. Raises what `Desk` does."""

    def __init__(self, folder: Path) -> None:
        self._file = DeskFile(folder)

    def all(self) -> dict[str, Placement]:
        if not self._file.rows("SELECT 1 FROM sqlite_schema WHERE name = 'placements'"):  # a desk of before
            return {}
        rows = self._file.rows("SELECT url, accepted, category FROM placements")
        return {url: Placement(bool(accepted), category) for url, accepted, category in rows}

    def place(self, said: Mapping[str, Placement | None]) -> None:
        """Keep what an editor says, in place of what was said before; None: nothing is said any more."""
        now = datetime.now(UTC).isoformat(timespec="seconds")
        texts = {url.encode("utf-8", "replace").decode(): one for url, one in said.items()}
        rows = [(url, int(one.accepted), category_name(one.category), now) for url, one in texts.items() if one]
        with self._file.writing() as db:
            db.executemany("INSERT OR REPLACE INTO placements VALUES (?, ?, ?, ?)", rows)
            forgotten = [(url,) for url, one in texts.items() if one is None]
            db.executemany("DELETE FROM placements WHERE url = ?", forgotten)


def category_name(text: str) -> str:
    """A category as we keep it: on one line, not too long; empty for what is none."""
    return plain(text.encode("utf-8", "replace").decode(), LONGEST_CATEGORY).strip()


class PortalMemory(SideDatabase):
    """The portal.db of the collection in a folder; mark : of the collection."""

    def __init__(self, folder: Path, mark: str) -> None:
        super().__init__(folder / PORTAL, _made_of(mark), _TABLES, WHAT)

    def entries(self) -> dict[str, PortalEntry]:
        """By URL."""
        return {row[1]: PortalEntry(*row) for row in self._rows(f"SELECT {_COLUMNS} FROM entries")}

    def keep(self, entries: Iterable[PortalEntry]) -> None:
        """Remember entries in place of earlier ones of the same URLs. Entries that are no longer shown stay, with their numbers."""
        marks = ", ".join("?" for _ in fields(PortalEntry))
        self._write(f"INSERT OR REPLACE INTO entries VALUES ({marks})", list(map(astuple, entries)))

    def names(self) -> dict[str, str]:
        """Names of themes, by the URL of a page in them."""
        return dict(self._rows("SELECT url, name FROM names"))

    def keep_names(self, names: Mapping[str, str]) -> None:
        """Remember names in place of all earlier ones."""
        with self._errors(), self._db:
            self._db.execute("DELETE FROM names")
            self._db.executemany("INSERT INTO names VALUES (?, ?)", names.items())


def remembered(folder: Path, mark: str) -> list[PortalEntry]:
    """The entries of the last portal, without words; none where there was none. Nothing is written, not even a new portal.db."""
    path = folder / PORTAL
    if not path.is_file():
        return []
    with (
        database_errors(path, WHAT, ", or delete it: pages are read again"),
        closing(sqlite3.connect(f"file:{quote(path.as_posix())}?mode=ro", uri=True)) as db,
    ):
        is_ours = db.execute("SELECT mark FROM made_of").fetchone() == (json.dumps(_made_of(mark)),)
        return [PortalEntry(*row) for row in db.execute(f"SELECT {_IN_SHORT} FROM entries")] if is_ours else []


def _made_of(mark: str) -> list[object]:
    return [VERSION, TEXT_VERSION, mark]


@dataclass(frozen=True, slots=True)
class Queued:
    """An entry as an editor sees it."""

    entry: PortalEntry
    state: EntryState
    category: str  #: that an editor moved it into, else the one that the last portal chose
    moved: bool


def queue_of(folder: Path, mark: str) -> list[Queued]:
    """All entries of the last portal, and those that were rejected since, the most relevant first."""
    placements = Placements(folder).all()
    entries = sorted(remembered(folder, mark), key=lambda one: (-one.relevance, one.number))
    return [_queued(one, placements.get(one.url)) for one in entries]


def take(folder: Path, mark: str, said: Iterable[tuple[str, str, str]]) -> None:
    """Keep what an editor says of entries. Entries that there are not are passed over.

    said : URL; ``accept``, ``reject``, ``forget``, or anything else, which says nothing; category: another one than an entry has
        moves it, which accepts it
    """
    known = {one.entry.url: one for one in queue_of(folder, mark)}
    placements: dict[str, Placement | None] = {}
    for url, say, name in said:
        if (queued := known.get(url)) is None:
            continue
        wanted = category_name(name) or queued.category
        is_moved = wanted != queued.category
        category = wanted if is_moved or queued.moved else ""
        if say == "forget":
            placements[url] = None
        elif say == "reject":
            placements[url] = Placement(False, category)
        elif is_moved or say == "accept":
            placements[url] = Placement(True, category)
    if placements:
        Placements(folder).place(placements)


def _queued(entry: PortalEntry, placement: Placement | None) -> Queued:
    if placement is None:
        return Queued(entry, "waiting", entry.category, False)
    state: EntryState = "accepted" if placement.accepted else "rejected"
    return Queued(entry, state, placement.category or entry.category, bool(placement.category))
