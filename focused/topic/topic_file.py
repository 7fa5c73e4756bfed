"""Finding and reading topic files: the user's folder first, then the topics that come with the package."""

from __future__ import annotations

import json
import textwrap
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

from pydantic import BaseModel
from pydantic_core import to_jsonable_python

from focused.exceptions import TopicError, seeing
from focused.topic.mistakes import Mistakes, nearest, shown
from focused.topic.plain_files import at_home, is_checkout, read_text, shown_path
from focused.topic.topic import OPTION_TABLES, TOPIC_NAME, About, Topic
from focused.topic.topic_tables import Strategies, build_topic, refuse_private_seeds

SUFFIX = ".toml"
#: Folders that lie beside the collections in FOCUSED_DATA_DIR, or inside one: a collection of such a name would lie on top of them.
RESERVED = ("cache", "models", "previous", "robots", "taxonomies")
TOPICS = Path(__file__).parent.parent / "topics"  #: those of a checkout; an egg has them zipped


@dataclass(frozen=True)
class TopicFile:
    """A topic file and the folder it lies in, which other files that it names are relative to."""

    folder: Traversable  #: may lie inside a zipped egg
    name: str  #: of the topic

    @property
    def path(self) -> Traversable:
        return self.folder.joinpath(self.name + SUFFIX)

    def __str__(self) -> str:
        return shown_path(self.path)

    def read(self) -> dict[str, Any]:
        """The tables of the file; TopicError, with line and column, if it is not TOML."""
        try:
            return tomllib.loads(read_text(self.path))
        except RecursionError:
            raise TopicError(f"{self}: not valid TOML: nested too deeply") from None
        except ValueError as error:
            raise TopicError(f"{self}: not valid TOML: {error}") from None


def load_topic(name: str, strategies: Strategies, *, topics_dir: str | Path | None = None) -> Topic:
    """Load the topic called `name` from `topics_dir` or, if it is not there, from the topics of the package.

    strategies : those that a topic may name: `focused.strategies`
    Raises TopicError with every mistake in the file, one a line.
    """
    file = find_topic(name, topics_dir)
    mistakes = Mistakes(str(file))
    return refuse_private_seeds(build_topic(file.name, file.read(), strategies, mistakes, file.folder), mistakes)


@seeing(TopicError)
def find_topic(name: str, topics_dir: str | Path | None = None) -> TopicFile:
    """The file of a topic, by its name or by the path of the file; TopicError names the nearest topic and where was looked."""
    if name.endswith(SUFFIX) and name != SUFFIX:
        path = at_home(name)
        if not path.is_file():
            raise TopicError(f"{shown_path(path)}: no such topic file")
        check_name(path.stem)
        return TopicFile(path.absolute().parent, path.stem)
    check_name(name)
    if topics_dir and not at_home(topics_dir).is_dir():  # the packaged topics would be looked at as if that were meant
        raise TopicError(f"FOCUSED_TOPICS_DIR: no folder {topics_dir}")
    for folder in topic_folders(topics_dir):
        file = TopicFile(folder, name)
        if file.path.is_file() or file.path.is_dir():  # a folder of that name is told when it is read
            return file
    guess = nearest(name.removesuffix(SUFFIX), topic_files(topics_dir))
    looked = ", ".join(map(shown_path, topic_folders(topics_dir)))
    raise TopicError(f"no topic {name!r}" + (f"; did you mean {guess}?" if guess else "") + f" (looked in {looked})")


@seeing(TopicError)
def topic_files(topics_dir: str | Path | None = None) -> dict[str, TopicFile]:
    """All topic files by name, in alphabetical order; a file of the user hides one of the package."""
    found: dict[str, TopicFile] = {}
    for folder in topic_folders(topics_dir):
        if folder.is_dir():
            names = (file.name.removesuffix(SUFFIX) for file in folder.iterdir() if file.name.endswith(SUFFIX))
            found = {name: TopicFile(folder, name) for name in names if TOPIC_NAME.fullmatch(name)} | found
    return dict(sorted(found.items()))


def topic_folders(topics_dir: str | Path | None = None) -> list[Traversable]:
    """Where topics are looked for, in order."""
    packaged = files("focused").joinpath("topics")
    return [at_home(topics_dir), packaged] if topics_dir else [packaged]


def path_of_new(name: str, topics_dir: Path | None) -> Path:
    """Where the file of a new topic is written."""
    return (topics_dir or (TOPICS if is_checkout() else Path("topics"))) / (name + SUFFIX)


def check_name(name: str) -> None:
    """Refuse a name that is no safe file name, or that of a folder which lies beside the collections."""
    if name.casefold() in RESERVED:  # on some systems Models and models are one folder
        raise TopicError(
            f"{shown(name)} cannot be the name of a topic: a folder of focused in FOCUSED_DATA_DIR is called so; choose another "
            "(-a name=NAME)"
        )
    if not TOPIC_NAME.fullmatch(name):
        raise TopicError(
            f"{shown(name)} cannot be the name of a topic: use letters, digits, '-', '_' and '.', 100 at most, and no folder "
            "(the setting FOCUSED_TOPICS_DIR names the folder)"
        )


WIDTH = 100  # columns of a comment

_HEAD = """\
# The topic {name}. Crawl it with: scrapy crawl topical -a topic={name}
#
# Lines that start with # show the defaults; remove the # to change one.
"""
_SETTINGS = """\
[settings]
# Any Scrapy setting for this topic alone; -s on the command line overrides it.
#DOWNLOAD_DELAY = 2.0
"""


def topic_template(
    name: str, tables: Mapping[str, Mapping[str, Any]], strategy: str, about_strategy: str, options: type[BaseModel]
) -> str:
    """The text of a topic file.

    tables : the values that are set, by table and key; all others are written as comments, with their defaults
    strategy, about_strategy, options : its name, what it does in one line, and the options it takes
    """
    parts = [_HEAD.format(name=name), _table("topic", About, tables.get("topic", {}))]
    chosen = tables.get("strategy", {})
    lines = [_comment(about_strategy), f"name = {toml_value(strategy)}", *_lines(options, chosen)]
    parts.append("\n".join(["[strategy]", *lines]) + "\n")
    parts += [_table(table, model, tables.get(table, {})) for table, model in OPTION_TABLES.items()]
    return "\n".join([*parts, _SETTINGS])


def toml_value(value: Any) -> str:
    """A plain value in TOML. JSON writes strings, numbers, booleans and lists in the same way, except for DEL."""
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{toml_value(key)} = {toml_value(part)}" for key, part in value.items()) + "}"
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def _table(table: str, model: type[BaseModel], values: Mapping[str, Any]) -> str:
    return "\n".join([f"[{table}]", *_lines(model, values)]) + "\n"


def _lines(model: type[BaseModel], values: Mapping[str, Any]) -> Iterator[str]:
    for key, field in model.model_fields.items():
        if field.description:
            yield _comment(field.description)
        if key in values:
            yield f"{key} = {toml_value(values[key])}"
        else:
            yield f"#{key} = {toml_value(to_jsonable_python(field.get_default(call_default_factory=True)))}"


def _comment(text: str) -> str:
    return textwrap.fill(text, WIDTH, initial_indent="# ", subsequent_indent="# ")
