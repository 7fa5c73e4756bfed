"""What a person asks of a long table, as it stands in an address: a text to filter by, an order, a page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from urllib.parse import urlencode

from focused.page.plain_text import plain

PER_PAGE = 50
LONGEST = 500  #: characters of a field


@dataclass(frozen=True, slots=True)
class TableForm:
    """An empty field asks for nothing."""

    q: str = ""  #: text that URLs or hosts must have
    reason: str = ""
    sort: str = ""  #: a column
    up: str = ""  #: ``yes``: the smallest first
    page: int = 1

    @classmethod
    def of(cls, given: Mapping[str, str], columns: Sequence[str] = ()) -> TableForm:
        """The form that the query of an address holds. Of the columns the first decides the order where none is named."""
        q, reason, sort, up = (plain(given.get(name, ""), LONGEST).strip() for name in ("q", "reason", "sort", "up"))
        if sort not in columns:
            sort = columns[0] if columns else ""
        return cls(q, reason, sort, "yes" if up == "yes" else "", page_number(given.get("page", "")))

    def query(self, **changes: str | int) -> str:
        """The query of the address after changes. Anything but another page leads to the first."""
        changed = replace(self, **{"page": 1, **changes})  # type: ignore[arg-type]
        values = {"q": changed.q, "reason": changed.reason, "sort": changed.sort, "up": changed.up}
        return urlencode({name: value for name, value in values.items() if value} | {"page": changed.page})

    def turned(self, column: str) -> str:
        """The query that orders by a column, the other way round where it does already."""
        return self.query(sort=column, up="yes" if self.sort == column and not self.up else "")


@dataclass(frozen=True, slots=True)
class Part:
    """One page of a table."""

    rows: Sequence[object]
    count: int  #: of all rows
    number: int
    pages: int


def page_number(text: str) -> int:
    """The page that an address asks for, at least 1; the first where that makes no sense."""
    return max(1, int(text)) if text.isascii() and text.isdecimal() and len(text) < 8 else 1


def place(count: int, page: int, per_page: int) -> tuple[int, int, int]:
    """First of so many rows on the page that is asked for, or on the last; its number, and the count of pages."""
    pages = max(1, -(-count // per_page))
    number = min(page, pages)
    return (number - 1) * per_page, number, pages


def part_of(rows: Sequence[object], form: TableForm) -> Part:
    """The page of a list that is asked for."""
    start, number, pages = place(len(rows), form.page, PER_PAGE)
    return Part(rows[start : start + PER_PAGE], len(rows), number, pages)
