"""Columns that somebody's own spider adds to an export: ``own_price`` holds what it kept as ``price`` with each page."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping

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
