"""One exported row: what a page, or a chunk of it, says, what the crawl thought of it, and where all this comes from."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, fields
from types import UnionType
from typing import Any, get_args, get_type_hints

from focused.collection.repository import Place
from focused.export.own_columns import OwnColumns
from focused.live.own_fields import Field


@dataclass(slots=True, kw_only=True)
class Row:
    """The fields of an export; docs/reference/storage.md explains them. None: it does not apply, or nobody knows."""

    id: str | None = None
    url: str
    final_url: str
    title: str
    headings: list[str] | None = None
    position: int | None = None
    tokens: int | None = None
    text: str | None = None
    author: str = ""
    published: str | None = None
    description: str = ""
    site_name: str = ""
    structured: str | None = None
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
    checked_at: str
    gone_at: str | None
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


TEXT, STRUCTURED, PATH = "text", "structured", "path"
FACTS = ("author", "published", "description", "site_name")  #: what a page says about itself
READ = frozenset((TEXT, STRUCTURED, *FACTS))  #: for which a page must be read again
OF_CHUNKS = ("id", "headings", "position", "tokens")  #: that a page as a whole does not have
ALL = tuple(one.name for one in fields(Row))
OF_PAGES = tuple(name for name in ALL if name not in OF_CHUNKS)
#: What is written if nobody says otherwise: of a page all but what is long, of a chunk what a search for it shows.
FIELDS = tuple(name for name in OF_PAGES if name != STRUCTURED)
CHUNK_FIELDS = (
    "id", "final_url", "title", "headings", "position", "tokens", "text", "language", "published", "fetched_at", "relevance",
    "relevant", "seq",
)  # fmt: skip
_HINTS = get_type_hints(Row)


def type_of(name: str, own: OwnColumns) -> Any:
    """The type of a field: str, int, float, bool or list[str]; whether it may be None is left out."""
    hint = own.get(name) or _HINTS[name]
    return get_args(hint)[0] if isinstance(hint, UnionType) else hint


@dataclass(slots=True, kw_only=True)
class Found(Row):
    """A row on its way, with what is needed to complete it."""

    source_id: int | None  #: of `found_on`
    plain: Place | None  #: where the plain response of a rendered page lies
    nosnippet: bool = False  #: it asks that nobody shows a piece of its text
    own: dict[str, Field] = field(default_factory=dict)  #: values of `own_columns`

    @property
    def place(self) -> Place:
        return Place(self.file, self.offset, self.length)


def values_of(names: tuple[str, ...]) -> Callable[[Found], tuple[Any, ...]]:
    """A function that gives the values of these fields of a row, in this order."""
    known = set(ALL)
    return lambda row: tuple(getattr(row, name) if name in known else row.own.get(name) for name in names)
