"""What a person's corrections do to a taxonomy with mistakes: are the first pages that `scrapy taxonomy classify` shows wrong ones?

Examples of each class of a data set are listed, some of them in a wrong class, chosen at random. A person looks at the first
pages of the list, round after round, and says where each belongs; for comparison another one looks at pages chosen at random.
After each round a classifier is trained and tested on pages that are no examples.

Example:
    python -m lab.benchmarks.taxonomy_corrections webkb.tar.xz wikispeedia.tar.xz
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from random import Random
from statistics import mean

from focused.exceptions import FocusedError, WebError
from focused.reading.reader import Reader, ReadingOptions
from focused.reporting.progress_line import ProgressLine
from focused.simulation.recorded_web import RecordedWeb
from focused.storage.repository import Stored
from focused.storage.taxonomy_store import Listing, TaxonomyStore
from focused.strategies.focused.taxonomy import name_of
from focused.taxonomies.guesses import guesses
from focused.training.examples import Document, Examples
from focused.training.kinds.classifier import Classifier
from focused.training.sources.taxonomy_source import taxonomy_documents
from focused.training.sources.web_source import web_documents
from lab.results.results_table import markdown
from lab.webs.kinds import data_set_kind
from lab.webs.webkb import WebKB
from lab.webs.wikispeedia import Wikispeedia

EXAMPLES, TESTED = 30, 30  #: pages of each class that are listed, and others that test
WRONG = 0.1  #: share of the examples that are listed in a wrong class
LOOK, ROUNDS = 20, 4  #: pages that a person looks at in a round
FOLDS = 5
SECONDS = 10.0  #: between two lines of progress

Classes = Mapping[str, Sequence[Document]]
Row = tuple[int, float]  #: wrong examples that are left, and accuracy on pages that are no examples


def classes_of(web: RecordedWeb, reader: Reader) -> Classes:
    """The pages of each class that has enough of them, in the order of the web."""
    found: dict[str, list[Document]] = {}
    for document in web_documents(web, reader):
        if document.page.terms:
            found.setdefault(name_of(document.node), []).append(document)
    return {name: found[name] for name in sorted(found) if len(found[name]) >= EXAMPLES + TESTED}


def rounds(web: RecordedWeb, classes: Classes, reader: Reader, seed: int, *, at_random: bool) -> Iterator[Row]:
    """What is left, before the first round and after each."""
    chance = Random(seed)
    drawn = {name: chance.sample(list(pages), EXAMPLES + TESTED) for name, pages in classes.items()}
    tested = [document for pages in drawn.values() for document in pages[EXAMPLES:]]
    truth = {document.page.url: name for name, pages in drawn.items() for document in pages[:EXAMPLES]}
    wrong = chance.sample(sorted(truth), round(WRONG * len(truth)))
    listed = truth | {url: chance.choice([name for name in classes if name != truth[url]]) for url in wrong}
    with tempfile.TemporaryDirectory() as folder, closing(TaxonomyStore(Path(folder), make=True)) as store:
        store.take_in((Listing(name, url) for url, name in listed.items()), "listed")
        for url in listed:
            answer = web.answer(url)
            assert answer is not None  # it was read a moment ago
            store.keep_page(url, Stored(url, answer.status, tuple(answer.headers), answer.body), "")
        for number in range(ROUNDS + 1):
            left = sum(example.category != truth[example.url] for example in store.examples())
            yield left, accuracy(list(taxonomy_documents(store, reader)), tested)
            if number == ROUNDS:
                return
            found = [
                guess.example for guess in guesses(store, reader, FOLDS, lambda _: None) if not guess.example.judged
            ]
            looked_at = chance.sample(found, LOOK) if at_random else found[:LOOK]
            store.judge({example.url: truth[example.url] for example in looked_at})


def accuracy(learned: Sequence[Document], tested: Sequence[Document]) -> float:
    """Share of pages whose most probable class is theirs."""
    model = Classifier().fit(Examples(learned))
    return mean(model.best_leaf(model.probabilities(document.page.terms)) == document.node for document in tested)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path, nargs="+", help="WebKB or Wikispeedia: folders or tar archives")
    parser.add_argument(
        "--repeat", type=int, default=5, metavar="N", help="draws of examples and mistakes (default: 5)"
    )
    arguments = parser.parse_args()
    for path in arguments.data:
        is_webkb = data_set_kind(path) == "webkb"
        web = WebKB(path, fold_index=True) if is_webkb else Wikispeedia(path)
        print(
            f"{path.name}\n\n{table(web, Reader(ReadingOptions(fold_index=is_webkb)), arguments.repeat)}\n", flush=True
        )


def table(web: RecordedWeb, reader: Reader, repeat: int) -> str:
    """Means over the draws, a row for each round."""
    classes = classes_of(web, reader)
    if len(classes) < 2:
        raise WebError(f"fewer than two classes with {EXAMPLES + TESTED} pages: give WebKB or Wikispeedia")
    runs: dict[bool, list[list[Row]]] = {False: [], True: []}
    with closing(ProgressLine(SECONDS)) as line:
        for seed in range(repeat):
            for at_random, done in runs.items():
                line.show(lambda: f"draw {len(runs[True]) + 1} of {repeat}", len(runs[True]), repeat)
                done.append(list(rounds(web, classes, reader, seed, at_random=at_random)))
    head = ["pages looked at", "wrong, shown first", "wrong, at random", "accuracy, shown first", "accuracy, at random"]
    rows = []
    for number in range(ROUNDS + 1):
        left, right = ([mean(run[number][value] for run in runs[way]) for way in (False, True)] for value in (0, 1))
        rows.append(
            [
                f"{number * LOOK} of {EXAMPLES * len(classes)}",
                *(f"{one:.1f}" for one in left),
                *(f"{one:.3f}" for one in right),
            ]
        )
    return "\n".join(markdown([head, *rows]))


if __name__ == "__main__":
    try:
        main()
    except FocusedError as error:
        sys.exit(str(error))
