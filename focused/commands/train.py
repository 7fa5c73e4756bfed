"""`scrapy train`: learn from examples what a strategy needs before it crawls, say how good it is, keep it as a model."""

from __future__ import annotations

import argparse
import shlex
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, closing
from functools import partial
from pathlib import Path

from pydantic import ValidationError
from scrapy.exceptions import UsageError

from focused import strategies
from focused.exceptions import TrainingError
from focused.reading.reader import Reader, ReadingOptions
from focused.reporting.command import FocusedCommand
from focused.reporting.progress_line import ProgressLine
from focused.reporting.tables import Column, print_table
from focused.run.assemble import KNOWLEDGE, MODEL
from focused.simulation.known_webs import web_called
from focused.storage.collection import collections, data_folder
from focused.storage.own_key import key_file
from focused.storage.taxonomy_store import TAXONOMIES, TaxonomyStore
from focused.storage.trained_model import MODELS, Card, check_name, known_card, save_model, trust_model, versions
from focused.strategies.focused.taxonomy import Node, node_of
from focused.topic.mistakes import in_plain_words, unknown
from focused.topic.plain_files import at_home, shown_path
from focused.topic.topic import Topic
from focused.topic.topic_arguments import NO_SEED, topic_from_arguments
from focused.training.card import card_of
from focused.training.examples import RELEVANT, Document, Examples
from focused.training.kind import Kind
from focused.training.kinds import get_kind, names
from focused.training.sources.crawl_source import crawl_documents, reading_of
from focused.training.sources.folder_source import folder_documents
from focused.training.sources.label_source import read_url_labels
from focused.training.sources.outcome_source import outcome_examples
from focused.training.sources.taxonomy_source import taxonomy_documents
from focused.training.sources.topic_source import topic_documents
from focused.training.sources.web_source import web_documents

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
    examples = """
scrapy train classifier solar -a topic=solar --crawl data/solar
scrapy train classifier science --folder pages --good science/physics     pages/science/physics/*.html, pages/sports/*.html
scrapy train classifier energy --taxonomy energy
scrapy train logistic solar --crawl data/solar --labels checked.csv
scrapy train paths solar --crawl data/solar --labels checked.csv
scrapy train space solar -a topic=solar --web solar-2025.warc.gz
scrapy train knowledge mine --crawl solar --crawl wind        what earlier crawls taught, for other topics
scrapy train --trust theirs                                   let the pickle data/models/theirs.joblib run in your crawls"""

    def syntax(self) -> str:
        return "[options] KIND NAME"

    def short_desc(self) -> str:
        return "Train a model that a strategy needs (page model, link values, term statistics) from examples"

    def long_desc(self) -> str:
        kinds = "\n".join(f"  {name:<11} {get_kind(name).about}" for name in names())
        return (
            f"Kinds:\n{kinds}\n"
            "Sources add up: -a topic=NAME (its description and example files are on topic), --folder, --crawl,\n"
            "--taxonomy, --web.\n"
            "The model is written to FOCUSED_DATA_DIR/models, NAME.npz, with a card beside it, NAME.json. It is data and runs\n"
            "nothing. A kind of your own may make a pickle, NAME.joblib, which is a program: it is signed with your key.\n"
            "Use it with -a strategy.model=NAME, and knowledge with -a strategy.knowledge=NAME."
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
        parser.add_argument(
            "--trust",
            metavar="NAME",
            help="sign a pickled model with your key: it may then run whatever its maker wrote",
        )
        parser.add_argument("--replace", action="store_true", help="overwrite a model of that name")

    def execute(self, args: list[str], opts: argparse.Namespace) -> None:
        assert self.settings is not None
        if opts.trust is not None:
            self._trust(args, opts.trust)
            return
        if len(args) != 2:
            raise UsageError(
                f"give a kind and a name, as in: scrapy train classifier solar (kinds: {', '.join(names())})"
            )
        name, command = args[1], _arguments(args, opts)
        check_name(name)
        versions()  # where a package is missing, it is told before anything is read
        if not 2 <= opts.folds <= 100:
            raise TrainingError(f"--folds {opts.folds}: give a number from 2 to 100")
        kind = _kind(args[0], opts.choices)
        data = data_folder(self.settings)
        before = known_card(name, data / MODELS)
        if before and before.command != command and not opts.replace:
            raise TrainingError(
                f"{shown_path(data / MODELS / name)}.json: a model of that name was made by: scrapy train "
                f"{shlex.join(before.command)}; give this one another name, or --replace to overwrite it"
            )
        progress = ProgressLine(self.settings.getfloat("FOCUSED_PROGRESS_SECONDS", 10.0))
        with closing(progress), ExitStack() as opened:
            taxonomies = [
                opened.enter_context(closing(TaxonomyStore(data / TAXONOMIES / name))) for name in opts.taxonomy
            ]
            examples = (
                _outcomes(opts, data, progress)
                if kind.from_crawls
                else self._examples(opts, data, taxonomies, progress)
            )
            kind.check(examples, opts.folds)
            scores = dict(kind.scores(examples, opts.folds, lambda text: progress.show(lambda: text)))
            model = kind.fit(examples)
        card = card_of(kind, name, command, examples, model, scores)
        path = save_model(data / MODELS, card, model)
        _print_report(card, opts.folds, guessed=bool(opts.crawl) and opts.labels is None, labelled=not kind.from_crawls)
        instead = f" in place of the one made {before.made}" if before else ""
        option = KNOWLEDGE if kind.from_crawls else MODEL
        print(f"{shown_path(path)} is written{instead}. Use it with: -a strategy.{option}={name}")

    def _trust(self, args: list[str], name: str) -> None:
        assert self.settings is not None
        if args:
            raise UsageError(f"--trust {name} stands alone: nothing is trained with it")
        path = trust_model(name, data_folder(self.settings) / MODELS)
        print(f"{shown_path(path)} is signed with your key, and may run in your crawls: {key_file()}")

    def _examples(
        self, opts: argparse.Namespace, data: Path, taxonomies: list[TaxonomyStore], progress: ProgressLine
    ) -> Examples:
        topic = self._topic(self.arguments(opts))
        crawls = [_collection(name, data) for name in opts.crawl]
        name = web_called(opts.web) if opts.web else None
        web = name.open() if name else None
        if not (topic or opts.folder or crawls or taxonomies or web):
            raise TrainingError("nothing to learn from: give -a topic=NAME, --folder, --crawl, --taxonomy or --web")
        if topic is not None:
            reading = topic.reading
        elif crawls:
            reading = reading_of(crawls[0])
        else:
            reading = ReadingOptions(fold_index=bool(name and name.kind and name.kind.folds_index))
        reader = Reader(reading, keep=topic.keywords_by_language if topic else ())
        labels = read_url_labels(opts.labels, reader.rules) if opts.labels else None
        if opts.without and web is None:
            raise TrainingError("--without names parts of a recorded web: give --web, or leave it out")
        sources: list[tuple[str, Iterable[Document]]] = []
        if topic is not None:
            sources.append((f"topic {topic.name}", topic_documents(topic, reader)))
        sources += [(f"folder {name}", folder_documents(Path(name), reader)) for name in opts.folder]
        own = "" if labels else " as it judged its pages itself"
        sources += [(f"crawl {shown_path(folder)}{own}", crawl_documents(folder, reader, labels)) for folder in crawls]
        sources += [(f"taxonomy {store.folder.name}", taxonomy_documents(store, reader)) for store in taxonomies]
        if web is not None:
            omitted = f" without {', '.join(opts.without)}" if opts.without else ""
            sources.append((f"web {', '.join(opts.web)}{omitted}", web_documents(web, reader, labels, opts.without)))
        documents = {document.page.url: document for document in _counted(sources, progress)}
        return Examples(
            list(documents.values()),
            _good(opts.good, taxonomies, {document.node for document in documents.values()}),
            Counter(reader.analyser.terms(" ".join(topic.keywords))) if topic else {},
            reader.analyser.language,
            [source for source, _ in sources],
            reader.analyser.stemming,
        )

    def _topic(self, given: dict[str, str]) -> Topic | None:
        if not given:
            return None
        if "topic" not in given:
            given.setdefault("seeds", NO_SEED)
        return topic_from_arguments(given, strategies, topics_dir=self.topics_dir)


def _outcomes(opts: argparse.Namespace, data: Path, progress: ProgressLine) -> Examples:
    """What links led to in earlier crawls, for a kind that has no other source."""
    others = {"-a": opts.arguments, "--folder": opts.folder, "--taxonomy": opts.taxonomy, "--web": opts.web}
    others |= {"--without": opts.without, "--good": opts.good, "--labels": opts.labels}
    if given := [option for option, value in others.items() if value]:
        raise TrainingError(f"what links led to is learned from crawls alone: leave {', '.join(given)} out")
    if not opts.crawl:
        raise TrainingError("nothing to learn from: give --crawl")
    folders = list(dict.fromkeys(_collection(name, data) for name in opts.crawl))
    return outcome_examples(folders, lambda text: progress.show(lambda: text))


def _counted(sources: Iterable[tuple[str, Iterable[Document]]], progress: ProgressLine) -> Iterator[Document]:
    """All documents of all sources, while it is shown how many have been read."""
    for source, documents in sources:
        for number, document in enumerate(documents, start=1):
            progress.show(partial("reading {}: {:,} pages".format, source, number))
            yield document


def _good(given: list[str], taxonomies: list[TaxonomyStore], nodes: set[Node]) -> frozenset[Node]:
    """The classes on topic: those a person gives, else those that taxonomies mark, and what other sources call relevant."""
    marked = {node_of(name) for store in taxonomies for name in store.good()}
    if taxonomies and not (given or marked):
        raise TrainingError(
            f"taxonomy {taxonomies[0].folder.name}: nothing is marked as on topic; give --good CLASS, or mark it: "
            f"scrapy taxonomy good {taxonomies[0].folder.name} CATEGORY"
        )
    if given or not taxonomies:
        return frozenset(map(node_of, given)) or frozenset({RELEVANT})
    return frozenset(marked | ({RELEVANT} & nodes))


def _kind(name: str, choices: list[str]) -> Kind:
    """A kind with its options, which are checked."""
    kind = get_kind(name)
    fields = kind.Options.model_fields
    given: dict[str, str] = {}
    for choice in choices:
        option, equals, value = choice.partition("=")
        if not equals or option not in fields:
            raise TrainingError(f"--set {choice}: {option!r} is {unknown(option, fields, plural='options')}")
        given[option] = value
    try:
        return kind(kind.Options.model_validate(given))
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        raise TrainingError(f"--set {first['loc'][0]}: {in_plain_words(first)}") from None


def _collection(name: str, data: Path) -> Path:
    """The folder of a collection that a person calls by its path, or by its name in the data folder."""
    path = at_home(name)
    return data / name if not path.is_dir() and name in collections(data) else path


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
    }
    return (*args, *(word for option, values in lists.items() for value in values for word in (option, value)))


def _print_report(card: Card, folds: int, *, guessed: bool, labelled: bool) -> None:
    """What was learned from and how good it is.

    guessed : the pages' classes are an earlier crawl's own opinion
    labelled : the kind can learn from labels
    """
    print(f"Model {card.name}, kind {card.kind}, from {'; '.join(card.sources)}")
    print_table(("learned from", Column("", True)), list(card.counts.items()))
    if not card.scores:
        return
    what = "Agreement with what the crawl guessed" if guessed else "Quality"
    title = f"\n{what}, on pages not learned from ({folds}-fold cross-validation)"
    print_table(("measure", Column("", True)), [(name, f"{score:.3f}") for name, score in card.scores.items()], title)
    if guessed:
        advice = " Judge pages (scrapy audit) and give --labels FILE." if labelled else ""
        print(f"This is no accuracy: a guess that is wrong was learned as it is.{advice}")
