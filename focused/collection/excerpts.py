"""The passage of a text that answers a search best, with the words marked.

FTS5's own `snippet` compares each place of a word with each other: a page that says one word 32,000 times takes 8 s, one of 1 MB
minutes. So a text is cut into passages, which are ranked as pages are: time grows with the length of the text alone.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator

from focused.collection.search_query import Query, readable
from focused.page.plain_text import plain

#: Around each marked word. Texts are plain before they are indexed, so that no page can hold them.
MARK, UNMARK = "\x02", "\x03"
WORDS = "porter unicode61 remove_diacritics 2"  #: FTS5's tokenizer: mills is mill, cafés is cafe

SHORTEST_PASSAGE = 100  #: characters; a shorter one at the end is part of the one before
LONGEST_TEXT = 100_000  #: characters in which the best passage is looked for: 20 ms
_PASSAGE = re.compile(r"\S.{0,199}(?!\S)|\S{1,200}")


class Excerpts:
    """Finds passages, in a small database in memory."""

    def __init__(self) -> None:
        self._db = sqlite3.connect(":memory:", isolation_level=None)
        self._db.execute(f"CREATE VIRTUAL TABLE passages USING fts5(passage, tokenize = '{WORDS}')")

    def close(self) -> None:
        self._db.close()

    def best(self, text: str, query: Query) -> str:
        """The passage of a plain text that has all words, or most of them, between dots where more stands around it.

        Of a text that has none, as only its title answers, it is the first.
        """
        passages = _PASSAGE.findall(text[:LONGEST_TEXT])
        if len(passages) > 1 and len(passages[-1]) < SHORTEST_PASSAGE:
            passages[-2:] = [" ".join(passages[-2:])]
        if not passages:
            return ""
        self._keep(passages)
        place = self._best(query.together)
        if place is None:
            place = self._best(query.marked) or 0
        before, after = place > 0, place < len(passages) - 1 or len(text) > LONGEST_TEXT
        passage = self._marked(place, query.marked) or passages[place]
        return f"{'…' if before else ''}{readable(passage)}{'…' if after else ''}"

    def _keep(self, passages: list[str]) -> None:
        self._db.execute("BEGIN")
        self._db.execute("DELETE FROM passages")
        self._db.executemany("INSERT INTO passages(rowid, passage) VALUES (?, ?)", enumerate(passages))
        self._db.execute("COMMIT")

    def _best(self, match: str) -> int | None:
        row = self._db.execute(
            "SELECT rowid FROM passages WHERE passages MATCH ? ORDER BY rank, rowid LIMIT 1", (match,)
        ).fetchone()
        return row[0] if row else None

    def _marked(self, place: int, match: str) -> str | None:
        row = self._db.execute(
            "SELECT highlight(passages, 0, ?, ?) FROM passages WHERE passages MATCH ? AND rowid = ?",
            (MARK, UNMARK, match, place),
        ).fetchone()
        return row[0] if row else None


def parts(excerpt: str) -> Iterator[tuple[str, bool]]:
    """Yield the parts of an excerpt, and whether each is marked."""
    for before in excerpt.split(UNMARK):
        plain_part, mark, marked_part = before.partition(MARK)
        yield plain_part, False
        if mark:
            yield marked_part, True


def unmarked(excerpt: str) -> str:
    """An excerpt without its marks."""
    return plain("".join(part for part, _ in parts(excerpt)))
