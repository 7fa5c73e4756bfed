"""`scrapy taxonomy`: a taxonomy from a file, its examples fetched, classified, corrected by a person, and marked good."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable, Sequence
from contextlib import closing
from itertools import chain
from pathlib import Path

from scrapy.exceptions import UsageError

from focused import strategies
from focused.exceptions import TaxonomyError
from focused.reading.reader import Reader, ReadingOptions
from focused.reporting.command import INTERRUPTED, FocusedCommand
from focused.reporting.progress_line import ProgressLine
from focused.reporting.tables import Column, print_table
from focused.storage.collection import data_folder
from focused.storage.taxonomy_store import TAXONOMIES, ExampleUrl, TaxonomyStore
from focused.strategies.focused.taxonomy import name_of, node_of
from focused.taxonomies.categories import category_of, checked_good, known_category, nodes_of
from focused.taxonomies.guesses import guesses
from focused.taxonomies.importing import RULES, Selection
from focused.taxonomies.listing_files import listings_of
from focused.taxonomies.own_examples import own_examples
from focused.taxonomies.showing import OF_GUESSES, guess_row, list_taxonomies, show
from focused.taxonomies.verdicts import DROP, GUESS, KEEP, read_verdicts, write_verdicts
from focused.topic.mistakes import shown, unknown
from focused.topic.plain_files import shown_path
from focused.topic.topic import TOPIC_NAME, Topic
from focused.topic.topic_arguments import NO_SEED, topic_from_arguments

MOST_PAGES, ROWS, FOLDS = 1_000, 20, 5  #: where nothing else is asked for
MOST_TOPS = 30  #: categories that a message names


class Command(FocusedCommand):
    examples = """
scrapy taxonomy import energy content.rdf.u8.gz --under Business/Energy --under Sports --depth 2 --most 50
scrapy taxonomy add energy https://www.pv-tech.org/ bookmarks.html
scrapy taxonomy good energy Business/Energy/Renewable
scrapy taxonomy fetch energy --pages 500
scrapy taxonomy classify energy --csv doubts.csv
scrapy taxonomy judge energy doubts.csv                      what a person wrote into its column verdict
scrapy taxonomy move energy https://www.pv-tech.org/ Business/Energy/Renewable
scrapy taxonomy show energy Business
scrapy train classifier energy --taxonomy energy"""

    def syntax(self) -> str:
        return f"[options] [VERB NAME ...] (verbs: {', '.join(VERBS)})"

    def short_desc(self) -> str:
        return "Build a taxonomy of example pages: import, fetch, classify, correct, mark what is good"

    def long_desc(self) -> str:
        return (
            "Without arguments: list the taxonomies in FOCUSED_DATA_DIR/taxonomies.\n"
            "import NAME FILE: take in a dump (RDF of DMOZ, tables of Curlie), a table (category TAB URL) or folders of URLs.\n"
            "add NAME URL|FILE...: your own examples: URLs, or files of them (.txt, or bookmarks as .html).\n"
            "fetch NAME: fetch examples politely; run it again to go on.\n"
            "classify NAME: where the classifier puts each page, disagreements first.\n"
            "move NAME URL... CATEGORY, drop NAME URL..., judge NAME FILE: what you say of examples; it is never overwritten.\n"
            "good NAME CATEGORY...: what is on topic. show NAME [CATEGORY]: the tree with its counts."
        )

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        self.add_arguments_option(
            parser, "fetch, classify: topic=NAME, whose settings and language they take (or language=CODE ...)"
        )
        parser.add_argument(
            "--under", action="append", metavar="CATEGORY", help="import: only what lies there (may be repeated)"
        )
        parser.add_argument("--depth", type=int, metavar="N", help="import: levels to keep, below --under if given")
        parser.add_argument("--most", type=int, metavar="N", help="import: examples of a category, drawn at random")
        parser.add_argument("--replace", action="store_true", help="import: forget what earlier files listed")
        parser.add_argument(
            "--pages", type=int, metavar="N", help=f"fetch: URLs to try in this run (default: {MOST_PAGES:,})"
        )
        parser.add_argument("--again", action="store_true", help="fetch: those that failed as well")
        parser.add_argument("--csv", type=Path, metavar="FILE", help="classify: write all guesses, for your verdicts")
        parser.add_argument("--rows", type=int, metavar="N", help=f"classify: guesses to show (default: {ROWS})")
        parser.add_argument(
            "--folds", type=int, metavar="N", help=f"classify: parts of the cross-validation (default: {FOLDS})"
        )
        parser.add_argument("--new", action="store_true", help="move, judge: the category may be a new one")
        parser.add_argument("--not", dest="unmark", action="store_true", help="good: take the marks away")
        parser.add_argument("--urls", action="store_true", help="show: the examples one by one")

    def execute(self, args: list[str], opts: argparse.Namespace) -> None:
        assert self.settings is not None
        if not args:
            list_taxonomies(data_folder(self.settings))
            return
        if args[0] not in VERBS:
            raise UsageError(f"{args[0]}: {unknown(args[0], VERBS, plural='verbs')}", print_help=False)
        if len(args) < 2:
            raise UsageError("give a verb and a name, as in: scrapy taxonomy show energy", print_help=False)
        (act, known), name = VERBS[args[0]], args[1]
        given = [option for option in OPTIONS if getattr(opts, option)]
        if strange := next((option for option in given if option not in known), None):
            raise UsageError(f"{OPTIONS[strange]} means nothing to {args[0]}; leave it out", print_help=False)
        for option, least in LEAST.items():
            if (number := getattr(opts, option)) is not None and number < least:
                raise TaxonomyError(f"--{option} {number}: give a whole number of at least {least}")
        if not TOPIC_NAME.fullmatch(name):
            raise TaxonomyError(
                f"{name!r} is not a name for a taxonomy: use letters, digits, _ . and -, a letter or digit first"
            )
        act(self, data_folder(self.settings) / TAXONOMIES / name, args[2:], opts)

    def topic(self, opts: argparse.Namespace) -> Topic | None:
        """What was given with -a, as a topic; None if nothing was."""
        given = self.arguments(opts)
        if not given:
            return None
        if "topic" not in given:
            given = {"keywords": "taxonomy", "seeds": NO_SEED} | given
        return topic_from_arguments(given, strategies, topics_dir=self.topics_dir)

    def progress(self) -> ProgressLine:
        assert self.settings is not None
        return ProgressLine(self.settings.getfloat("FOCUSED_PROGRESS_SECONDS", 10.0))

    def take_in(self, folder: Path, args: Sequence[str], opts: argparse.Namespace) -> None:
        """Take in what a file lists."""
        file = Path(
            _one(args, "import: give a name and one file, as in: scrapy taxonomy import energy content.rdf.u8.gz")
        )
        if not file.exists():
            raise TaxonomyError(f"{file}: no such file or folder")
        under = tuple(node_of(category_of(name)) for name in opts.under or ())
        selection = Selection(under, opts.depth or 0)
        with closing(self.progress()) as progress:
            taken = selection.taken(
                listings_of(file), lambda: progress.show(lambda: f"reading {file.name}: {selection.read:,} listings")
            )
            first = next(taken, None)
            if first is None:
                tops = ", ".join(sorted(selection.tops)[:MOST_TOPS]) or "none"
                raise TaxonomyError(
                    f"{shown_path(file)}: nothing to take in among {selection.read:,} listings; topmost categories: {tops}"
                )
            with closing(TaxonomyStore(folder, make=True)) as store:
                count = store.take_in(chain([first], taken), file.name, most=opts.most or 0, replace=opts.replace)
        print(f"{count:,} listings are taken in, of {selection.read:,} in {shown_path(file)}.")
        if selection.passed_over:
            print(f"{selection.passed_over:,} were passed over: no http(s) URL, or no category.")
        print(f"Next: scrapy taxonomy show {folder.name}")

    def add(self, folder: Path, args: Sequence[str], opts: argparse.Namespace) -> None:
        """Take in a person's own examples."""
        if not args:
            raise UsageError("add: give URLs, or files of them", print_help=False)
        found = own_examples(args)
        with closing(TaxonomyStore(folder, make=True)) as store:
            store.add_own(found)
        print(f"Your own examples: {len(found):,}. Next: scrapy taxonomy fetch {folder.name}")

    def fetch(self, folder: Path, args: Sequence[str], opts: argparse.Namespace) -> None:
        """Fetch the next examples, until all are tried or Ctrl-C."""
        from focused.taxonomies.example_fetching import Fetching, next_to_fetch  # brings in the whole crawl

        _none(args, "fetch")
        assert self.settings is not None
        topic = self.topic(opts) or topic_from_arguments({"keywords": "taxonomy", "seeds": NO_SEED}, strategies)
        with closing(TaxonomyStore(folder)) as store, closing(self.progress()) as progress:
            urls = next_to_fetch(store.examples(), opts.pages or MOST_PAGES, again=opts.again)
            fetching = Fetching(store, Reader(topic.reading))
            fetching.told = lambda: progress.show(fetching.summary, fetching.done, len(urls))
            if urls:
                fetching.run(urls, topic, self.settings)
            left = len(next_to_fetch(store.examples(), 1_000_000_000))
        print(f"{fetching.summary()}; {left:,} are left.")
        rows = [(reason, count) for reason, count in fetching.failures.most_common()]
        print_table(("why not", Column("examples", True)), rows)
        if fetching.done < len(urls):
            print("Stopped early. The same command goes on.")
            self.exitcode = INTERRUPTED

    def classify(self, folder: Path, args: Sequence[str], opts: argparse.Namespace) -> None:
        """Show where the classifier puts the pages, and keep it."""
        _none(args, "classify")
        topic = self.topic(opts)
        reader = Reader(topic.reading if topic else ReadingOptions(), keep=topic.keywords_by_language if topic else ())
        with closing(TaxonomyStore(folder)) as store, closing(self.progress()) as progress:
            found = guesses(store, reader, opts.folds or FOLDS, lambda text: progress.show(lambda: text))
            store.keep_guesses({guess.example.url: (name_of(guess.node), guess.probability) for guess in found})
        known = [guess for guess in found if guess.agrees is not None]
        agreed = sum(bool(guess.agrees) for guess in known)
        print(
            f"The classifier agrees with {agreed:,} of {len(known):,} pages it did not learn from ({agreed / len(known):.0%})."
        )
        doubts = [guess for guess in found if not guess.agrees and not guess.example.judged]
        title = f"\n{len(doubts):,} you have not judged: it disagrees, or nobody has said where they belong"
        print_table(OF_GUESSES, map(guess_row, doubts[: opts.rows or ROWS]), title)
        if opts.csv:
            write_verdicts(found, opts.csv)
            print(
                f"\n{shown_path(opts.csv)}: write {KEEP}, {GUESS}, {DROP} or a category into its column verdict; stop anywhere.\n"
                f"Then: scrapy taxonomy judge {folder.name} {shown_path(opts.csv)}"
            )

    def move(self, folder: Path, args: Sequence[str], opts: argparse.Namespace) -> None:
        """Keep that examples belong to a category."""
        if len(args) < 2:
            raise UsageError("move: give URLs and the category they belong to", print_help=False)
        with closing(TaxonomyStore(folder)) as store:
            examples = store.examples()
            name = _category(args[-1], examples, new=opts.new)
            store.judge(dict.fromkeys(_known_urls(args[:-1], examples), name))
        print(f"{len(args) - 1:,} judged: {name}")

    def drop(self, folder: Path, args: Sequence[str], opts: argparse.Namespace) -> None:
        """Keep that examples belong to no category."""
        if not args:
            raise UsageError("drop: give URLs", print_help=False)
        with closing(TaxonomyStore(folder)) as store:
            store.judge(dict.fromkeys(_known_urls(args, store.examples())))
        print(f"{len(args):,} dropped")

    def judge(self, folder: Path, args: Sequence[str], opts: argparse.Namespace) -> None:
        """Keep what a person wrote on a sheet."""
        file = Path(_one(args, "judge: give the file that classify --csv wrote"))
        with closing(TaxonomyStore(folder)) as store:
            examples = store.examples()
            said = read_verdicts(file, lambda text: _category(text, examples, new=opts.new))
            if not said:
                raise TaxonomyError(f"{shown_path(file)}: no verdict yet: write into its column verdict")
            store.judge(dict(zip(_known_urls(said, examples), said.values(), strict=True)))
        print(f"{len(said):,} judged. Next: scrapy train classifier {folder.name} --taxonomy {folder.name}")

    def good(self, folder: Path, args: Sequence[str], opts: argparse.Namespace) -> None:
        """Mark categories as on topic, or take marks away."""
        with closing(TaxonomyStore(folder)) as store:
            if opts.unmark:
                store.unmark(map(category_of, args))
            else:
                nodes = nodes_of(store.examples())
                store.mark_good(checked_good({*store.good(), *(known_category(name, nodes) for name in args)}))
            print(f"good: {', '.join(store.good()) or 'nothing'}")

    def show_one(self, folder: Path, args: Sequence[str], opts: argparse.Namespace) -> None:
        """Print the tree, or the examples, below a category."""
        if len(args) > 1:
            raise UsageError("show: give one category, or none", print_help=False)
        show(folder, args[0] if args else "", urls=opts.urls)


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
        raise TaxonomyError(f"{strange}: no example of this taxonomy; scrapy taxonomy add takes it in")
    return found


def _one(args: Sequence[str], advice: str) -> str:
    if len(args) != 1:
        raise UsageError(advice, print_help=False)
    return args[0]


def _none(args: Sequence[str], verb: str) -> None:
    if args:
        raise UsageError(f"{verb}: give the name of the taxonomy alone", print_help=False)


#: What may be done with a taxonomy, and the options that mean something to it.
VERBS: dict[str, tuple[Callable[[Command, Path, Sequence[str], argparse.Namespace], None], set[str]]] = {
    "import": (Command.take_in, {"under", "depth", "most", "replace"}),
    "add": (Command.add, set()),
    "fetch": (Command.fetch, {"arguments", "pages", "again"}),
    "classify": (Command.classify, {"arguments", "csv", "rows", "folds"}),
    "move": (Command.move, {"new"}),
    "drop": (Command.drop, set()),
    "judge": (Command.judge, {"new"}),
    "good": (Command.good, {"unmark"}),
    "show": (Command.show_one, {"urls"}),
}
OPTIONS = {option: f"--{option}" for _, options in VERBS.values() for option in options} | {
    "arguments": "-a",
    "unmark": "--not",
}
LEAST = {"depth": 1, "most": 1, "pages": 1, "rows": 1, "folds": 2}
