"""What a person asks of the search, as it stands in an address. Nothing there is a mistake: what makes no sense is left out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from urllib.parse import urlencode

from focused.desk.dashboard.table_form import page_number
from focused.page.plain_text import plain

BEST, NEWEST = "best", "newest"
LONGEST = 1000  #: characters of a field


@dataclass(frozen=True, slots=True)
class SearchForm:
    """Words, and what the pages must be that are found. An empty field asks for nothing."""

    q: str = ""
    host: str = ""  #: of this host and those below it
    language: str = ""
    relevant: str = ""  #: ``yes`` or ``no``
    tag: str = ""
    run: str = ""
    date: str = ""  #: the beginning of days of ISO 8601: ``2026-03`` is a month
    copies: str = ""  #: ``yes``: copies of other pages too
    words: str = ""  #: ``all``: no page that has only some of the words
    sort: str = BEST  #: or `NEWEST`
    page: int = 1  #: of the results

    @classmethod
    def of(cls, given: Mapping[str, str]) -> SearchForm:
        """The form that the query of an address holds."""
        texts = {one.name: plain(given.get(one.name, ""), LONGEST).strip() for one in fields(cls) if one.name != "page"}
        texts["sort"] = texts["sort"] if texts["sort"] in (BEST, NEWEST) else BEST
        return cls(**texts, page=page_number(given.get("page", "")))

    def query(self, **changes: str | int) -> str:
        """The query of the address of this form after changes, without what says nothing. Filters lead to the first page."""
        changed = replace(self, **{"page": 1, **changes})  # type: ignore[arg-type]
        default = SearchForm()
        return urlencode(
            [
                (one.name, str(value))
                for one in fields(self)
                if (value := getattr(changed, one.name)) != getattr(default, one.name)
            ]
        )

    @property
    def filters(self) -> list[tuple[str, str]]:
        """Names and values of the filters that are set."""
        names = ("host", "language", "relevant", "tag", "run", "date")
        return [(name, getattr(self, name)) for name in names if getattr(self, name)]
