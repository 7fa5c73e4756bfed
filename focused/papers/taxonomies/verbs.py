"""What `scrapy taxonomy` does with a taxonomy: each verb a function of what a person typed."""

from __future__ import annotations

import argparse
from collections.abc import Container, Iterable, Sequence
from contextlib import closing
from dataclasses import astuple
from itertools import chain
from pathlib import Path

from scrapy.exceptions import UsageError

from focused.exceptions import TaxonomyError, seeing
from focused.explain.command import INTERRUPTED, FocusedCommand
from focused.explain.plain_output import TableColumn, print_table
from focused.page.reader import Reader, ReadingOptions
from focused.papers.models.taxonomy import name_of, node_of
from focused.papers.taxonomies.guesses import DROP, GUESS, KEEP, Guess, guesses, read_verdicts, write_verdicts
from focused.papers.taxonomies.importing import (
    RULES,
    CategoryCount,
    ImportFilter,
    category_of,
    checked_good,
    known_category,
    nodes_of,
    own_examples,
    tree,
)
from focused.papers.taxonomies.listing_files import listings_of
from focused.papers.taxonomies.taxonomy_store import TAXONOMIES, ExampleUrl, TaxonomyStore, taxonomy_names
from focused.topic.mistakes import shown
from focused.topic.plain_files import shown_path
from focused.topic.topic import Topic
from focused.topic.topic_arguments import NO_SEED

OF_TREE: tuple[TableColumn | str, ...] = (
    *("category", "good"),
    *(TableColumn(name, True) for name in ("examples", "judged", "pages", "failed")),
)
OF_GUESSES = (TableColumn("probability", True), "guess", "category", "url", "title")
OF_URLS = ("category", "state", "guess", TableColumn("probability", True), "url", "title")


def list_taxonomies(data: Path) -> None:
    """Print a line for each taxonomy."""
    rows = []
    for name in taxonomy_names(data):
        with closing(TaxonomyStore(data / TAXONOMIES / name)) as store:
            rows.append((name, ", ".join(store.good()), *astuple(tree(store.examples()).get((), CategoryCount()))))
    print_table(("taxonomy", *OF_TREE[1:]), rows)
    if not rows:
        print("No taxonomy yet. Make one: scrapy taxonomy NAME import FILE")


def _guess_row(guess: Guess) -> tuple[object, ...]:
    example = guess.example
    return f"{guess.probability:.3f}", name_of(guess.node), example.category, example.url, example.title


def _row(example: ExampleUrl) -> tuple[object, ...]:
    state = example.reason or ("page" if example.place else "not fetched")
    said = "dropped" if example.dropped else "judged" if example.judged else ""
    probability = None if example.probability is None else f"{example.probability:.3f}"
    told = ", ".join(filter(None, (said, state)))
    return example.category, told, example.guess, probability, example.url, example.title


MOST_PAGES, ROWS, FOLDS = 1_000, 20, 5  #: where nothing else is asked for
MOST_TOPS = 30  #: categories that a message names


class Verbs:
    """The verbs for one taxonomy, each a method that is given what a person typed behind its name."""

    def __init__(self, command: FocusedCommand, folder: Path) -> None:
        self.command, self.folder = command, folder

    def topic(self, given: dict[str, str]) -> Topic:
        """What was given with -a, as a topic."""
        return self.command.topic(given if "topic" in given else {"keywords": "taxonomy", "seeds": NO_SEED} | given)

    def import_(self, args: Sequence[str], opts: argparse.Namespace) -> None:
        """Take in what a file lists."""
        file = Path(
            _one(args, "import: give a name and one file, as in: scrapy taxonomy energy import content.rdf.u8.gz")
        )
        if not file.exists():
            raise TaxonomyError(f"{file}: no such file or folder")
        under = tuple(node_of(category_of(name)) for name in opts.under or ())
        selection = ImportFilter(under, opts.depth or 0)
        with closing(self.command.progress()) as progress:
            taken = selection.taken(
                listings_of(file), lambda: progress.show(lambda: f"reading {file.name}: {selection.read:,} listings")
            )
            first = next(taken, None)
            if first is None:
                tops = ", ".join(sorted(selection.tops)[:MOST_TOPS]) or "none"
                raise TaxonomyError(
                    f"{shown_path(file)}: nothing to take in among {selection.read:,} listings; topmost categories: {tops}"
                )
            with closing(TaxonomyStore(self.folder, make=True)) as store:
                count = store.take_in(chain([first], taken), file.name, most=opts.most or 0, replace=opts.replace)
        print(f"{count:,} listings are taken in, of {selection.read:,} in {shown_path(file)}.")
        if selection.passed_over:
            print(f"{selection.passed_over:,} were passed over: no http(s) URL, or no category.")
        print(f"Next: scrapy taxonomy show {self.folder.name}")

    def add(self, args: Sequence[str], opts: argparse.Namespace) -> None:
        """Take in a person's own examples."""
        if not args:
            raise UsageError("add: give URLs, or files of them", print_help=False)
        found = own_examples(args)
        with closing(TaxonomyStore(self.folder, make=True)) as store:
            store.add_own(found)
        print(f"Your own examples: {len(found):,}. Next: scrapy taxonomy fetch {self.folder.name}")

    def fetch(self, args: Sequence[str], opts: argparse.Namespace) -> None:
        """Fetch the next examples, until all are tried or Ctrl-C."""
        from focused.papers.taxonomies.example_fetching import Fetching, next_to_fetch  # brings in the whole crawl

        _none(args, "fetch")
        topic = self.topic(self.command.arguments(opts))
        with closing(TaxonomyStore(self.folder)) as store, closing(self.command.progress()) as progress:
            urls = next_to_fetch(store.examples(), opts.pages or MOST_PAGES, again=opts.again)
            fetching = Fetching(store, Reader(topic.reading))
            fetching.told = lambda: progress.show(fetching.summary, fetching.done, len(urls))
            if urls:
                fetching.run(urls, topic, self.command.settings)
            left = len(next_to_fetch(store.examples(), 1_000_000_000))
        print(f"{fetching.summary()}; {left:,} are left.")
        rows = [(reason, count) for reason, count in fetching.failures.most_common()]
        print_table(("why not", TableColumn("examples", True)), rows)
        if fetching.done < len(urls):
            print("Stopped early. The same command goes on.")
            self.command.exitcode = INTERRUPTED

    def classify(self, args: Sequence[str], opts: argparse.Namespace) -> None:
        """Show where the classifier puts the pages, and keep it."""
        _none(args, "classify")
        given = self.command.arguments(opts)
        topic = self.topic(given) if given else None
        reader = Reader(topic.reading if topic else ReadingOptions(), keep=topic.keywords_by_language if topic else ())
        with closing(TaxonomyStore(self.folder)) as store, closing(self.command.progress()) as progress:
            if opts.csv:
                self._keep_verdicts(opts.csv, {example.url for example in store.examples() if example.judged})
            found = guesses(store, reader, opts.folds or FOLDS, lambda text: progress.show(lambda: text))
            store.keep_guesses({guess.example.url: (name_of(guess.node), guess.probability) for guess in found})
        known = [guess for guess in found if guess.agrees is not None]
        agreed = sum(bool(guess.agrees) for guess in known)
        print(
            f"The classifier agrees with {agreed:,} of {len(known):,} pages it did not learn from ({agreed / len(known):.0%})."
        )
        doubts = [guess for guess in found if not guess.agrees and not guess.example.judged]
        title = f"\n{len(doubts):,} you have not judged: it disagrees, or nobody has said where they belong"
        print_table(OF_GUESSES, map(_guess_row, doubts[: opts.rows or ROWS]), title)
        if opts.csv:
            write_verdicts(found, opts.csv)
            print(
                f"\n{shown_path(opts.csv)}: write {KEEP}, {GUESS}, {DROP} or a category into its column verdict; stop anywhere.\n"
                f"Then: scrapy taxonomy judge {self.folder.name} {shown_path(opts.csv)}"
            )

    @seeing(TaxonomyError)
    def _keep_verdicts(self, sheet: Path, judged: Container[str]) -> None:
        """Raise TaxonomyError where a sheet that would be replaced has a verdict of an example that nobody has judged."""
        said = read_verdicts(sheet, str) if sheet.is_file() and sheet.stat().st_size else ()
        if unread := [url for url in said if (RULES.canonical(url) or url) not in judged]:
            raise TaxonomyError(
                f"{shown_path(sheet)}: {len(unread):,} verdicts are not taken in yet: "
                f"scrapy taxonomy judge {self.folder.name} {shown_path(sheet)} does, or give another file"
            )

    def move(self, args: Sequence[str], opts: argparse.Namespace) -> None:
        """Keep that examples belong to a category."""
        if len(args) < 2:
            raise UsageError("move: give URLs and the category they belong to", print_help=False)
        with closing(TaxonomyStore(self.folder)) as store:
            examples = store.examples()
            name = _category(args[-1], examples, new=opts.new)
            store.judge(dict.fromkeys(_known_urls(args[:-1], examples), name))
        print(f"{len(args) - 1:,} judged: {name}")

    def drop(self, args: Sequence[str], opts: argparse.Namespace) -> None:
        """Keep that examples belong to no category."""
        if not args:
            raise UsageError("drop: give URLs", print_help=False)
        with closing(TaxonomyStore(self.folder)) as store:
            store.judge(dict.fromkeys(_known_urls(args, store.examples())))
        print(f"{len(args):,} dropped")

    def judge(self, args: Sequence[str], opts: argparse.Namespace) -> None:
        """Keep what a person wrote on a sheet."""
        file = Path(_one(args, "judge: give the file that classify --csv wrote"))
        with closing(TaxonomyStore(self.folder)) as store:
            examples = store.examples()
            said = read_verdicts(file, lambda text: _category(text, examples, new=opts.new))
            if not said:
                raise TaxonomyError(f"{shown_path(file)}: no verdict yet: write into its column verdict")
            store.judge(dict(zip(_known_urls(said, examples), said.values(), strict=True)))
        print(f"{len(said):,} judged. Next: scrapy train {self.folder.name} classifier --taxonomy {self.folder.name}")

    def good(self, args: Sequence[str], opts: argparse.Namespace) -> None:
        """Mark categories as on topic, or take marks away."""
        with closing(TaxonomyStore(self.folder)) as store:
            if opts.unmark:
                store.unmark(map(category_of, args))
            else:
                nodes = nodes_of(store.examples())
                store.mark_good(checked_good({*store.good(), *(known_category(name, nodes) for name in args)}))
            print(f"good: {', '.join(store.good()) or 'nothing'}")

    def show(self, args: Sequence[str], opts: argparse.Namespace) -> None:
        """Print the tree, or the examples, below a category."""
        if len(args) > 1:
            raise UsageError("show: give one category, or none", print_help=False)
        with closing(TaxonomyStore(self.folder)) as store:
            examples, marks = store.examples(), store.good()
        below = node_of(known_category(args[0], nodes_of(examples))) if args else ()
        if opts.urls:
            chosen = [one for one in examples if node_of(one.category or "")[: len(below)] == below]
            print_table(OF_URLS, map(_row, chosen))
            return
        rows = []
        for node, count in tree(examples, below).items():
            name = name_of(node)
            rows.append((name or f"all of {self.folder.name}", "good" if name in marks else "", *astuple(count)))
        print_table(OF_TREE, rows)


def _category(text: str, examples: Sequence[ExampleUrl], *, new: bool) -> str:
    """A category that a person names, which only ``new`` lets be one that has no example yet."""
    if not new:
        try:
            return known_category(text, nodes_of(examples))
        except TaxonomyError as error:
            raise TaxonomyError(f"{error} (--new makes it)") from None
    if name := category_of(text):
        return name
    raise TaxonomyError(f"{shown(text)} is not the name of a category")


def _known_urls(urls: Iterable[str], examples: Sequence[ExampleUrl]) -> list[str]:
    """URLs of examples, as we name them."""
    known = {example.url for example in examples}
    found = [RULES.canonical(url) or url for url in urls]
    if strange := next((url for url in found if url not in known), None):
        raise TaxonomyError(f"{strange}: no example of this taxonomy; scrapy taxonomy takes add it in")
    return found


def _one(args: Sequence[str], advice: str) -> str:
    if len(args) != 1:
        raise UsageError(advice, print_help=False)
    return args[0]


def _none(args: Sequence[str], verb: str) -> None:
    if args:
        raise UsageError(f"{verb}: give the name of the taxonomy alone", print_help=False)
