"""How far each reader of a collection's news has been told of them, in desk.db."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from focused.collection.desk import DeskFile


@dataclass(frozen=True, slots=True)
class Look:
    """The last look of one reader.

    mark : of the collection that was looked at (see `mark_of`): a crawl that was started anew counts its events anew
    seq : last event of the journal that the reader knows of
    number : how many letters were told so far
    time : ISO 8601, UTC; empty before the first look
    """

    mark: str
    seq: int = 0
    number: int = 0
    time: str = ""


class Looks:
    """The looks at one collection. Each call opens the file anew. Raises what `Desk` does."""

    def __init__(self, folder: Path) -> None:
        self._file = DeskFile(folder)

    def last(self, reader: str, mark: str) -> Look:
        """The last look of a reader at the collection with this mark; before the first, one that knows nothing."""
        rows = self._file.rows("SELECT name FROM sqlite_schema WHERE name = 'looks'")  # not in a desk of before
        found = self._file.rows("SELECT mark, seq, number, time FROM looks WHERE reader = ?", (reader,)) if rows else []
        look = Look(*found[0]) if found else Look(mark)
        return look if look.mark == mark else Look(mark, number=look.number)

    def note(self, reader: str, before: Look, seq: int) -> bool:
        """Note that a reader has been told all up to an event; False where another one has noted something since ``before``."""
        now = datetime.now(UTC).isoformat(timespec="seconds")
        with self._file.writing() as db:
            found = db.execute("SELECT mark, seq, number FROM looks WHERE reader = ?", (reader,)).fetchone()
            if found and found[0] == before.mark and tuple(found[1:]) != (before.seq, before.number):
                return False
            row = (reader, before.mark, seq, before.number + 1, now)
            db.execute("INSERT OR REPLACE INTO looks VALUES (?, ?, ?, ?, ?)", row)
        return True

    def check_writable(self) -> None:
        """Raise StorageError where a look could not be noted."""
        with self._file.writing():
            pass
