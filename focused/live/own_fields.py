"""Fields that the user's own spider adds to a page, such as a price: which names and values they may have.

The crawl keeps them in crawl.db with the page, in the same commit; they become columns of an export.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from math import isfinite
from typing import Any

from focused.page.plain_text import JOINERS, printable

Field = str | int | float | bool | None

KEEP_FIELDS = "focused_keep_fields"  #: of a response: a function that keeps fields with the page

MOST_FIELDS = 50  #: of a page
LONGEST_TEXT = 100_000  #: characters of a text; the rest is cut off
LARGEST = 2**63 - 1  #: of whole numbers, as SQLite and Parquet have them

_NAME = re.compile(r"[a-z][a-z0-9_]{0,49}")  # some programs ignore case


def checked(fields: Mapping[str, Any]) -> dict[str, Field]:
    """The fields as the crawl keeps them.

    Mends faults of the page: texts lose control characters and all beyond `LONGEST_TEXT`, numbers that no column can hold become
    None. Raises for faults of the spider: ValueError for a name, TypeError for a value.
    """
    return {_name(name): _value(name, value) for name, value in fields.items()}


def as_json(fields: Mapping[str, Field]) -> str:
    """Fields as a row of the table own_fields holds them."""
    return json.dumps(fields, allow_nan=False)


def from_json(text: str) -> dict[str, Field]:
    """What `as_json` was given. Raises ValueError or TypeError for anything else."""
    fields = json.loads(text)
    if not isinstance(fields, dict):
        raise ValueError("own fields are an object")
    return checked(fields)


def _name(name: str) -> str:
    if not _NAME.fullmatch(name):
        raise ValueError(f"{name!r}: name a field by small letters, digits and _, with a letter first, 50 at most")
    return name


def _value(name: str, value: Any) -> Field:
    match value:
        case None | bool():
            return value
        case int():
            return int(value) if abs(value) <= LARGEST else None
        case float():
            return float(value) if isfinite(value) else None
        case str():
            return printable(value[:LONGEST_TEXT], f"{JOINERS}\t\n")
    raise TypeError(f"{name}: {type(value).__name__} is neither text nor number, true, false nor None")
