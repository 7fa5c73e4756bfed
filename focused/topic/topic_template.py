"""Writing a new topic file: every option with its default and what it means, so that nobody has to look one up."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Iterator, Mapping
from typing import Any

from pydantic import BaseModel
from pydantic_core import to_jsonable_python

from focused.topic.topic import OPTION_TABLES, About

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
