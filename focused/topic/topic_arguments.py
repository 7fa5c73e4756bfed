"""Topics from spider arguments (`-a NAME=VALUE`): text that completes or overrides a topic file, or stands alone."""

from __future__ import annotations

import hashlib
import os
import re
import tomllib
import unicodedata
from collections.abc import Collection, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar, get_args, get_origin

from pydantic import TypeAdapter, ValidationError

from focused.exceptions import TopicError, seeing
from focused.topic.mistakes import Mistakes, nearest
from focused.topic.plain_files import at_home
from focused.topic.topic import DEFAULT_STRATEGY, OPTION_TABLES, TABLE_MODELS, TOPIC_NAME, About, Budget, Pattern, Topic
from focused.topic.topic_file import SUFFIX, check_name, find_topic, topic_files
from focused.topic.topic_tables import TABLES, Strategies, build_topic, refuse_private_seeds

T = TypeVar("T")

#: Arguments that have a short name; any other value of a topic file is called by table and key, as in scope.max_depth.
SHORT = {
    "strategy": "strategy.name",
    "threshold": "relevance.threshold",
    **{key: f"topic.{key}" for key in About.model_fields},
    **{key: f"budget.{key}" for key in Budget.model_fields},
    "render": "rendering.mode",
    "recrawl": "recrawl.age",
}
#: What other spiders and Scrapy's settings call it.
ELSEWHERE = {
    "start_urls": "seeds",
    "start_url": "seeds",
    "urls": "seeds",
    "allowed_domains": "scope.allowed_hosts",
    "domains": "scope.allowed_hosts",
    "domain": "scope.allowed_hosts",
    "depth": "scope.max_depth",
    "max_depth": "scope.max_depth",
    "depth_limit": "scope.max_depth",
    "max_pages": "pages",
    "limit": "pages",
    "query": "keywords",
}
#: What decides about others: a strategy has options of its own, and hubs belong to the seeds they were found for.
FIRST = ("strategy.name", "topic.seeds", "topic.seeds_file")
NO_SEED = "http://seed.invalid/"  #: for commands that fetch no seed: a topic made of keywords must have one
HOST = re.compile(r"[\w-]+(\.[\w-]+)+(/|:|$)")  # how a URL begins that lacks its scheme
SLUG_LENGTH = 60  # characters of a name made of keywords


def topic_from_arguments(
    arguments: Mapping[str, str],
    strategies: Strategies,
    *,
    topics_dir: str | Path | None = None,
    reserved: Collection[str] = (),
) -> Topic:
    """Build a topic from spider arguments, on top of the file that ``topic=NAME`` names or from them alone.

    arguments : ``topic``; ``name`` or ``topic.name`` (of the collection, if not the topic's); the names in `SHORT`, or
        ``TABLE.KEY``
    strategies : those that a topic may name: `focused.strategies`
    reserved : arguments that are somebody else's and are passed over
    Raises TopicError with all mistakes, one a line.
    """
    given = {name: text for name, text in arguments.items() if name not in reserved}
    topic, name = given.pop("topic", None), given.pop("name", None)
    if name is not None and "topic.name" in given:
        raise TopicError("-a topic.name: says the same as -a name; keep one of them")
    if name is None:
        name = given.pop("topic.name", None)  # for jobs of scrapyd, whose API cannot pass on a "name"
    file = find_topic(topic, topics_dir) if topic is not None else None
    if file is None and "keywords" not in given and "topic.keywords" not in given:
        others = [*reserved, "topic", "name"]
        strange = [f"-a {name}: {_unknown(name, others)}" for name in given if not _is_known(name)]
        raise TopicError(
            "\n".join(strange)
            or f"which topic? Give -a topic=NAME (there are: {', '.join(topic_files(topics_dir))}), "
            "or -a keywords=WORDS and -a seeds=URL,URL"
        )
    tables = file.read() if file else {}
    mistakes = Mistakes(str(file) if file else "")
    mistakes.options = _override(tables, given, [*reserved, "topic", "name"], strategies, mistakes)
    if name is None:
        name = file.name if file else slug(str(tables["topic"]["keywords"]))
    check_name(name)
    built = build_topic(name, tables, strategies, mistakes, file.folder if file else None)
    return refuse_private_seeds(built, mistakes)


def _override(
    tables: dict[str, Any], given: Mapping[str, str], others: list[str], strategies: Strategies, mistakes: Mistakes
) -> dict[tuple[str, str], str]:
    """Put the arguments into the tables; return the argument behind each table and key."""
    options: dict[tuple[str, str], str] = {}
    for argument in sorted(given, key=lambda argument: SHORT.get(argument, argument) not in FIRST):
        table, _, key = SHORT.get(argument, argument).partition(".")
        if not _is_known(argument):
            mistakes.lines.append(f"-a {argument}: {_unknown(argument, others)}")
            continue
        if (table, key) in options:
            mistakes.lines.append(f"-a {argument}: says the same as {options[table, key]}; keep one of them")
            continue
        values = tables.setdefault(table, {})
        if not isinstance(values, dict):
            continue  # a mistake of the file, which is told with the others
        if table == "topic" and key in ("seeds", "seeds_file"):
            key = _set_seeds(values, key, given[argument])
        elif (table, key) == ("strategy", "name"):
            _set_strategy(values, given[argument])
        else:
            values[key] = _value(table, key, given[argument], tables, strategies)
        options[table, key] = f"-a {argument}"
    return options


def _is_known(argument: str) -> bool:
    """Whether an argument is a short name, or a key of some table; which keys a table has is looked at later."""
    table, _, key = SHORT.get(argument, argument).partition(".")
    return bool(key) and table in TABLES


def _unknown(argument: str, others: list[str]) -> str:
    if argument in ELSEWHERE:
        return f"here it is called {ELSEWHERE[argument]}"
    dotted = [f"{table}.{key}" for table, model in OPTION_TABLES.items() for key in model.model_fields]
    guess = nearest(argument, [*SHORT, *others, *dotted])
    known = f"arguments: {', '.join([*others, *SHORT])}, or TABLE.KEY such as scope.max_depth"
    return f"unknown; did you mean {guess}?" if guess else f"unknown; {known}"


def _set_seeds(about: dict[str, Any], key: str, text: str) -> str:
    """Replace all seeds of the file by URLs, or by a file of URLs; return the key that holds them now."""
    for seeds in ("seeds", "seeds_file", "hubs"):
        about.pop(seeds, None)
    if key == "seeds" and ("://" in text or not text.strip()):
        # A comma may be part of a URL: it separates two only where the next one begins.
        about["seeds"] = [url for url in re.split(r",\s*(?=[A-Za-z]+://)|,?\s+", text.strip()) if url]
        return "seeds"
    about["seeds_file"] = _from_here(text)
    if key == "seeds" and not Path(about["seeds_file"]).exists() and HOST.match(text) and not text.endswith(".txt"):
        del about["seeds_file"]
        about["seeds"] = text.split(",")  # URLs without their scheme: the checks say so
        return "seeds"
    return "seeds_file"


def _set_strategy(values: dict[str, Any], name: str) -> None:
    """Choose a strategy; the file's options for another one go with that one."""
    if values.get("name", DEFAULT_STRATEGY) != name:
        values.clear()
    values["name"] = name


def _value(table: str, key: str, text: str, tables: Mapping[str, Any], strategies: Strategies) -> Any:
    """The text of an argument as a value of its field's type; text that is none is told of by the checks."""
    if (table, key) == ("topic", "examples"):
        return [source if "://" in source else _from_here(source) for source in _items(text)]
    model = TABLE_MODELS.get(table)
    if table == "strategy":
        with suppress(TopicError):  # told by the checks
            model = strategies.options_of(str(tables["strategy"].get("name", DEFAULT_STRATEGY)))
    field = model.model_fields.get(key) if model else None
    if (table, key) == ("topic", "keywords"):
        return written_as(dict, text) or text
    if field is None:
        return text
    annotation: Any = field.annotation
    value: Any = text
    if get_origin(annotation) in (tuple, list, set, frozenset):
        value = written_as(list, text)
        if value is None:
            is_pattern = get_args(annotation)[0] == Pattern  # a regular expression may hold a comma
            value = [text] if is_pattern else _items(text)
    try:
        return TypeAdapter(annotation).validate_python(value)
    except ValidationError:
        return value


def _items(text: str) -> list[str]:
    return [item.strip() for item in text.split(",") if item.strip()]


def written_as(kind: type[T], text: str) -> T | None:
    """A list or a table as in a topic file, ``["a", "b"]`` or ``{de = ["Wind"]}``; None for any other text."""
    try:
        value = tomllib.loads(f"value = {text}")["value"]
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, kind) else None


def _from_here(path: str) -> str:
    """A path on the command line is relative to the working directory, not to the topic file."""
    return str(at_home(path).absolute())


def slug(keywords: str) -> str:
    """A safe file name made of keywords; a short hash of them where no Latin letter or digit is left."""
    ascii_only = unicodedata.normalize("NFKD", keywords).encode("ascii", "ignore").decode().lower()
    name = re.sub(r"[^a-z0-9]+", "-", ascii_only)[:SLUG_LENGTH].strip("-")
    return name or "topic-" + hashlib.blake2b(keywords.encode(errors="replace"), digest_size=4).hexdigest()


def is_words(topic: str) -> bool:
    """Whether the spider's argument ``topic`` is neither a name, be it too long, nor a path: words to be searched for."""
    is_path = topic.endswith(".toml") or "/" in topic or "\\" in topic
    return not is_path and not TOPIC_NAME.fullmatch(topic[:100]) and bool(re.search(r"\w", topic))


#: Arguments that are one topic's own: with several they would mean the same collection, or the same seeds, for all.
OF_ONE_TOPIC = ("topic", "name", "topic.name", "keywords", "topic.keywords", "seeds", "topic.seeds", "seeds_file")


def topics_called(text: str, topics_dir: str | Path | None = None) -> dict[str, str]:
    """By the name of each topic, what ``-a topic=`` calls it; in the order given, of a folder in alphabetical order.

    Raises TopicError where nothing is named, a name is unknown, or two topics have the same name.
    """
    called: dict[str, str] = {}
    for item in (part.strip() for part in text.split(",")):
        for name in _named(item, topics_dir) if item else ():
            topic = find_topic(name, topics_dir).name
            twice = next((other for other in called if other.casefold() == topic.casefold()), None)
            if twice is not None:
                raise TopicError(
                    f"-a topics: {called[twice]} and {name} are both called {topic}, and would share a collection; rename one"
                )
            called[topic] = name
    if not called:
        raise TopicError(
            "-a topics: name a folder of topic files, or topics with commas between, as in topics=solar,wind"
        )
    return called


@seeing(TopicError)
def _named(item: str, topics_dir: str | Path | None) -> list[str]:
    """Topics of a folder, or the one topic; a topic of this name comes before a folder of this name."""
    folder = at_home(item)
    if os.sep in item and not item.endswith(SUFFIX) and not folder.is_dir():
        raise TopicError(f"-a topics: {item}: no such folder")
    if not folder.is_dir() or (os.sep not in item and item in topic_files(topics_dir)):
        return [item]
    files = sorted(str(file) for file in folder.iterdir() if file.suffix == SUFFIX and not file.name.startswith("."))
    if not files:
        raise TopicError(f"-a topics: {item}: no topic files (*{SUFFIX}) lie in this folder")
    return files
