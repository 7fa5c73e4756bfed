"""What a person types to search, as a query of SQLite's FTS5. No punctuation is a mistake."""

from __future__ import annotations

import re
from collections.abc import Iterable
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
class Query:
    """A query that FTS5 understands."""

    match: str  #: which pages are found first
    some: (
        str  #: which pages come after them, as they have some of the words; empty where one word is all that is needed
    )
    together: str  #: which passages answer best: those that have all the words
    marked: str  #: which words are marked: all but those that are left out


def query_of(text: str) -> Query:
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

    return Query(without(together), without(any_of_them) if len(needed) > 1 else "", together, any_of_them)


def searchable(text: str) -> str:
    """A text in which each letter of a script without spaces is a word of its own, so that any run of them can be found."""
    return text if text.isascii() else _UNSPACED.sub(rf"\1{_BETWEEN}", text)


def readable(text: str) -> str:
    """The text of which `searchable` made this."""
    return text.replace(_BETWEEN, "")


def _one_of(words: Iterable[str]) -> str:
    return f"({' OR '.join(words)})"
