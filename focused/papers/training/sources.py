"""Where examples for training come from: labels, crawls and their outcomes, folders, taxonomies, topics, recorded webs."""

from __future__ import annotations

import argparse
import csv
import tomllib
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from pydantic import ValidationError

from focused.collection.collection import PAGES, collections, open_repository, opened
from focused.collection.repository import Place
from focused.collection.sqlite_errors import damage_is_told
from focused.exceptions import TrainingError
from focused.live.assemble import KNOWLEDGE, MODEL, WEIGHTS, assemble
from focused.live.last_run import last_run, topic_of_last_run
from focused.live.resume import restore
from focused.page.page import Page
from focused.page.plain_text import uncelled
from focused.page.reader import Reader, ReadingOptions
from focused.page.text import TextAnalyser
from focused.page.urls import UrlRules
from focused.papers.models.taxonomy import Node, node_of
from focused.papers.taxonomies.taxonomy_store import ExampleUrl, TaxonomyStore
from focused.papers.training.examples import OTHER, RELEVANT, Examples, Followed, TrainingDocument
from focused.papers.training.following import Following
from focused.papers.training.kinds import Kind, ShowProgress, get_kind
from focused.scorers.link_classifier import LinkClassifier
from focused.scorers.word_weights import Outcomes
from focused.strategies.adaptive import Adaptive
from focused.topic.mistakes import in_plain_words, unknown
from focused.topic.plain_files import at_home, read_text, shown_path
from focused.topic.topic import Topic

if TYPE_CHECKING:
    from focused.simulation.recorded_web import RecordedWeb

LabelOf = Callable[[str], Node | None]  #: class of a canonical URL; None if nothing is known of it


def read_url_labels(path: Path, rules: UrlRules) -> LabelOf:
    """Read labels.

    path : .csv (two columns: URL and class, the first line may name them), .toml (``"science/physics" = [URL, ...]``), or
        .labels.json as `python -m lab datasets` writes it (targets are relevant, all the rest is not)
    rules : make URLs canonical

    Raises TrainingError (or the FocusedError of its reader) for a file that is none of these, with the line where it is not.
    """
    from focused.simulation.labels import LABELS_SUFFIX

    if path.name.endswith(LABELS_SUFFIX):
        return _judged(path)
    if path.suffix == ".csv":
        pairs: Iterable[tuple[str, str]] = _csv(path)
    elif path.suffix == ".toml":
        pairs = _toml(path)
    else:
        raise TrainingError(f"{path}: labels are read from .csv, .toml and {LABELS_SUFFIX} files")
    found: dict[str, Node] = {}
    for url, name in pairs:
        canonical = rules.canonical(url)
        if canonical is None:
            raise TrainingError(f"{path}: {url!r} is not an http(s) URL")
        if not node_of(name):
            raise TrainingError(f"{path}: {url}: the class is empty")
        found[canonical] = node_of(name)
    if not found:
        raise TrainingError(f"{path}: holds no label")
    return found.get


def _judged(path: Path) -> LabelOf:
    from focused.simulation.labels import read_labels

    judgements = read_labels(path).judgements

    def label(url: str) -> Node | None:
        if url in judgements.neutral:
            return None
        return RELEVANT if url in judgements.relevant else OTHER

    return label


def _csv(path: Path) -> Iterable[tuple[str, str]]:
    for number, row in enumerate(csv.reader(read_text(path).splitlines()), start=1):
        if not row or (number == 1 and "://" not in row[0]):
            continue
        if len(row) != 2:
            raise TrainingError(f"{path}: line {number} has {len(row)} columns; two are needed: URL and class")
        yield uncelled(row[0].strip()), uncelled(row[1].strip())


def _toml(path: Path) -> Iterable[tuple[str, str]]:
    try:
        classes = tomllib.loads(read_text(path))
    except (ValueError, RecursionError) as error:
        raise TrainingError(f"{path}: not valid TOML: {error}") from None
    for name, urls in classes.items():
        if not (isinstance(urls, list) and all(isinstance(url, str) for url in urls)):
            raise TrainingError(f'{path}: {name} must be a list of URLs, as in "{name}" = ["https://a.example/"]')
        for url in urls:
            yield url, name


PAGES_FETCHED = (
    "SELECT final_url, relevant, kind IS NOT NULL AND relevance >= ?, file, offset, length FROM history "
    "WHERE outcome = 'page' AND verdict IS NULL ORDER BY seq"
)


def crawl_documents(folder: Path, reader: Reader, labels: LabelOf | None = None) -> Iterator[TrainingDocument]:
    """The pages of a collection in the order in which they were fetched, those that bring nothing new left out.

    A page that is not relevant only because of its kind is left out too, unless it is labelled: its words are the topic's.

    labels : instead of the crawl's own judgement; pages it says nothing of are left out
    Raises StorageError if there is no such collection, TrainingError if it has no page.
    """
    with opened(folder) as store:
        run = last_run(store)
        rows = store.execute(PAGES_FETCHED, (run.topic["relevance"]["threshold"],)).fetchall()
    if not rows:
        raise TrainingError(f"{folder}: no page was fetched by this crawl")
    repository = open_repository(run.pages, folder / PAGES)
    for url, relevant, only_leads, file, offset, length in rows:
        node = labels(url) if labels else RELEVANT if relevant else None if only_leads else OTHER
        if node is None:
            continue
        with damage_is_told(folder):
            stored = repository.get(Place(file, offset, length))
            page = reader.read(url, stored.body, stored.content_type)
        if isinstance(page, Page):
            yield TrainingDocument(page, node)


def reading_of(folder: Path) -> ReadingOptions:
    """How the last run of a crawl read pages. Raises StorageError if there is no such collection."""
    with opened(folder) as store:
        return last_run(store).reading


FOLDER = "http://folder.invalid/"  #: begins URLs of what has no place in the Web (RFC 2606)
SUFFIXES = (".html", ".htm", ".txt")


def folder_documents(folder: Path, reader: Reader) -> Iterator[TrainingDocument]:
    """The .html, .htm and .txt files below a folder, each of the class that its folders name: ``science/physics/1.html``.

    Raises TrainingError if there is no such folder, or no page in a subfolder of it, or one cannot be read.
    """
    if not folder.is_dir():
        raise TrainingError(f"{folder}: no such folder")
    files = sorted(path for path in folder.rglob("*") if path.suffix.lower() in SUFFIXES and path.is_file())
    classed = [path for path in files if path.parent != folder]
    if not classed:
        raise TrainingError(
            f"{folder}: no {', '.join(SUFFIXES)} file in a subfolder; make one subfolder for each class"
        )
    for path in classed:
        name = path.relative_to(folder)
        try:
            body = path.read_bytes()
        except OSError as error:
            raise TrainingError(f"{path}: cannot be read: {error.strerror}") from None
        page = reader.read(FOLDER + quote(name.as_posix()), body, "text/plain" if path.suffix.lower() == ".txt" else "")
        if isinstance(page, Page):
            yield TrainingDocument(page, name.parent.parts)


def outcome_examples(folders: Sequence[Path], what: str, said: ShowProgress) -> Examples:
    """What links led to in these collections, at least one, whose words must be the same terms.

    what : field of `Examples`

    Raises TrainingError for crawls of several languages, and what `link_outcomes` raises.
    """
    analysers = [Reader(reading_of(folder)).analyser for folder in folders]
    first = analysers[0]
    for folder, analyser in zip(folders, analysers, strict=True):
        if what == "outcomes" and (analyser.language, analyser.stemming) != (first.language, first.stemming):
            raise TrainingError(
                f"{shown_path(folder)}: its words are {_terms(analyser)}, and those of {shown_path(folders[0])} "
                f"{_terms(first)}: learn from crawls that read alike"
            )
    found: list[Any] = []
    for number, folder in enumerate(folders, start=1):
        said(f"reading crawl {shown_path(folder)}: {number} of {len(folders)}")
        found.append(OF_CRAWL[what](folder))
    sources = [f"crawl {shown_path(folder)} as it judged its pages itself" for folder in folders]
    about: dict[str, Any] = {"language": first.language, "sources": sources, "stemming": first.stemming, what: found}
    return Examples([], frozenset(), **about)


def _terms(analyser: TextAnalyser) -> str:
    return f"{analyser.language!r}{'' if analyser.stemming else ' without stemming'}"


def link_outcomes(folder: Path) -> Outcomes:
    """Give a collection's journal to `adaptive` once more: from its last snapshot on, where a crawl by `adaptive` left one.

    The crawl may have followed another strategy: then `adaptive` sees all its pages in the order in which they came. It has
    no trained model here, nor knowledge: these may be gone.

    Raises StorageError if there is no such collection, TrainingError if it has no page.
    """
    with opened(folder) as store:
        topic = topic_of_last_run(store)
        options = topic.strategy_options if topic.strategy == Adaptive.name else {}
        own = {option: value for option, value in options.items() if option not in (MODEL, KNOWLEDGE, WEIGHTS)}
        topic = topic.model_copy(update={"strategy": Adaptive.name, "strategy_options": own})
        reader, crawl = assemble(topic)
        restore(crawl, reader, store, open_repository(topic.storage.pages, folder / PAGES))
    if not crawl.totals.pages:
        raise TrainingError(f"{folder}: no page was fetched by this crawl")
    assert isinstance(crawl.strategy, Adaptive)
    for scorer in crawl.strategy.scorers:
        if isinstance(scorer, LinkClassifier):
            return scorer.outcomes()
    raise TrainingError("LINK_SCORERS names no LinkClassifier, which learns the words of links")


def followed_links(folder: Path) -> Followed:
    """Give a collection's whole journal to `adaptive`, whichever strategy it followed; errors are those of `link_outcomes`."""
    with opened(folder) as store:
        topic = topic_of_last_run(store)
        reader, crawl = assemble(topic, Following)
        restore(crawl, reader, store, open_repository(topic.storage.pages, folder / PAGES))
    if not crawl.totals.pages:
        raise TrainingError(f"{folder}: no page was fetched by this crawl")
    assert isinstance(crawl.strategy, Following)
    return crawl.strategy.followed()


#: How a crawl gives what a kind learns from, by the field of `Examples`.
OF_CRAWL: dict[str, Callable[[Path], Any]] = {"outcomes": link_outcomes, "followed": followed_links}


def taxonomy_documents(store: TaxonomyStore, reader: Reader) -> Iterator[TrainingDocument]:
    """The pages of a taxonomy that belong to a category."""
    for _, document in example_documents(store, reader):
        if document.node:
            yield document


def example_documents(store: TaxonomyStore, reader: Reader) -> Iterator[tuple[ExampleUrl, TrainingDocument]]:
    """Each fetched example that is not dropped, with its page; the root stands for a category that nobody knows.

    Where several examples lead to one page it comes once: as the one that a person judged, else as one with a category.
    """
    examples = [example for example in store.examples() if example.place and not example.dropped]
    seen: set[str] = set()
    for example in sorted(examples, key=lambda example: (not example.judged, not example.category)):
        assert example.place is not None  # or the line above
        kept = store.pages.get(example.place)
        page = reader.read(kept.url, kept.body, kept.content_type)
        if isinstance(page, Page) and page.terms and page.url not in seen:
            seen.add(page.url)
            yield example, TrainingDocument(page, node_of(example.category or ""))


TOPIC = "http://topic.invalid/"


def topic_documents(topic: Topic, reader: Reader) -> Iterator[TrainingDocument]:
    """What a topic says it is about. An example that is given by its URL is not fetched: it is left out."""
    texts = [("description", topic.description.encode(), "text/plain; charset=utf-8")]
    texts += [(example.source, example.body, "") for example in topic.examples if example.body is not None]
    for number, (_, body, content_type) in enumerate(texts):
        page = reader.read(f"{TOPIC}{number}", body, content_type)
        if isinstance(page, Page) and page.terms:
            yield TrainingDocument(page, RELEVANT)


def web_documents(
    web: RecordedWeb, reader: Reader, labels: LabelOf | None = None, without: Collection[str] = ()
) -> Iterator[TrainingDocument]:
    """The pages of a web that have a class, in the order of the recording.

    labels : classes by URL; None for those of the data set
    without : parts of the web to leave out, for a model that is tested there

    Raises TrainingError for a web that has no classes, or parts that it does not have.
    """
    from focused.simulation.analysed_web import AnalysedWeb, Fetched
    from focused.simulation.recorded_web import ClassifiedWeb

    classified = web if isinstance(web, ClassifiedWeb) else None
    if strange := sorted(set(without) - set(classified.parts if classified else ())):
        parts = ", ".join(classified.parts if classified else ()) or "it has none; leave --without out"
        raise TrainingError(f"--without {strange[0]}: no part of this web: {parts}")
    if labels is None and classified is None:
        raise TrainingError("this web has no classes of its own: give --labels FILE")
    label = labels or (classified.class_of if classified else None)
    assert label is not None  # or the line above
    analysed = AnalysedWeb(web, reader)
    for url in web.urls():
        if without and classified and classified.part_of(url) in without:
            continue
        node = label(url)
        answer = analysed.ask(url) if node else None
        if node and isinstance(answer, Fetched):
            yield TrainingDocument(answer.page, node)


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
    name = web = None
    if opts.web:
        from focused.simulation.known_webs import web_called

        name = web_called(opts.web)
        web = name.open()
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


def outcomes_of(opts: argparse.Namespace, what: str, data: Path, show: Show) -> Examples:
    """What links led to in earlier crawls, for a kind that has no other source."""
    others = {"-a": opts.arguments, "--folder": opts.folder, "--taxonomy": opts.taxonomy, "--web": opts.web}
    others |= {"--without": opts.without, "--good": opts.good, "--labels": opts.labels}
    if given := [option for option, value in others.items() if value]:
        raise TrainingError(f"what links led to is learned from crawls alone: leave {', '.join(given)} out")
    if not opts.crawl:
        raise TrainingError("nothing to learn from: give --crawl")
    folders = list(dict.fromkeys(_collection(name, data) for name in opts.crawl))
    return outcome_examples(folders, what, lambda text: show(lambda: text))


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
