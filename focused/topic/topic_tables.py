"""From the tables of a topic file to a Topic: all mistakes are told at once, and what is hardly meant."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any, Protocol

from ada_url import URL
from pydantic import BaseModel, TypeAdapter, ValidationError
from pydantic_core import PydanticSerializationError, to_json

from focused.exceptions import TopicError
from focused.page.addresses import is_local
from focused.page.language import language_code, script_of_another_language
from focused.page.reader import ReadingOptions
from focused.page.text import TextAnalyser, finds_words
from focused.topic.mistakes import Mistakes, in_plain_words, shown, unknown
from focused.topic.plain_files import read_bytes, read_urls, shown_path
from focused.topic.project_settings import check_settings
from focused.topic.topic import (
    BY_WORDS,
    DEFAULT_STRATEGY,
    EVEN,
    OPTION_TABLES,
    PROFILES,
    TABLE_MODELS,
    WORDS,
    About,
    Example,
    Keywords,
    Topic,
    http_url,
)

TABLES = ("topic", "strategy", *OPTION_TABLES, "settings")

Tables = Mapping[str, Any]  #: the content of a topic file, as TOML gives it
_KEYWORDS: TypeAdapter[tuple[str, ...]] = TypeAdapter(Keywords)
PLACE = ("topic", "keywords")


class Strategies(Protocol):
    """Where strategies are looked up: the package `focused.strategies`, of which topics need to know no more."""

    def names(self) -> list[str]: ...

    def options_of(self, name: str, /) -> type[BaseModel]: ...


def build_topic(
    name: str,
    tables: Tables,
    strategies: Strategies,
    mistakes: Mistakes,
    folder: Traversable | None = None,
) -> Topic:
    """Check the tables of a topic and put them together.

    folder : where the files that a topic names are looked for; None: the working directory
    Raises TopicError with all mistakes, those already in `mistakes` included.
    """
    parts = {table: _table(tables, table, mistakes) for table in TABLES}
    _refuse_unknown_tables(tables, mistakes)
    _refuse_unwritable(parts, mistakes)
    own: dict[str, tuple[str, ...]] = {}
    if isinstance(given := parts["topic"].get("keywords"), dict):
        own = keywords_by_language(given, mistakes)
        every = dict.fromkeys(keyword for keywords in own.values() for keyword in keywords)
        parts["topic"] = {**parts["topic"], "keywords": list(every)}
    about = mistakes.validate(About, parts["topic"], "topic")
    seeds, examples = _listed_seeds(about, folder, mistakes), _examples(about, folder, mistakes)
    if about and not about.keywords and not isinstance(given, dict):
        mistakes.add("at least one keyword is needed", "topic", "keywords")
    if about and not seeds and not about.seeds_file:
        mistakes.add("at least one URL to start from is needed, here or in seeds_file", "topic", "seeds")
    profile = PROFILES[about.profile] if about and about.profile else {}
    parts |= {table: {**profile[table], **parts[table]} for table in profile.keys() & OPTION_TABLES.keys()}
    strategy, strategy_options = _strategy(parts["strategy"], profile.get("strategy", {}), strategies, mistakes)
    one_language = len(own) < 2 and not isinstance(parts["reading"].get("language"), (list, tuple))
    judges = bool(strategy) and one_language and getattr(strategies.options_of(strategy), "judges", False)
    if judges and (trained := strategy_options.get("model")):
        parts["relevance"] = {"model": trained, **parts["relevance"]}
    if parts["relevance"].get("model", WORDS) not in BY_WORDS:
        parts["relevance"] = {"threshold": EVEN, **parts["relevance"]}
    options = {table: mistakes.validate(model, parts[table], table) for table, model in OPTION_TABLES.items()}
    if about and about.keywords and isinstance(reading := options["reading"], ReadingOptions):
        if own:
            reading = reading_in([*own], reading, said="language" in parts["reading"], mistakes=mistakes)
        for language, keywords in own.items():
            if keywords:  # or there is a mistake among them
                _check_words(keywords, [language], mistakes)
        if not own:
            _check_words(about.keywords, reading.languages, mistakes)
        options["reading"] = reading
    check_settings(parts["settings"], mistakes)
    mistakes.stop_if_any()
    assert about is not None  # or there would be a mistake
    return Topic(
        name=name,
        keywords=about.keywords,
        own_keywords=own,
        description=about.description,
        seeds=tuple(dict.fromkeys((*seeds, *about.hubs))),
        hubs=about.hubs,
        examples=examples,
        strategy=strategy,
        strategy_options=strategy_options,
        settings=parts["settings"],
        source=mistakes.file,
        **options,
    )


def topic_of_run(tables: Mapping[str, Any], strategies: Strategies, place: str) -> Topic:
    """The topic that `Topic.as_dict` gave, as a collection keeps it of each run; without the content of example files, and
    without options that an earlier version had.
    """
    about = {key: value for key, value in tables["topic"].items() if key not in ("name", "examples")}
    known = {
        table: {key: value for key, value in tables[table].items() if key in model.model_fields}
        for table, model in OPTION_TABLES.items()
        if isinstance(tables.get(table), dict)
    }
    return build_topic(tables["topic"]["name"], {**tables, **known, "topic": about}, strategies, Mistakes(place))


def _check_words(keywords: Sequence[str], languages: Sequence[str], mistakes: Mistakes) -> None:
    """Note keywords none of which any page could have: words of a script that no language of the topic is written in."""
    if not any(finds_words(keyword, language) for keyword in keywords for language in languages):
        text = f"{shown(keywords[0])} is written without spaces between words; say its language in [reading], as in "
        mistakes.add(f'{text}language = "chinese" (-a reading.language=chinese)', "topic", "keywords")
    elif all(others := [script_of_another_language(keywords, language) for language in languages]) and (
        other := others[0]
    ):
        mistakes.add(
            f"{shown(keywords[0])} is written in {other[0]} letters; say its language in [reading], as in language = "
            f'"{other[1]}" (-a reading.language={other[1]})',
            *("topic", "keywords"),
        )


def _table(tables: Tables, table: str, mistakes: Mistakes) -> dict[str, Any]:
    value = tables.get(table, {})
    if isinstance(value, dict):
        return value
    mistakes.add(f"must be a table, written once as [{table}], not {shown(value)}", table)
    return {}


def _refuse_unknown_tables(tables: Tables, mistakes: Mistakes) -> None:
    for table in (key for key in tables if key not in TABLES):
        if isinstance(tables[table], dict):
            mistakes.add(unknown(table, TABLES, plural="tables"), table)
            continue
        owners = [name for name, model in TABLE_MODELS.items() if table in model.model_fields]
        where = f"put it below [{owners[0]}]" if owners else f"the tables are {', '.join(TABLES)}"
        mistakes.add(f"{table} = {shown(tables[table])} stands outside any table; {where}", "")


def _refuse_unwritable(tables: Mapping[str, Tables], mistakes: Mistakes) -> None:
    """Stop at values that no file can hold, such as text of the command line that is not UTF-8."""
    for table, values in tables.items():
        for key, value in values.items():
            try:
                to_json(value, fallback=str)
            except PydanticSerializationError as error:
                why = "is not UTF-8 text" if "surrogates" in str(error) else "is nested too deeply"
                mistakes.add(why, table, key)
                mistakes.stop_if_any()


def _strategy(
    values: Mapping[str, Any], profile: Mapping[str, Any], strategies: Strategies, mistakes: Mistakes
) -> tuple[str, dict[str, Any]]:
    """The name of the strategy and its options, complete with defaults: those of the profile that it has, and its own."""
    name = values.get("name", DEFAULT_STRATEGY)
    if not isinstance(name, str) or ("." not in name and name not in strategies.names()):
        mistakes.add(
            f"{shown(name)} is {unknown(str(name), strategies.names(), plural='strategies')}", "strategy", "name"
        )
        return "", {}
    try:
        model = strategies.options_of(name)
    except TopicError as error:
        mistakes.add(str(error), "strategy", "name")
        return "", {}
    own = {key: value for key, value in profile.items() if key in model.model_fields}
    own |= {key: value for key, value in values.items() if key != "name"}
    options = mistakes.validate(model, own, "strategy")
    return name, options.model_dump() if options else {}


def _beside(folder: Traversable | None, name: str) -> Traversable:
    return Path(name) if folder is None or Path(name).is_absolute() else folder.joinpath(name)


def _listed_seeds(about: About | None, folder: Traversable | None, mistakes: Mistakes) -> tuple[str, ...]:
    """All seeds of a topic, each once, in order: those in the table, then those in its seeds_file."""
    if about is None or not about.seeds_file:
        return about.seeds if about else ()
    listed: list[str] = []
    list_file = _beside(folder, about.seeds_file)
    try:
        lines = list(read_urls(list_file))
        if not lines:
            mistakes.add(f"{shown_path(list_file)} holds no URL", "topic", "seeds_file")
        for line, url in lines:
            try:
                listed.append(http_url(url))
            except ValueError as error:
                mistakes.add(f"{shown_path(list_file)} line {line}: {error}", "topic", "seeds_file")
    except TopicError as error:
        mistakes.add(f"{error} (needed: a text file with one http(s) URL a line)", "topic", "seeds_file")
    return tuple(dict.fromkeys((*about.seeds, *listed)))


def _examples(about: About | None, folder: Traversable | None, mistakes: Mistakes) -> tuple[Example, ...]:
    """The examples of a topic, files already read: a topic file that is deployed in an egg has no folder later."""
    examples = []
    for position, source in enumerate(about.examples if about else ()):
        try:
            if "://" in source:
                examples.append(Example(source=http_url(source)))
            elif not source.lower().endswith((".html", ".htm", ".txt")):
                raise ValueError(f"{shown(source)} is neither an http(s) URL nor a .html or .txt file")
            else:
                examples.append(Example(source=source, body=read_bytes(_beside(folder, source))))
        except (ValueError, TopicError) as error:
            mistakes.add(str(error), "topic", "examples", position)
    return tuple(examples)


def keywords_by_language(given: Mapping[str, Any], mistakes: Mistakes) -> dict[str, tuple[str, ...]]:
    """Keywords by ISO 639-1 code, from such a table; of a language with a mistake, which is noted, none."""
    found: dict[str, tuple[str, ...]] = {}
    for name, words in given.items():
        try:
            code = language_code(name)
        except ValueError as error:
            mistakes.add(str(error), *PLACE, name)
            continue
        if code in found:
            mistakes.add("stands here twice, under another name", *PLACE, name)
        try:
            found[code] = _KEYWORDS.validate_python(words, strict=True)
        except ValidationError as invalid:
            found[code] = ()
            for detail in invalid.errors(include_url=False):
                mistakes.add(in_plain_words(detail), *PLACE, name, *detail["loc"])
            continue
        if not found[code]:
            mistakes.add("at least one keyword is needed", *PLACE, name)
    if not given:
        mistakes.add("at least one keyword is needed", *PLACE)
    return found


def reading_in(codes: list[str], reading: ReadingOptions, *, said: bool, mistakes: Mistakes) -> ReadingOptions:
    """Reading options in the languages of such a table; those of [reading] must be the same, if it says any.

    said : whether it does
    """
    if not said:
        return reading.model_copy(update={"language": codes[0] if len(codes) == 1 else tuple(codes)})
    if {*reading.languages} != {*codes}:
        mistakes.add(f"the keywords are given in {', '.join(codes)}; leave language out here", "reading", "language")
    return reading


IF_MEANT = "if you mean it, set allow_private = true in [scope] (-a scope.allow_private=true)"


def refuse_private_seeds(topic: Topic, mistakes: Mistakes) -> Topic:
    """Return the topic; raise TopicError where a seed names a private address that the scope does not allow."""
    if not topic.scope.allow_private:
        for seed in topic.seeds:
            if is_local(URL(seed).hostname):
                mistakes.add(
                    f"{shown(seed)} lies on this machine or in a private network; {IF_MEANT}", "topic", "seeds"
                )
    mistakes.stop_if_any()
    return topic


UNLIKELY = 0.3  #: a threshold below was hardly chosen for a probability


def doubts_about(topic: Topic) -> Iterator[str]:
    """Yield what a person should think over, one line each."""
    for code, keywords in topic.keywords_by_language.items():
        if TextAnalyser(code).terms(" ".join(keywords)):
            continue
        yield (
            f"[topic] keywords: {shown(keywords[0])} is a stop word or a single letter, which most pages have, or none; "
            "add a word that tells the topic"
        )
    if topic.relevance.is_trained:
        yield (
            f"[relevance] model: the trained model {topic.relevance.model} judges pages; keywords, description and examples do "
            "not, they guide the strategy"
        )
        if 0 < topic.relevance.threshold < UNLIKELY:
            yield (
                f"[relevance] threshold is {topic.relevance.threshold:g}, of a probability: also pages that are rather not on "
                f"topic count; {EVEN} is usual"
            )
    if topic.relevance.threshold == 0:
        yield "[relevance] threshold is 0: every page counts as relevant, whatever it says; 0.1 is usual"
    if topic.relevance.threshold == 1:
        yield "[relevance] threshold is 1: hardly any page can reach it; 0.1 is usual"
