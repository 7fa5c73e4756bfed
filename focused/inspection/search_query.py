"""What a person types to search, as a query of SQLite's FTS5, and the passage of a text that answers it best.

FTS5's own `snippet` compares each place of a word with each other: a page that says one word 32,000 times takes 8 s, one of 1 MB
minutes. So a text is cut into passages, which are ranked as pages are: time grows with the length of the text alone.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain

from focused.exceptions import FocusedError
from focused.page.plain_text import plain

MOST_WORDS = 50  #: words and phrases of a query; FTS5 has a limit of its own, which it tells in words of its own
EITHER = "OR"  #: between two words one of which is enough

_PART = re.compile(r'(?P<minus>-?)(?:"(?P<phrase>[^"]*)"?|(?P<word>[^\s"]+))')
#: A letter of a script that is written without spaces: Thai and Lao, Burmese, Khmer, Japanese, Chinese.
_UNSPACED = re.compile("([\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff])")
_BETWEEN = "\u200b"  # zero-width space: no part of a word for FTS5, and not seen


@dataclass(frozen=True, slots=True)
class FtsQuery:
    """A query that FTS5 understands."""

    match: str  #: which pages are found first
    some: (
        str  #: which pages come after them, as they have some of the words; empty where one word is all that is needed
    )
    together: str  #: which passages answer best: those that have all the words
    marked: str  #: which words are marked: all but those that are left out


def query_of(text: str) -> FtsQuery:
    """The query for a text such as ``solar panels "roof tiles" OR slates -thermal til*``.

    All words are wanted, in any order and form (mills is mill). Words between quotation marks are wanted one after the other. OR
    between two words or phrases wants one of them; a minus before one leaves its pages out; a star after a word stands for any
    ending.

    Raises FocusedError where there is no word to look for, or too many.
    """
    needed: list[list[str]] = []  # one of each list
    left_out: list[str] = []
    either = False
    for part in _PART.finditer(plain(text)):
        words = part["word"] or part["phrase"] or ""
        if words == EITHER and not part["minus"]:
            either = bool(needed)
        elif any(character.isalnum() for character in words):
            quoted = f'"{searchable(words)}"'  # holds no quotation mark: no word of FTS5's own, whatever it is
            if part["word"] and words.endswith("*"):
                quoted += " *"
            if part["minus"]:
                left_out.append(quoted)
            elif either:
                needed[-1].append(quoted)
            else:
                needed.append([quoted])
            either = False
    if not needed:
        raise FocusedError("give a word to look for" + (", beside those to leave out" if left_out else ""))
    if len(left_out) + sum(map(len, needed)) > MOST_WORDS:
        raise FocusedError(f"these are too many words: give {MOST_WORDS} at most")
    together, any_of_them = " AND ".join(_one_of(words) for words in needed), _one_of(chain(*needed))

    def without(match: str) -> str:
        return f"({match}) NOT {_one_of(left_out)}" if left_out else match

    return FtsQuery(without(together), without(any_of_them) if len(needed) > 1 else "", together, any_of_them)


def searchable(text: str) -> str:
    """A text in which each letter of a script without spaces is a word of its own, so that any run of them can be found."""
    return text if text.isascii() else _UNSPACED.sub(rf"\1{_BETWEEN}", text)


def readable(text: str) -> str:
    """The text of which `searchable` made this."""
    return text.replace(_BETWEEN, "")


def _one_of(words: Iterable[str]) -> str:
    return f"({' OR '.join(words)})"


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

    def best(self, text: str, query: FtsQuery) -> str:
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
