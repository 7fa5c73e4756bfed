"""`scrapy taxonomy`: a taxonomy from a file, its examples fetched, classified, corrected by a person, and marked good."""

from __future__ import annotations

import argparse
from pathlib import Path

from scrapy.exceptions import UsageError

from focused.exceptions import TaxonomyError
from focused.explain.command import FocusedCommand, with_verb_first
from focused.topic.mistakes import unknown

#: What may be done with a taxonomy, and the options that mean something to it.
VERBS: dict[str, set[str]] = {
    "import": {"under", "depth", "most", "replace"},
    "add": set(),
    "fetch": {"arguments", "pages", "again"},
    "classify": {"arguments", "csv", "rows", "folds"},
    "move": {"new"},
    "drop": set(),
    "judge": {"new"},
    "good": {"unmark"},
    "show": {"urls"},
}
OPTIONS = {option: f"--{option}" for options in VERBS.values() for option in options} | {
    "arguments": "-a",
    "unmark": "--not",
}
LEAST = {"depth": 1, "most": 1, "pages": 1, "rows": 1, "folds": 2}


class Command(FocusedCommand):
    summary = "Build a taxonomy of example pages: import, fetch, classify, correct, mark what is good"
    about = (
        "Without arguments: list the taxonomies in FOCUSED_DATA_DIR/taxonomies.\n"
        "NAME import FILE: take in a dump (RDF of DMOZ, tables of Curlie), a table (category TAB URL) or folders of URLs.\n"
        "NAME add URL|FILE...: your own examples: URLs, or files of them (.txt, or bookmarks as .html).\n"
        "NAME fetch: fetch examples politely; run it again to go on.\n"
        "NAME classify: where the classifier puts each page, disagreements first.\n"
        "NAME move URL... CATEGORY, NAME drop URL..., NAME judge FILE: what you say of examples; it is never overwritten.\n"
        "NAME good CATEGORY...: what is on topic. NAME show [CATEGORY]: the tree with its counts."
    )
    examples = """
scrapy taxonomy energy import content.rdf.u8.gz --under Business/Energy --under Sports --depth 2 --most 50
scrapy taxonomy energy add https://www.pv-tech.org/ bookmarks.html
scrapy taxonomy energy good Business/Energy/Renewable
scrapy taxonomy energy fetch --pages 500
scrapy taxonomy energy classify --csv doubts.csv
scrapy taxonomy energy judge doubts.csv                      what a person wrote into its column verdict
scrapy taxonomy energy move https://www.pv-tech.org/ Business/Energy/Renewable
scrapy taxonomy energy show Business
scrapy train energy classifier --taxonomy energy"""

    def syntax(self) -> str:
        return f"[NAME VERB ...] [options] (verbs: {', '.join(VERBS)})"

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        from focused.papers.taxonomies.verbs import FOLDS, MOST_PAGES, ROWS

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
        from focused.papers.taxonomies.taxonomy_store import TAXONOMIES
        from focused.papers.taxonomies.verbs import Verbs, list_taxonomies
        from focused.topic.topic import TOPIC_NAME

        args = with_verb_first(args, VERBS)
        if not args:
            list_taxonomies(self.data)
            return
        if args[0] not in VERBS:
            raise UsageError(f"{args[0]}: {unknown(args[0], VERBS, plural='verbs')}", print_help=False)
        if len(args) < 2:
            raise UsageError("give a verb and a name, as in: scrapy taxonomy energy show", print_help=False)
        known, name = VERBS[args[0]], args[1]
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
        verbs = Verbs(self, self.data / TAXONOMIES / name)
        getattr(verbs, "import_" if args[0] == "import" else args[0])(args[2:], opts)
