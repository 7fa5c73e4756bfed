"""One exported row: what a page, or a chunk of it, says, what the crawl thought of it, and where all this comes from."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from types import UnionType
from typing import Any, get_args, get_type_hints

from focused.collection.repository import Place
from focused.collection.store import Store
from focused.exceptions import ExportError
from focused.live.own_fields import Field, from_json
from focused.topic.mistakes import unknown

OWN = "own_"  #: begins the names of the columns
MOST = 500  #: columns that are exported unasked; a spider that names fields by what pages say may make any number

_TYPES: Mapping[str, type] = {"text": str, "integer": int, "real": float, "true": bool, "false": bool}

#: Type of each column by its name, in alphabetical order. What is text on one page and a number on another is text.
OwnColumns = Mapping[str, type]


def own_columns(store: Store) -> OwnColumns:
    """The columns that a collection has."""
    found: dict[str, set[type]] = defaultdict(set)
    query = "SELECT DISTINCT j.key, j.type FROM own_fields, json_each(own_fields.fields) j ORDER BY 1"
    for name, kind in store.execute(query):
        found[OWN + name] |= {_TYPES[kind]} if kind in _TYPES else set()
    return {name: _common(types) for name, types in found.items()}


def own_values(fields: str | None, columns: OwnColumns) -> dict[str, Field]:
    """The values of a page by column.

    fields : as own_fields has them; None where the page has none
    """
    found = {OWN + name: value for name, value in from_json(fields or "{}").items()}
    return {name: _as(columns[name], value) for name, value in found.items() if name in columns}


def chosen(fields: tuple[str, ...], columns: OwnColumns, collection: str, *, adds_own: bool) -> tuple[str, ...]:
    """The fields of an export: those that were asked for; with ``adds_own``, these and all own ones.

    Raises ExportError where an own field is asked for that no page has, or there are too many to export them unasked.
    """
    if not adds_own:
        if missing := [name for name in fields if name.startswith(OWN) and name not in columns]:
            raise ExportError(
                f"--fields {missing[0]}: {unknown(missing[0], columns, plural=f'own fields of {collection}')}"
            )
        return fields
    if len(columns) > MOST:
        raise ExportError(
            f"{collection}: has {len(columns):,} own fields, which is a lot: say which you want by --fields"
        )
    return (*fields, *columns)


def _common(types: set[type]) -> type:
    """The type that holds values of all these."""
    if len(types) == 1:
        return next(iter(types))
    return float if types == {int, float} else str


def _as(kind: type, value: Field) -> Field:
    if value is None or isinstance(value, kind):
        return value
    if kind is float:
        return float(value)
    return str(value).lower() if isinstance(value, bool) else str(value)


@dataclass(slots=True, kw_only=True)
class ExportRow:
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
    signals: str | None
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
ALL = tuple(one.name for one in fields(ExportRow))
OF_PAGES = tuple(name for name in ALL if name not in OF_CHUNKS)
#: What is written if nobody says otherwise: of a page all but what is long, of a chunk what a search for it shows.
FIELDS = tuple(name for name in OF_PAGES if name != STRUCTURED)
CHUNK_FIELDS = (
    "id", "final_url", "title", "headings", "position", "tokens", "text", "language", "published", "fetched_at", "relevance",
    "relevant", "seq",
)  # fmt: skip
_HINTS = get_type_hints(ExportRow)


def type_of(name: str, own: OwnColumns) -> Any:
    """The type of a field: str, int, float, bool or list[str]; whether it may be None is left out."""
    hint = own.get(name) or _HINTS[name]
    return get_args(hint)[0] if isinstance(hint, UnionType) else hint


@dataclass(slots=True, kw_only=True)
class UnfinishedRow(ExportRow):
    """A row on its way, with what is needed to complete it."""

    source_id: int | None  #: of `found_on`
    plain: Place | None  #: where the plain response of a rendered page lies
    nosnippet: bool = False  #: it asks that nobody shows a piece of its text
    own: dict[str, Field] = field(default_factory=dict)  #: values of `own_columns`

    @property
    def place(self) -> Place:
        return Place(self.file, self.offset, self.length)


def values_of(names: tuple[str, ...]) -> Callable[[UnfinishedRow], tuple[Any, ...]]:
    """A function that gives the values of these fields of a row, in this order."""
    known = set(ALL)
    return lambda row: tuple(getattr(row, name) if name in known else row.own.get(name) for name in names)
