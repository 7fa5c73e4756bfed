"""What a model is to learn from, of all the sources that a person names to `scrapy train`."""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path

from pydantic import ValidationError

from focused.collection.collection import collections
from focused.exceptions import TrainingError
from focused.page.reader import Reader, ReadingOptions
from focused.papers.models.taxonomy import Node, node_of
from focused.papers.taxonomies.taxonomy_store import TaxonomyStore
from focused.papers.training.examples import RELEVANT, Examples, TrainingDocument
from focused.papers.training.kind import Kind
from focused.papers.training.kinds import get_kind
from focused.papers.training.sources import (
    crawl_documents,
    folder_documents,
    outcome_examples,
    read_url_labels,
    reading_of,
    taxonomy_documents,
    topic_documents,
    web_documents,
)
from focused.simulation.known_webs import web_called
from focused.topic.mistakes import in_plain_words, unknown
from focused.topic.plain_files import at_home, shown_path
from focused.topic.topic import Topic

Show = Callable[[Callable[[], str]], None]  #: shows how far the reading is, where it is time to


def kind_of(name: str, choices: list[str]) -> Kind:
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


def examples_of(
    opts: argparse.Namespace, topic: Topic | None, data: Path, taxonomies: list[TaxonomyStore], show: Show
) -> Examples:
    """All documents of all sources. Raises TrainingError where no source is named."""
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
    sources: list[tuple[str, Iterable[TrainingDocument]]] = []
    if topic is not None:
        sources.append((f"topic {topic.name}", topic_documents(topic, reader)))
    sources += [(f"folder {name}", folder_documents(Path(name), reader)) for name in opts.folder]
    own = "" if labels else " as it judged its pages itself"
    sources += [(f"crawl {shown_path(folder)}{own}", crawl_documents(folder, reader, labels)) for folder in crawls]
    sources += [(f"taxonomy {store.folder.name}", taxonomy_documents(store, reader)) for store in taxonomies]
    if web is not None:
        omitted = f" without {', '.join(opts.without)}" if opts.without else ""
        sources.append((f"web {', '.join(opts.web)}{omitted}", web_documents(web, reader, labels, opts.without)))
    documents = {document.page.url: document for document in _counted(sources, show)}
    return Examples(
        list(documents.values()),
        _good(opts.good, taxonomies, {document.node for document in documents.values()}),
        Counter(reader.analyser.terms(" ".join(topic.keywords))) if topic else {},
        reader.analyser.language,
        [source for source, _ in sources],
        reader.analyser.stemming,
    )


def outcomes_of(opts: argparse.Namespace, data: Path, show: Show) -> Examples:
    """What links led to in earlier crawls, for a kind that has no other source."""
    others = {"-a": opts.arguments, "--folder": opts.folder, "--taxonomy": opts.taxonomy, "--web": opts.web}
    others |= {"--without": opts.without, "--good": opts.good, "--labels": opts.labels}
    if given := [option for option, value in others.items() if value]:
        raise TrainingError(f"what links led to is learned from crawls alone: leave {', '.join(given)} out")
    if not opts.crawl:
        raise TrainingError("nothing to learn from: give --crawl")
    folders = list(dict.fromkeys(_collection(name, data) for name in opts.crawl))
    return outcome_examples(folders, lambda text: show(lambda: text))


def _counted(sources: Iterable[tuple[str, Iterable[TrainingDocument]]], show: Show) -> Iterator[TrainingDocument]:
    """All documents of all sources, while it is shown how many have been read."""
    for source, documents in sources:
        for number, document in enumerate(documents, start=1):
            show(partial("reading {}: {:,} pages".format, source, number))
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


def _collection(name: str, data: Path) -> Path:
    """The folder of a collection that a person calls by its path, or by its name in the data folder."""
    path = at_home(name)
    return data / name if not path.is_dir() and name in collections(data) else path
