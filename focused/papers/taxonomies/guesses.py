"""Where the classifier puts each example: by a model that has not learned from it."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from focused.exceptions import TaxonomyError
from focused.page.plain_text import cell, csv_lines, delimiter_of, plain, uncelled
from focused.page.reader import Reader
from focused.papers.models.taxonomy import Node, Taxonomy, name_of, node_of
from focused.papers.taxonomies.taxonomy_store import ExampleUrl, TaxonomyStore
from focused.papers.training.examples import Examples, TrainingDocument, parts, require_documents
from focused.papers.training.kinds import Classifier, ShowProgress
from focused.papers.training.sources import example_documents
from focused.topic.mistakes import shown
from focused.topic.plain_files import read_text, replace_file, shown_path, writing

FEWEST = 10  #: pages with a category


@dataclass(frozen=True)
class Guess:
    """An example and where the classifier puts it.

    probability : of that category, in [0, 1]
    """

    example: ExampleUrl
    node: Node
    probability: float

    @property
    def agrees(self) -> bool | None:
        """Whether the example belongs there, or above; None if nobody has said where it belongs."""
        node = node_of(self.example.category or "")
        return self.node[: len(node)] == node if node else None

    @property
    def order(self) -> tuple[int, float, str]:
        """What a person should look at first: clear disagreements, then examples without a category, then the rest.

        A person who has judged an example need not look at it again.
        """
        rank = 3 if self.example.judged else {False: 0, None: 1, True: 2}[self.agrees]
        doubt = self.probability if rank == 2 else -self.probability
        return rank, doubt, self.example.url


def guesses(store: TaxonomyStore, reader: Reader, folds: int, said: ShowProgress) -> list[Guess]:
    """A guess for each fetched example that is not dropped, in the order in which a person should look at them.

    Those with a category are judged by cross-validation, the others by a model of all that have one.
    Raises TrainingError or TaxonomyError if there is too little to learn from.
    """
    known: list[tuple[ExampleUrl, TrainingDocument]] = []
    others: list[tuple[ExampleUrl, TrainingDocument]] = []
    for number, (example, document) in enumerate(example_documents(store, reader), start=1):
        said(f"reading examples: {number:,} pages")
        (known if document.node else others).append((example, document))
    documents = [document for _, document in known]
    require_documents(Examples(documents), max(FEWEST, folds))
    if len({document.node for document in documents}) < 2:
        raise TaxonomyError("all fetched examples are of one category: fetch those of another, to tell them apart")
    found: list[Guess] = []
    for number, (learned, tested) in enumerate(parts([name_of(d.node) for d in documents], folds), start=1):
        said(f"classifying, part {number} of {folds}")
        found += _guessed(_model([documents[i] for i in learned]), [known[i] for i in tested])
    if others:
        found += _guessed(_model(documents), others)
    return sorted(found, key=lambda guess: guess.order)


def _model(documents: Sequence[TrainingDocument]) -> Taxonomy:
    return Classifier().fit(Examples(documents))


def _guessed(model: Taxonomy, tested: Sequence[tuple[ExampleUrl, TrainingDocument]]) -> Iterator[Guess]:
    for example, document in tested:
        found = model.probabilities(document.page.terms)
        best = model.best_leaf(found)
        yield Guess(example, best, found[best])


COLUMNS = ("url", "title", "category", "guess", "probability", "judged", "verdict")
NEEDED = ("url", "category", "guess", "verdict")
KEEP, GUESS, DROP = "keep", "guess", "drop"  #: what a verdict may say beside the name of a category


def write_verdicts(found: Iterable[Guess], path: Path) -> None:
    """Write a sheet, at once and completely, in the order of the guesses; TaxonomyError if that cannot be."""
    rows: list[Sequence[str]] = [COLUMNS]
    for guess in found:
        example = guess.example
        texts = (example.title, example.category or "", name_of(guess.node))
        known = cell(example.url), *(cell(plain(text)) for text in texts)
        rows.append((*known, f"{guess.probability:.4f}", example.judged or "", ""))
    with writing(path, TaxonomyError):
        replace_file(path, csv_lines(rows).encode())


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
            raise TaxonomyError(
                f"no column {missing[0]!r}: fill the file that scrapy taxonomy NAME classify --csv FILE wrote"
            )
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
