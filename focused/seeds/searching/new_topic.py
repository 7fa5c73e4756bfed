"""`scrapy topics new` with --search, --provider or --from: search, table, topic file."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import tomlkit
from scrapy.settings import BaseSettings, Settings

from focused import strategies
from focused.collection.collection import data_folder
from focused.exceptions import SearchError, TopicError
from focused.explain.plain_output import TableColumn, table_text
from focused.page.plain_text import plain
from focused.seeds.searching.search_options import HOW, SearchBudget, provider_specs, wish_of
from focused.seeds.searching.search_providers import check_specs
from focused.seeds.searching.search_spider import RequestedSearch, SeedSearchSpider, make_search
from focused.seeds.searching.seed_search import SeedCandidate, TellLine
from focused.seeds.searching.seed_sources import check_source
from focused.spiders.topical import RUN_ARGUMENTS, yes_or_no
from focused.strategies import get_strategy
from focused.topic.plain_files import at_home, check_folder_of, read_text, shown_path, write_new
from focused.topic.topic import Topic
from focused.topic.topic_arguments import NO_SEED, SHORT, is_words, slug, topic_from_arguments
from focused.topic.topic_file import check_name, path_of_new, topic_template

Tables = Mapping[str, Mapping[str, Any]]  #: of a topic file
COLUMNS = (TableColumn("relevance", True), "verdict", "seed", "URL", "provider", "query")
BY_SEARCH = "# A search found its seeds."  #: first line of a topic file that a search wrote
LONGEST_COMMENT = 120  #: characters


def table_of(judged: Sequence[SeedCandidate], seeds: Sequence[SeedCandidate]) -> str:
    """The pages that were looked at, as a table, the best first."""
    taken = {page.url for page in seeds}
    rows = [
        (
            f"{page.relevance:.3f}" if page.relevance >= 0 else "-",
            page.verdict,
            "yes" if page.good and page.url in taken else "",
            page.url,
            page.origin.provider,
            page.origin.query,
        )
        for page in sorted(judged, key=lambda page: (-page.relevance, page.url))
    ]
    return table_text(COLUMNS, rows, stream=sys.stdout)


def text_of_topic(name: str, tables: Tables, topic: Topic, given: Sequence[str], seeds: Sequence[SeedCandidate]) -> str:
    """The text of a new topic file.

    tables : what it sets beside keywords and seeds
    given : seeds that a person gave
    """
    strategy = get_strategy(topic.strategy)
    about = {**tables.get("topic", {}), "keywords": topic.own_keywords or topic.keywords, "seeds": list(given)}
    text = topic_template(name, {**tables, "topic": about}, strategy.name, strategy.summary(), strategy.Options)
    return f"{BY_SEARCH}\n{with_seeds(text, given, seeds)}"


def with_seeds(text: str, given: Sequence[str], seeds: Sequence[SeedCandidate]) -> str:
    """The text of a topic file with these seeds: those that a person gave, then those that were found."""
    document = tomlkit.parse(text)
    urls = tomlkit.array()
    for url in given:
        urls.add_line(url)
    for page in (page for page in seeds if page.url not in given):
        origin = ": ".join(filter(None, (page.origin.provider, page.origin.query)))
        urls.add_line(page.url, comment=plain(f"{page.relevance:.2f}, {origin}", LONGEST_COMMENT))
    urls.add_line(indent="")
    document["topic"]["seeds"] = urls
    return tomlkit.dumps(document)


JUDGING = ("scope", "relevance", "reading")  #: tables that decide which pages may be seeds


@dataclass
class FromWords:
    """A crawl that starts from words.

    path : of its topic file
    arguments : of the crawl, once the file is there
    search : that writes the file; None where it is there already
    """

    path: Path
    arguments: dict[str, str]
    search: RequestedSearch | None
    spider = SeedSearchSpider  #: that makes the search

    def write(self) -> None:
        """Show what the search has found and write the topic file. Raises SearchError where that is too little, TopicError."""
        assert self.search is not None
        search = self.search
        if search.judged:
            search.tell(table_of(search.judged, search.chosen))
        write_new(self.path, text_of_topic(self.path.stem, self._given_tables(), search.topic, (), search.seeds))
        search.tell(f"{shown_path(self.path)}: {len(search.seeds)} seeds are written; the crawl starts from them")

    def _given_tables(self) -> dict[str, dict[str, Any]]:
        """What the arguments set of what the seeds were judged by: without it, the file would be another topic."""
        assert self.search is not None
        values, tables = self.search.topic.as_dict(), dict[str, dict[str, Any]]()
        for argument in self.arguments:
            table, _, key = SHORT.get(argument, argument).partition(".")
            if table in JUDGING or (table, key) == ("topic", "description"):
                tables.setdefault(table, {})[key] = values[table][key]
        return tables


def from_words(arguments: Mapping[str, str], settings: BaseSettings, tell: TellLine) -> FromWords | None:
    """The search that these arguments of the spider ask for, with ``topic=WORDS`` or ``keywords=WORDS`` and ``search=true``.

    Return None where they ask for none. Raises TopicError for arguments with mistakes, SearchError where nobody can be asked.
    """
    given = dict(arguments)
    wanted = yes_or_no("search", given.pop("search", "false"))
    if is_words(given.get("topic", "")):
        if "keywords" in given:
            raise TopicError("-a keywords: -a topic has words already that are no topic's name; keep one of them")
        given["keywords"] = given.pop("topic")
    elif not wanted:
        return None
    if "topic" in given:
        raise TopicError("-a search: a topic file has its seeds; to search for more, see scrapy topics --search new")
    if strange := next((name for name in ("seeds", "seeds_file", "topic.seeds") if name in given), None):
        raise TopicError(f"-a {strange}: with seeds there is nothing to search for; leave -a search out")
    if "keywords" not in given:
        raise TopicError('-a search: give the words, as in -a keywords="heat pump" -a search=true')
    name = given.get("name") or slug(given["keywords"])
    check_name(name)
    folder = settings.get("FOCUSED_TOPICS_DIR")
    path = path_of_new(name, at_home(folder) if folder else None)
    rest = {key: value for key, value in given.items() if key != "keywords"} | {"topic": str(path)}
    if path.is_file():
        _check_keywords(path, given["keywords"], rest)
        wrote = "an earlier search wrote it" if read_text(path).startswith(BY_SEARCH) else "it has these keywords"
        tell(f"{shown_path(path)}: {wrote}; the crawl starts from its seeds (remove it to search again)")
        return FromWords(path, rest, None)
    specs = provider_specs(settings.get("FOCUSED_SEARCH"))
    if not specs:
        raise SearchError(
            f"there is no topic file {shown_path(path)}, and nobody to ask for seeds; give -a seeds=URL,URL, or a provider: {HOW}"
        )
    check_specs(specs)
    check_folder_of(path)
    topic = topic_from_arguments(given | {"seeds": NO_SEED}, strategies, reserved=RUN_ARGUMENTS)
    tell(f"there is no topic file {shown_path(path)}: searching for seeds with {', '.join(topic.keywords)}")
    return FromWords(path, rest, RequestedSearch(topic, specs, (), SearchBudget(), tell))


def _check_keywords(path: Path, words: str, rest: Mapping[str, str]) -> None:
    """Raise TopicError where a topic file is about something else than the words that give it its name."""
    there = topic_from_arguments(rest, strategies, reserved=RUN_ARGUMENTS)
    wanted = topic_from_arguments({**rest, "keywords": words}, strategies, reserved=RUN_ARGUMENTS)
    if _folded(there) != _folded(wanted):
        raise TopicError(
            f"{shown_path(path)}: exists already, with other keywords; give the search a name of its own: -a name=NAME"
        )


def _folded(topic: Topic) -> dict[str, set[str]]:
    """The keywords of a topic by language, without regard to their order and to upper and lower case."""
    every = topic.own_keywords or {"": topic.keywords}
    return {code: {keyword.casefold() for keyword in keywords} for code, keywords in every.items()}


def search_of(opts: argparse.Namespace, topic: Topic, settings: Settings) -> RequestedSearch:
    """The search that the options ask for. Raises SearchError for mistakes, before anything is asked."""
    wish = wish_of(opts)
    specs = opts.provider or (provider_specs(settings["FOCUSED_SEARCH"]) if opts.search else [])
    if opts.search and not specs:
        raise SearchError(f"--search: nobody to ask; name a provider with --provider SPEC, or in {HOW}")
    check_specs(specs, opts.sources or ())
    for source in opts.sources or ():
        check_source(source, data_folder(settings))
    return RequestedSearch(topic, specs, opts.sources or (), wish, lambda line: print(line, flush=True))


def search_and_write(
    search: RequestedSearch, path: Path, tables: Tables, given: Sequence[str], settings: Settings, *, dry_run: bool
) -> None:
    """Make a search, show what it found, and write the topic file unless it is a dry run.

    tables, given : see `text_of_topic`

    Raises SearchError where too little was found, TopicError where the file cannot be written.
    """
    make_search(search, settings)
    if search.judged:
        print(f"\n{table_of(search.judged, search.chosen)}\n")
    seeds = search.seeds
    hosts = len({page.host for page in seeds})
    print(f"{len(seeds)} seeds on {hosts} hosts, of {len(search.judged)} pages and {search.questions} questions.")
    if not dry_run:
        write_new(path, text_of_topic(path.stem, tables, search.topic, given, seeds))
