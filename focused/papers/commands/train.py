"""`scrapy train`: learn from examples what a strategy needs before it crawls, say how good it is, keep it as a model."""

from __future__ import annotations

import argparse
import shlex
from contextlib import ExitStack, closing
from pathlib import Path
from typing import TYPE_CHECKING

from scrapy.exceptions import UsageError

from focused.exceptions import TrainingError
from focused.explain.command import FocusedCommand, with_verb_first
from focused.explain.plain_output import TableColumn, print_table
from focused.topic.plain_files import shown_path

if TYPE_CHECKING:
    from focused.collection.trained_model import Card
    from focused.topic.topic import Topic

FOLDS = 5

#: Options that may be repeated: metavar and help.
SEVERAL_TIMES = (
    ("--folder", "DIR", "pages, one subfolder for each class"),
    ("--crawl", "DIR", "collection of an earlier crawl, or its name"),
    ("--taxonomy", "NAME", "fetched examples of scrapy taxonomy, in its categories; those marked there are good"),
    ("--web", "WEB", "recorded web: WARC files, or a data set of the laboratory"),
    ("--without", "PART", "of the recorded web, which is left out: a model that is tested there must not know it"),
    ("--good", "CLASS", "class on topic, with all below (default: relevant, and the marks of --taxonomy)"),
)


class Command(FocusedCommand):
    usage = "NAME KIND [options]"
    summary = "Train a model that a strategy needs (page model, link values, term statistics) from examples"
    examples = """
scrapy train solar classifier -a topic=solar --crawl data/solar
scrapy train science classifier --folder pages --good science/physics     pages/science/physics/*.html, pages/sports/*.html
scrapy train energy classifier --taxonomy energy
scrapy train solar logistic --crawl data/solar --labels checked.csv
scrapy train solar paths --crawl data/solar --labels checked.csv
scrapy train solar space -a topic=solar --web solar-2025.warc.gz
scrapy train mine knowledge --crawl solar --crawl wind        what earlier crawls taught, for other topics
scrapy train mine weights --crawl solar --crawl wind"""

    def long_desc(self) -> str:
        from focused.papers.training.kinds import get_kind, names

        kinds = "\n".join(f"  {name:<11} {get_kind(name).about}" for name in names())
        return (
            f"Kinds:\n{kinds}\n"
            "Sources add up: -a topic=NAME (its description and example files are on topic), --folder, --crawl,\n"
            "--taxonomy, --web.\n"
            "The model is written to the folder models of the project, so that its egg takes it along, or, without one, to\n"
            "FOCUSED_DATA_DIR/models: NAME.npz, which is data, with a card beside it, NAME.json.\n"
            "Use it with -a strategy.model=NAME, knowledge with strategy.knowledge=NAME, weights with strategy.weights=NAME;\n"
            "with -a relevance.model=NAME a classifier, logistic or layers says what is on topic, for any strategy."
        )

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        self.add_arguments_option(
            parser,
            "topic=NAME or keywords=WORDS, as of scrapy crawl topical: keywords, description, example files, language",
        )
        for option, metavar, text in SEVERAL_TIMES:
            parser.add_argument(option, action="append", default=[], metavar=metavar, help=text)
        parser.add_argument(
            "--labels",
            type=Path,
            metavar="FILE",
            help="classes of URLs for --crawl and --web: .csv, .toml, .labels.json",
        )
        parser.add_argument(
            "--folds", type=int, default=FOLDS, metavar="N", help="parts of the cross-validation (default: 5)"
        )
        parser.add_argument(
            "--set", dest="choices", action="append", default=[], metavar="NAME=VALUE", help="option of the kind"
        )
        parser.add_argument("--licence", default="", metavar="TEXT", help="of a model that you pass on, for its card")
        parser.add_argument("--replace", action="store_true", help="overwrite a model of that name")

    def execute(self, args: list[str], opts: argparse.Namespace) -> None:
        from focused.collection.trained_model import MODELS, check_name, home_of, known_card, save_model, versions
        from focused.papers.taxonomies.taxonomy_store import TAXONOMIES, TaxonomyStore
        from focused.papers.training.kinds import card_of, names
        from focused.papers.training.sources import examples_of, kind_of, outcomes_of

        args = with_verb_first(args, names())
        if len(args) != 2:
            raise UsageError(
                f"give a name and a kind, as in: scrapy train solar classifier (kinds: {', '.join(names())})"
            )
        name, command = args[1], _arguments(args[::-1], opts)
        check_name(name)
        versions()  # where a package is missing, it is told before anything is read
        if not 2 <= opts.folds <= 100:
            raise TrainingError(f"--folds {opts.folds}: give a number from 2 to 100")
        kind = kind_of(args[0], opts.choices)
        data = self.data
        home = home_of(name, data / MODELS)
        before = known_card(name, home)
        is_other = before and with_verb_first(before.command, names()) != with_verb_first(command, names())
        if before and is_other and not opts.replace:
            raise TrainingError(
                f"{shown_path(home / name)}.json: a model of that name was made by: scrapy train "
                f"{shlex.join(before.command)}; give this one another name, or --replace to overwrite it"
            )
        with closing(self.progress()) as progress, ExitStack() as opened:
            taxonomies = [
                opened.enter_context(closing(TaxonomyStore(data / TAXONOMIES / name))) for name in opts.taxonomy
            ]
            examples = (
                outcomes_of(opts, kind.from_crawls, data, progress.show)
                if kind.from_crawls
                else examples_of(opts, self._given(opts), data, taxonomies, progress.show)
            )
            kind.check(examples, opts.folds)
            scores = dict(kind.scores(examples, opts.folds, lambda text: progress.show(lambda: text)))
            model = kind.fit(examples)
        card = card_of(kind, name, command, examples, model, scores).model_copy(update={"licence": opts.licence})
        path = save_model(home, card, model)
        _print_report(card, opts.folds, guessed=bool(opts.crawl) and opts.labels is None, labelled=not kind.from_crawls)
        instead = f" in place of the one made {before.made}" if before else ""
        print(f"{shown_path(path)} is written{instead}. Use it with: -a strategy.{kind.option}={name}")

    def _given(self, opts: argparse.Namespace) -> Topic | None:
        """What was given with -a, as a topic, which needs no seeds; None if nothing was."""
        from focused.topic.topic_arguments import NO_SEED

        given = self.arguments(opts)
        return self.topic(given if "topic" in given else {"seeds": NO_SEED} | given) if given else None


def _arguments(args: list[str], opts: argparse.Namespace) -> tuple[str, ...]:
    """The arguments that make this model again."""
    lists = {
        "-a": opts.arguments,
        "--folder": opts.folder,
        "--crawl": opts.crawl,
        "--taxonomy": opts.taxonomy,
        "--web": opts.web,
        "--labels": [str(opts.labels)] if opts.labels else [],
        "--without": opts.without,
        "--good": opts.good,
        "--folds": [str(opts.folds)] if opts.folds != FOLDS else [],
        "--set": opts.choices,
        "--licence": [opts.licence] if opts.licence else [],
    }
    return (*args, *(word for option, values in lists.items() for value in values for word in (option, value)))


def _print_report(card: Card, folds: int, *, guessed: bool, labelled: bool) -> None:
    """What was learned from and how good it is.

    guessed : the pages' classes are an earlier crawl's own opinion
    labelled : the kind can learn from labels
    """
    print(f"Model {card.name}, kind {card.kind}, from {'; '.join(card.sources)}")
    print_table(("learned from", TableColumn("", True)), list(card.counts.items()))
    if not card.scores:
        return
    what = "Agreement with what the crawl guessed" if guessed else "Quality"
    title = f"\n{what}, on pages not learned from ({folds}-fold cross-validation)"
    print_table(
        ("measure", TableColumn("", True)), [(name, f"{score:.3f}") for name, score in card.scores.items()], title
    )
    if guessed:
        advice = " Judge pages (scrapy judge) and give --labels FILE." if labelled else ""
        print(f"This is no accuracy: a guess that is wrong was learned as it is.{advice}")
