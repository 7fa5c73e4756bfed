"""One exported page: what it says, what the crawl thought of it, and where all this comes from."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields
from operator import attrgetter
from types import UnionType
from typing import Any, get_args, get_type_hints

from focused.storage.repository import Place


@dataclass(slots=True, kw_only=True)
class Row:
    """The fields of a page in an export; docs/reference/storage.md explains them. None: it does not apply, or nobody knows."""

    url: str
    final_url: str
    title: str
    text: str | None = None
    language: str
    relevance: float | None
    relevant: bool
    verdict: str | None
    kind: str | None
    duplicate_of: str | None
    score: float | None
    depth: int
    found_on: str | None
    path: list[str]
    fetched_at: str
    status: int | None
    content_type: str
    bytes: int | None
    content_hash: str
    noindex: bool
    truncated: bool
    rendered: bool | None
    file: str
    offset: int
    length: int
    seq: int
    run: int
    model: str


FIELDS = tuple(field.name for field in fields(Row))
_HINTS = get_type_hints(Row)


def type_of(name: str) -> Any:
    """The type of a field: str, int, float, bool or list[str]; whether it may be None is left out."""
    hint = _HINTS[name]
    return get_args(hint)[0] if isinstance(hint, UnionType) else hint


@dataclass(slots=True, kw_only=True)
class Found(Row):
    """A row on its way, with what is needed to complete it."""

    source_id: int | None  #: of `found_on`
    plain: Place | None  #: where the plain response of a rendered page lies

    @property
    def place(self) -> Place:
        return Place(self.file, self.offset, self.length)


def values_of(names: tuple[str, ...]) -> Callable[[Row], tuple[Any, ...]]:
    """A function that gives the values of these fields of a row, in this order."""
    get = attrgetter(*names)
    return get if len(names) > 1 else lambda row: (get(row),)
