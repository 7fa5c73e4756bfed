"""Mistakes in what a person wrote: each one plain line with its place, all collected before one is told."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails, to_json

from focused.exceptions import TopicError

Model = TypeVar("Model", bound=BaseModel)

LONGEST_VALUE = 60  # characters of a wrong value that a message repeats

#: What a value must be, by pydantic's type of error.
_EXPECTED = {
    "int_type": "a whole number",
    "int_parsing": "a whole number",
    "int_from_float": "a whole number",
    "float_type": "a number",
    "float_parsing": "a number",
    "finite_number": "a finite number",
    "bool_type": "true or false",
    "bool_parsing": "true or false",
    "string_type": "text in quotes",
    "tuple_type": 'a list such as ["a", "b"]',
    "list_type": 'a list such as ["a", "b"]',
    "dict_type": "a table",
    "model_type": "a table",
    "greater_than": "more than {gt}",
    "greater_than_equal": "at least {ge}",
    "less_than": "less than {lt}",
    "less_than_equal": "at most {le}",
    "literal_error": "{expected}",
}


def nearest(word: str, known: Iterable[str]) -> str | None:
    """The known word most like `word`, upper and lower case alike; None if none is near."""
    by_lower = {name.lower(): name for name in known}
    found = difflib.get_close_matches(word.lower(), by_lower, n=1)
    return by_lower[found[0]] if found else None


def unknown(word: str, known: Iterable[str], *, plural: str = "known") -> str:
    """Say that `word` is unknown, and name the nearest known word or, if none is near, all of them."""
    known = list(known)
    guess = nearest(word, known)
    return f"unknown; did you mean {guess}?" if guess else f"unknown; {plural}: {', '.join(known) or 'none'}"


def shown(value: Any) -> str:
    """A wrong value as a person wrote it, cut to a readable length."""
    text = str(value).lower() if isinstance(value, bool) else repr(value)
    return text if len(text) <= LONGEST_VALUE else text[: LONGEST_VALUE - 3] + "..."


def in_plain_words(error: ErrorDetails) -> str:
    """One of pydantic's errors without its jargon."""
    kind, context = error["type"], error.get("ctx", {})
    if kind == "missing":
        return "is missing"
    if kind == "value_error":
        return str(context["error"])
    if kind in _EXPECTED:
        return f"must be {_EXPECTED[kind].format(**context)}, not {shown(error['input'])}{_meant(error['input'])}"
    return f"{error['msg'].removeprefix('Input ')}, not {shown(error['input'])}"


def _meant(value: Any) -> str:
    """How a number is written that holds separators: ``1,000`` or ``1 000``; empty for any other value."""
    grouped = isinstance(value, str) and re.fullmatch(r"\d{1,3}([ ,'_.]\d{3})+", value)
    return f"; write {re.sub(r'[^0-9]', '', value)}" if grouped else ""


@dataclass
class Mistakes:
    """The mistakes found so far in one topic.

    file : the topic file as shown to a person; empty if there is none
    options : the command-line option behind a value, by table and key, such as ``("budget", "pages"): "-a pages"``
    """

    file: str = ""
    options: Mapping[tuple[str, str], str] = field(default_factory=dict)
    lines: list[str] = field(default_factory=list)

    def place(self, table: str, *path: str | int) -> str:
        """Where a value stands: ``topics/solar.toml: [topic] seeds[2]``, or ``-a seeds[2]``."""
        key = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in path).lstrip(".")
        if path and (option := self.options.get((table, str(path[0])))):
            return option + key.removeprefix(str(path[0]))
        where = " ".join(filter(None, (f"[{table}]" if table else "", key)))
        return ": ".join(filter(None, (self.file, where)))

    def add(self, message: str, table: str, *path: str | int) -> None:
        """Note a mistake; the table is empty for one that concerns the whole topic."""
        self.lines.append(": ".join(filter(None, (self.place(table, *path), message))))

    def validate(self, model: type[Model], values: Mapping[str, Any], table: str) -> Model | None:
        """Validate a table, strictly: text is no number. None, and the mistakes noted, if it is not valid."""
        try:
            # Through JSON, because a strict model takes a list for a tuple only there.
            return model.model_validate_json(to_json(values, inf_nan_mode="constants"), strict=True)
        except ValidationError as invalid:
            for error in invalid.errors(include_url=False):
                message = in_plain_words(error)
                if error["type"] == "extra_forbidden":
                    message = unknown(str(error["loc"][-1]), model.model_fields, plural="keys")
                self.add(message, table, *error["loc"])
            return None

    def stop_if_any(self) -> None:
        """Raise TopicError with all mistakes, one a line."""
        if self.lines:
            raise TopicError("\n".join(self.lines))
