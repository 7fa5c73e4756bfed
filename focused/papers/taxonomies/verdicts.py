"""The sheet on which a person corrects the classifier: one line an example, the column `verdict` to be filled. CSV."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable
from pathlib import Path

from focused.exceptions import TaxonomyError
from focused.page.plain_text import cell, delimiter_of, plain, uncelled
from focused.papers.strategies.focused.taxonomy import name_of
from focused.papers.taxonomies.guesses import Guess
from focused.topic.mistakes import shown
from focused.topic.plain_files import read_text, shown_path, writing

COLUMNS = ("url", "title", "category", "guess", "probability", "judged", "verdict")
NEEDED = ("url", "category", "guess", "verdict")
KEEP, GUESS, DROP = "keep", "guess", "drop"  #: what a verdict may say beside the name of a category


def write_verdicts(found: Iterable[Guess], path: Path) -> None:
    """Write a sheet, at once and completely, in the order of the guesses; TaxonomyError if that cannot be."""
    text = io.StringIO(newline="")
    rows = csv.writer(text)
    rows.writerow(COLUMNS)
    for guess in found:
        example = guess.example
        texts = (example.title, example.category or "", name_of(guess.node))
        rows.writerow(
            (
                cell(example.url),
                *(cell(plain(text)) for text in texts),
                f"{guess.probability:.4f}",
                example.judged or "",
                "",
            )
        )
    unfinished = path.with_name(f".{path.name}.unfinished")
    with writing(path, TaxonomyError):
        unfinished.write_text(text.getvalue(), encoding="utf-8", newline="")
        unfinished.replace(path)


def read_verdicts(path: Path, category: Callable[[str], str]) -> dict[str, str | None]:
    """What a person says on a sheet: URL -> category, None where it is dropped; lines without a verdict are left out.

    category : makes sure of a category that a person names
    Raises TaxonomyError, with the number of the line, for the first mistake.
    """
    text = read_text(path)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter_of(text), strict=True)
    said: dict[str, str | None] = {}
    try:
        names = [name.strip().lower() for name in next(reader, [])]
        if missing := [name for name in NEEDED if name not in names]:
            raise TaxonomyError(f"no column {missing[0]!r}: fill the file that scrapy taxonomy --csv classify wrote")
        for row in reader:
            if any(text.strip() for text in row):
                cells = dict(zip(names, (uncelled(text.strip()) for text in row), strict=False))
                _take_in(dict.fromkeys(NEEDED, "") | cells, category, said)
    except (TaxonomyError, csv.Error) as error:
        raise TaxonomyError(f"{shown_path(path)}: line {reader.line_num}: {error}") from None
    return said


def _take_in(cells: dict[str, str], category: Callable[[str], str], said: dict[str, str | None]) -> None:
    verdict = cells["verdict"]
    if not verdict:
        return
    if not cells["url"]:
        raise TaxonomyError(f"the verdict {shown(verdict)} stands beside no URL")
    if verdict.lower() == DROP:
        answer = None
    else:
        named = {KEEP: cells["category"], GUESS: cells["guess"]}.get(verdict.lower(), verdict)
        if not named:
            raise TaxonomyError(f"{shown(verdict)}: nobody has said a category that could be kept; name one")
        answer = category(named)
    if said.setdefault(cells["url"], answer) != answer:
        raise TaxonomyError(f"{shown(cells['url'])} has another verdict above")
