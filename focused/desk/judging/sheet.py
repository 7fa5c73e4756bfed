"""The file that a person fills: one line a page, the column `relevant` to be answered with yes or no. CSV, for any spreadsheet."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from focused.exceptions import AuditError
from focused.page.plain_text import cell, delimiter_of, plain, uncelled
from focused.topic.mistakes import shown
from focused.topic.plain_files import read_text, shown_path

if TYPE_CHECKING:
    from _csv import Reader

COLUMNS = ("url", "title", "relevant", "relevance", "stratum", "stratum_pages", "weight")
NEEDED = ("url", "relevant", "stratum", "stratum_pages")  # the others are for the reader
ANSWERS = {"": None} | dict.fromkeys(("yes", "y", "1", "true"), True) | dict.fromkeys(("no", "n", "0", "false"), False)


@dataclass(frozen=True)
class Line:
    """One page of a sheet.

    relevant : what a person says; None: not judged
    stratum : number from 1 on; None: judged for an earlier sample and not in this one, so that it counts for no estimate
    stratum_pages : pages in the stratum when the sample was drawn
    title, relevance : for the person; empty where a sheet was read
    """

    url: str
    relevant: bool | None
    stratum: int | None
    stratum_pages: int = 0
    title: str = ""
    relevance: float = 0.0


def write_sheet(lines: Sequence[Line], path: Path) -> None:
    """Write a sheet at once and completely; AuditError if that cannot be."""
    drawn: dict[int | None, int] = {}
    for line in lines:
        drawn[line.stratum] = drawn.get(line.stratum, 0) + 1
    unfinished = path.with_name(f".{path.name}.unfinished")
    try:
        with unfinished.open("w", newline="", encoding="utf-8") as file:
            rows = csv.writer(file)
            rows.writerow(COLUMNS)
            rows.writerows(_row(line, drawn[line.stratum]) for line in lines)
        unfinished.replace(path)
    except OSError as error:
        unfinished.unlink(missing_ok=True)
        raise AuditError(f"{shown_path(path)}: cannot be written: {error.strerror}") from None


def read_sheet(path: Path) -> list[Line]:
    """Read a sheet, filled or not; AuditError, with the number of the line, for the first mistake in it."""
    text = read_text(path)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter_of(text))
    try:
        lines = list(_lines(reader, shown_path(path)))
    except csv.Error as error:
        raise AuditError(f"{shown_path(path)}: line {reader.line_num}: {error}") from None
    return lines


def _row(line: Line, drawn: int) -> tuple[str | int, ...]:
    title = cell(plain(line.title))
    answer = "" if line.relevant is None else "yes" if line.relevant else "no"
    relevance = f"{line.relevance:.4f}"
    if line.stratum is None:
        return cell(line.url), title, answer, relevance, "", "", 0
    return (
        cell(line.url),
        title,
        answer,
        relevance,
        line.stratum,
        line.stratum_pages,
        f"{line.stratum_pages / drawn:.6g}",
    )


def _lines(reader: Reader, path: str) -> Iterator[Line]:
    names = [name.strip().lower() for name in next(reader, [])]
    if missing := [name for name in NEEDED if name not in names]:
        raise AuditError(
            f"{path}: line 1: no column {missing[0]!r}; it must name the columns, as in the file that was drawn"
        )
    first: dict[str, int] = {}
    sizes: dict[int, int] = {}
    for row in reader:
        number = reader.line_num  # of its last line, if a title has several
        if not any(text.strip() for text in row):
            continue
        if len(row) != len(names):
            raise AuditError(f"{path}: line {number} has {len(row)} columns and not {len(names)}")
        line = _line({name: text.strip() for name, text in zip(names, row, strict=True)}, f"{path}: line {number}")
        if line.url in first:
            raise AuditError(f"{path}: line {number}: {shown(line.url)} stands in line {first[line.url]} already")
        first[line.url] = number
        if line.stratum is not None and sizes.setdefault(line.stratum, line.stratum_pages) != line.stratum_pages:
            raise AuditError(
                f"{path}: line {number}: stratum {line.stratum} has {line.stratum_pages} pages here and "
                f"{sizes[line.stratum]} above"
            )
        yield line


def _line(cells: Mapping[str, str], place: str) -> Line:
    answer = cells["relevant"].lower()
    if answer not in ANSWERS:
        raise AuditError(f"{place}: relevant is {shown(cells['relevant'])}: write yes or no, or leave it empty")
    url = uncelled(cells["url"])
    if not url:
        raise AuditError(f"{place}: url is empty")
    if not cells["stratum"]:
        return Line(url, ANSWERS[answer], None)
    numbers: list[int] = []
    for name in ("stratum", "stratum_pages"):
        if not re.fullmatch(r"[1-9][0-9]{0,11}", cells[name]):
            raise AuditError(f"{place}: {name} is {shown(cells[name])} and not a number; leave it as it was drawn")
        numbers.append(int(cells[name]))
    stratum, pages = numbers
    return Line(url, ANSWERS[answer], stratum, pages)


def judged(lines: Iterable[Line]) -> dict[str, bool]:
    """URL -> what a person says, of the pages that were judged."""
    return {line.url: line.relevant for line in lines if line.relevant is not None}
