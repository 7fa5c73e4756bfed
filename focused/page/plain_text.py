"""Texts from servers made harmless: for a terminal or a log, which take some characters for commands, and for a spreadsheet."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Sequence

LONGEST_REASON = 200  #: characters of what is said of a failure
LONGEST_TITLE = 1000  #: characters of a title that are kept
JOINERS = "\u200c\u200d"  #: not printable by themselves, but letters of Persian and Hindi need them
LINES = f"{JOINERS}\t\n"  #: control characters that a text of several lines may hold

_FORMULA = re.compile(r"[=+\-@\uff1d\uff0b\uff0d\uff20\t\r\n]")  # OWASP, "CSV Injection"; the same in full width


def plain(text: str, most: int = 0) -> str:
    """A text on one line, without what a terminal would take for a command and without turns of the direction of writing.

    most : characters that are kept; 0: all
    """
    return printable(" ".join((text[: 4 * most] if most else text).split()))[: most or None]


def printable(text: str, but: str = JOINERS) -> str:
    """A text with a blank in place of each control character (C0, C1), turn of direction and half of a character.

    but : what is left as it is
    """
    if text.isprintable():
        return text
    return "".join(one if one.isprintable() or one in but else " " for one in text)


def csv_lines(rows: Iterable[Sequence[object]]) -> str:
    """Rows as lines of a CSV file (RFC 4180). Texts of strangers are to be given as `cell` makes them."""
    lines = io.StringIO()
    csv.writer(lines, lineterminator="\r\n").writerows(rows)
    return lines.getvalue()


def delimiter_of(text: str) -> str:
    """What separates the cells of a CSV file, by its first line: a spreadsheet may write another delimiter than it has read."""
    return max(",;\t", key=text.partition("\n")[0].count)


def cell(text: str) -> str:
    """A text for a cell of a CSV file: with a ' before it where a spreadsheet would take it for a formula."""
    return f"'{text}" if _FORMULA.match(text) else text


def uncelled(text: str) -> str:
    """The text of which `cell` made this."""
    return text[1:] if text.startswith("'") and _FORMULA.match(text[1:]) else text
