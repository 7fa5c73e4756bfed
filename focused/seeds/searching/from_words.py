"""`scrapy crawl topical` with words and no seeds: a search comes first and writes the topic file that the crawl starts from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from scrapy.settings import BaseSettings

from focused import strategies
from focused.exceptions import SearchError, TopicError
from focused.seeds.searching.provider_list import check_specs
from focused.seeds.searching.search_options import HOW, Wish, provider_specs
from focused.seeds.searching.search_spider import Search, SeedSearchSpider
from focused.seeds.searching.seed_search import Tell
from focused.seeds.searching.written_seeds import is_written_by_search, table_of, text_of_topic
from focused.spiders.topical import RUN_ARGUMENTS, yes_or_no
from focused.topic.plain_files import at_home, check_folder_of, shown_path, write_new
from focused.topic.topic import Topic
from focused.topic.topic_arguments import NO_SEED, SHORT, is_words, slug, topic_from_arguments
from focused.topic.topic_file import check_name, path_of_new

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
    search: Search | None
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


def from_words(arguments: Mapping[str, str], settings: BaseSettings, tell: Tell) -> FromWords | None:
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
        wrote = "an earlier search wrote it" if is_written_by_search(path) else "it has these keywords"
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
    return FromWords(path, rest, Search(topic, specs, (), Wish(), tell))


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
