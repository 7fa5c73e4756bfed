"""The sheet of an audit: the pages that are drawn, which a person answers with yes or no, with what was said elsewhere.

It is a CSV file for any spreadsheet, one line a page; what a person says in a browser or a terminal is kept in desk.db.
"""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from focused.collection.collection import AUDIT
from focused.collection.desk import AUDIT_PILE, Desk
from focused.collection.store import Store
from focused.crawl.arrays import BoolArray, FloatArray, IntArray
from focused.desk.mapping.page_reading import addresses_and_titles
from focused.exceptions import AuditError
from focused.page.plain_text import cell, delimiter_of, plain, uncelled
from focused.topic.mistakes import shown
from focused.topic.plain_files import read_text, shown_path

if TYPE_CHECKING:
    from _csv import Reader

COLUMNS = ("url", "title", "relevant", "relevance", "stratum", "stratum_pages", "weight")
NEEDED = ("url", "relevant", "stratum", "stratum_pages")  # the others are for the reader
ANSWERS = {"": None} | dict.fromkeys(("yes", "y", "1", "true"), True) | dict.fromkeys(("no", "n", "0", "false"), False)
STRATA = 5


@dataclass(frozen=True)
class Population:
    """(n,) arrays over the distinct pages, in order of arrival.

    A page that brings nothing new is never judged: it counts as a page and not as relevant, here as everywhere.
    A crawl that goes on only adds to their ends: what was drawn from the first m pages can be told from m alone.

    seqs : numbers of their events
    relevance : in [0, 1], by the crawl's page model; 0 of an index, a listing or a stub that the crawl does not call relevant,
        whatever the model says: a threshold would not tell it apart
    called : whether the crawl calls them relevant
    fetched : pages, copies included, that were there before the next distinct page came
    """

    seqs: IntArray
    relevance: FloatArray
    called: BoolArray
    fetched: IntArray

    def __len__(self) -> int:
        return len(self.seqs)


def population(store: Store) -> Population:
    """Read the pages of a collection; of a running crawl, those that are committed."""
    rows = store.execute(
        "SELECT seq, CASE WHEN kind IS NULL OR relevant THEN relevance ELSE 0 END, relevant, verdict IS NULL "
        "FROM fetches WHERE outcome = 'page' ORDER BY seq"
    ).fetchall()
    table = np.array(rows, np.float64).reshape(-1, 4)
    distinct = table[:, 3] == 1
    positions = np.flatnonzero(distinct)
    table = table[distinct]
    fetched = np.append(positions[1:], len(rows)) if len(positions) else positions
    return Population(table[:, 0].astype(np.int64), table[:, 1], table[:, 2] == 1, fetched.astype(np.int64))


def places(store: Store, urls: Collection[str]) -> dict[str, int]:
    """URL -> its place in the population, for those that are in it."""
    rows = store.execute(
        "SELECT u.url FROM fetches f JOIN urls u ON u.id = f.final_url "
        "WHERE f.outcome = 'page' AND f.verdict IS NULL ORDER BY f.seq"
    )
    return {url: place for place, (url,) in enumerate(rows) if url in urls}


@dataclass(frozen=True)
class SheetLine:
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


def write_sheet(lines: Sequence[SheetLine], path: Path) -> None:
    """Write a sheet at once and completely; ExportError if that cannot be."""
    from focused.export.targets import unfinished  # the wing may be away, and a report asks only for a line

    drawn = Counter(line.stratum for line in lines)
    with unfinished(path) as temporary, temporary.open("w", newline="", encoding="utf-8") as file:
        rows = csv.writer(file)
        rows.writerow(COLUMNS)
        rows.writerows(_row(line, drawn[line.stratum]) for line in lines)


def read_sheet(path: Path) -> list[SheetLine]:
    """Read a sheet, filled or not; AuditError, with the number of the line, for the first mistake in it."""
    text = read_text(path)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter_of(text))
    try:
        lines = list(_lines(reader, shown_path(path)))
    except csv.Error as error:
        raise AuditError(f"{shown_path(path)}: line {reader.line_num}: {error}") from None
    return lines


def _row(line: SheetLine, drawn: int) -> tuple[str | int, ...]:
    answer = "" if line.relevant is None else "yes" if line.relevant else "no"
    about = cell(line.url), cell(plain(line.title)), answer, f"{line.relevance:.4f}"
    if line.stratum is None:
        return *about, "", "", 0
    return *about, line.stratum, line.stratum_pages, f"{line.stratum_pages / drawn:.6g}"


def _lines(reader: Reader, path: str) -> Iterator[SheetLine]:
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


def _line(cells: Mapping[str, str], place: str) -> SheetLine:
    answer = cells["relevant"].lower()
    if answer not in ANSWERS:
        raise AuditError(f"{place}: relevant is {shown(cells['relevant'])}: write yes or no, or leave it empty")
    url = uncelled(cells["url"])
    if not url:
        raise AuditError(f"{place}: url is empty")
    if not cells["stratum"]:
        return SheetLine(url, ANSWERS[answer], None)
    numbers: list[int] = []
    for name in ("stratum", "stratum_pages"):
        if not re.fullmatch(r"[1-9][0-9]{0,11}", cells[name]):
            raise AuditError(f"{place}: {name} is {shown(cells[name])} and not a number; leave it as it was drawn")
        numbers.append(int(cells[name]))
    stratum, pages = numbers
    return SheetLine(url, ANSWERS[answer], stratum, pages)


def judged(lines: Iterable[SheetLine]) -> dict[str, bool]:
    """URL -> what a person says, of the pages that were judged."""
    return {line.url: line.relevant for line in lines if line.relevant is not None}


@dataclass(frozen=True)
class Drawn:
    """What one stratum gives.

    number : of the stratum, from 1 (least relevant) on
    pages : in the stratum
    places : (n,) drawn pages, as places in the population, in random order
    """

    number: int
    pages: int
    places: IntArray


def draw(relevance: FloatArray, size: int, seed: int = 0) -> list[Drawn]:
    """Draw `size` pages, or all if there are fewer.

    The strata are quantiles of relevance: equal in size, but for one page. Each gives the same number of pages; the
    remainder comes from the largest, one each.

    relevance : (n,) of all pages, in order of arrival
    size : pages to draw, from 1 on
    seed : of the random numbers

    Raises AuditError if there is nothing to draw.
    """
    if size < 1:
        raise AuditError(f"a sample of {size} pages tells nothing: draw at least 1")
    if not len(relevance):
        raise AuditError("no page was fetched yet, so there is nothing to draw from")
    size = min(size, len(relevance))
    numbers = np.random.default_rng(seed).random(len(relevance))  # the k-th is the same however many follow
    strata = np.array_split(np.argsort(relevance, kind="stable"), min(STRATA, size))
    shares = [size // len(strata)] * len(strata)
    for stratum in sorted(range(len(strata)), key=lambda i: -len(strata[i]))[: size % len(strata)]:
        shares[stratum] += 1
    return [
        Drawn(number, len(places), places[np.argsort(numbers[places])][:share].astype(np.int64))
        for number, (places, share) in enumerate(zip(strata, shares, strict=True), start=1)
    ]


def new_sheet(
    store: Store, pages: Population, size: int, known: Mapping[str, bool] | None = None, seed: int = 0
) -> list[SheetLine]:
    """Draw a sample and give what is known of it.

    The lines come in an order that takes one page of each stratum in turn, so that a person who stops anywhere has judged all
    strata alike; those that were judged before come after those still to be judged. Pages that were judged and are not in this
    sample stand at the end, without a stratum.

    pages : the collection's
    known : URL -> judgement so far

    Raises AuditError if there is nothing to draw, or a page judged so far is not in the collection.
    """
    known = known or {}
    found = places(store, known.keys())
    if strangers := known.keys() - found.keys():
        raise AuditError(
            f"{min(strangers)} was judged, but the collection has no such page: the judgements are of another crawl"
        )
    in_turn = _in_turn(draw(pages.relevance, size, seed))
    lines = [_drawn_line(store, pages, place, known, stratum) for place, stratum in in_turn]
    lines.sort(key=lambda line: line.relevant is not None)  # stable: each part stays in turn
    drawn = {line.url for line in lines}
    return lines + [_drawn_line(store, pages, place, known) for url, place in found.items() if url not in drawn]


def _in_turn(strata: list[Drawn]) -> Iterator[tuple[int, Drawn]]:
    for turn in range(max(len(stratum.places) for stratum in strata)):
        yield from ((int(stratum.places[turn]), stratum) for stratum in strata if turn < len(stratum.places))


def _drawn_line(
    store: Store, pages: Population, place: int, known: Mapping[str, bool], stratum: Drawn | None = None
) -> SheetLine:
    ((url, title),) = addresses_and_titles(store, pages.seqs[[place]], 0)
    number, size = (stratum.number, stratum.pages) if stratum else (None, 0)
    return SheetLine(url, known.get(url), number, size, title, float(pages.relevance[place]))


def sheet_of(store: Store, desk: Desk) -> list[SheetLine]:
    """The lines of audit.csv beside a database, with the verdicts of the desk's pile for audits; none where nothing was drawn.

    Raises AuditError for a sheet that cannot be read.
    """
    path = store.path.with_name(AUDIT)
    return with_verdicts(read_sheet(path), verdicts_of(desk)) if path.is_file() else []


def with_verdicts(lines: Sequence[SheetLine], verdicts: Mapping[str, bool]) -> list[SheetLine]:
    """Lines with what was said on the desk, which comes before what stands in the file."""
    return [replace(line, relevant=verdicts.get(line.url, line.relevant)) for line in lines]


def verdicts_of(desk: Desk) -> dict[str, bool]:
    """URL -> what a person says, of the pile for audits alone."""
    return {verdict.url: verdict.relevant for verdict in desk.verdicts(AUDIT_PILE)}


def draw_sheet(store: Store, desk: Desk, size: int, path: Path | None = None, seed: int = 0) -> list[SheetLine]:
    """Draw a sample into a file, audit.csv beside a database if nobody names another; what was judged before is kept.

    Raises AuditError where that cannot be.
    """
    path, said = path or store.path.with_name(AUDIT), verdicts_of(desk)
    here = places(store, said.keys())  # a desk outlives a crawl: it may know pages that this one has not
    known = judged(read_sheet(path) if path.exists() else ()) | {url: said[url] for url in here}
    lines = new_sheet(store, population(store), size, known, seed)
    write_sheet(lines, path)
    return lines
