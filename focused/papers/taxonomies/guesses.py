"""Where the classifier puts each example: by a model that has not learned from it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from focused.exceptions import TaxonomyError
from focused.page.reader import Reader
from focused.papers.strategies.focused.taxonomy import Node, Taxonomy, name_of, node_of
from focused.papers.taxonomies.taxonomy_store import ExampleUrl, TaxonomyStore
from focused.papers.training.examples import Document, Examples
from focused.papers.training.folds import parts
from focused.papers.training.kind import Said
from focused.papers.training.kinds.classifier import Classifier
from focused.papers.training.requirements import require_documents
from focused.papers.training.sources.taxonomy_source import example_documents

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


def guesses(store: TaxonomyStore, reader: Reader, folds: int, said: Said) -> list[Guess]:
    """A guess for each fetched example that is not dropped, in the order in which a person should look at them.

    Those with a category are judged by cross-validation, the others by a model of all that have one.
    Raises TrainingError or TaxonomyError if there is too little to learn from.
    """
    known: list[tuple[ExampleUrl, Document]] = []
    others: list[tuple[ExampleUrl, Document]] = []
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


def _model(documents: Sequence[Document]) -> Taxonomy:
    return Classifier().fit(Examples(documents))


def _guessed(model: Taxonomy, tested: Sequence[tuple[ExampleUrl, Document]]) -> Iterator[Guess]:
    for example, document in tested:
        found = model.probabilities(document.page.terms)
        best = model.best_leaf(found)
        yield Guess(example, best, found[best])
