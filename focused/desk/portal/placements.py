"""What the editors of a portal say of pages, in desk.db: accepted, rejected, moved into another category."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from focused.collection.desk import DeskFile
from focused.page.plain_text import plain

LONGEST_CATEGORY = 200  #: characters


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
            db.executemany(
                "DELETE FROM placements WHERE url = ?", [(url,) for url, one in texts.items() if one is None]
            )


def category_name(text: str) -> str:
    """A category as we keep it: on one line, not too long; empty for what is none."""
    return plain(text.encode("utf-8", "replace").decode(), LONGEST_CATEGORY).strip()
