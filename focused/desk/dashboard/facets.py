"""What the pages of an answer have in common: counted over all of them, and chosen to see fewer."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from focused.crawl.arrays import IntArray
from focused.desk.dashboard.growing import Flags
from focused.desk.dashboard.search_form import SearchForm
from focused.desk.dashboard.versions import Versions

MOST_VALUES = 10  #: of a facet that are listed
MOST_DAYS = 31  #: dates that are listed, and days that are not counted by the month
UNKNOWN = "-"  #: stands for an empty value in an address


@dataclass(frozen=True, slots=True)
class Value:
    """A value of a facet, and how many pages have it."""

    value: str
    count: int
    chosen: bool


@dataclass(frozen=True, slots=True)
class Facet:
    """One question about pages, with the answers that most of them give."""

    name: str  #: the field of `SearchForm`
    label: str
    values: list[Value]
    more: int  #: values that are not listed


class Facets:
    """Filters the rows of an answer by a form, and counts what they have.

    Parameters
    ----------
    rows : (n,) of `Versions`, that answer the words
    tagged : the rows of each tag

    Attributes
    ----------
    kept : (n,) which rows the form keeps
    copies : rows left out only because they copy other pages
    """

    def __init__(self, versions: Versions, rows: IntArray, tagged: Mapping[str, IntArray], form: SearchForm) -> None:
        self._versions, self._rows, self._tagged, self._form = versions, rows, tagged, form
        self._masks = {name: self._mask(name, value) for name, value in form.filters}
        if form.copies != "yes":
            self._masks["copies"] = ~versions.copy[rows]
        self.kept = self._all_but("")
        self.copies = int(self._all_but("copies").sum() - self.kept.sum())

    def all(self) -> Iterator[Facet]:
        """Yield the facets that tell pages apart, each counted over the rows that the filters of the others keep."""
        versions = self._versions
        yield self._facet("relevant", "Relevant", self._counts("relevant", versions.relevant, ("no", "yes")))
        yield self._facet("host", "Host", self._counts("host", versions.host, versions.hosts))
        yield self._facet("language", "Language", self._counts("language", versions.language, versions.languages))
        if self._tagged:
            here = self._rows[self._all_but("tag")]
            counts = {tag: int(np.isin(rows, here).sum()) for tag, rows in self._tagged.items()}
            yield self._facet("tag", "Tag", Counter(counts))
        if len(np.unique(versions.run)) > 1:
            runs = [str(number) for number in range(int(versions.run.max()) + 1)]
            yield self._facet("run", "Run", self._counts("run", versions.run, runs))
        days = self._counts("date", versions.day, versions.days)
        if len(days) > MOST_DAYS:
            days = self._counts("date", versions.day, [day[:7] for day in versions.days])
        yield self._facet("date", "Fetched", days, most=MOST_DAYS, by_value=True)

    def _all_but(self, name: str) -> Flags:
        """(n,) which rows all filters but one keep."""
        kept = np.ones(len(self._rows), np.bool_)
        for other, mask in self._masks.items():
            if other != name:
                kept &= mask
        return kept

    def _mask(self, name: str, value: str) -> Flags:
        """(n,) which rows have a value."""
        versions, rows = self._versions, self._rows
        match name:
            case "host":
                below = value.lower()
                return _which(versions.hosts, lambda host: f".{host}".endswith(f".{below}"))[versions.host[rows]]
            case "language":
                wanted = "" if value == UNKNOWN else value
                return _which(versions.languages, lambda one: one == wanted)[versions.language[rows]]
            case "date":
                return _which(versions.days, lambda day: day.startswith(value))[versions.day[rows]]
            case "relevant":
                return _same(versions.relevant[rows], value == "yes")
            case "run":
                is_number = value.isascii() and value.isdecimal() and len(value) < 10
                return _same(versions.run[rows], int(value) if is_number else -1)
            case _:
                return np.isin(rows, self._tagged.get(value, ()))

    def _counts(self, name: str, column: IntArray | Flags, names: Sequence[str]) -> Counter[str]:
        """How many rows have each value; several numbers may stand for one."""
        counts = np.bincount(column[self._rows[self._all_but(name)]])
        found: Counter[str] = Counter()
        for number in np.flatnonzero(counts).tolist():
            found[names[number] or UNKNOWN] += int(counts[number])
        return found

    def _facet(
        self, name: str, label: str, counts: Counter[str], *, most: int = MOST_VALUES, by_value: bool = False
    ) -> Facet:
        chosen = getattr(self._form, name)
        order: Callable[[str], object] = (lambda value: value) if by_value else (lambda value: (-counts[value], value))
        listed = sorted(counts, key=order, reverse=by_value)[:most]  # type: ignore[arg-type]
        if chosen and chosen not in listed:
            listed.append(chosen)
        values = [Value(value, counts[value], value == chosen) for value in listed]
        return Facet(name, label, values, max(0, len(counts) - most))


def _same(column: IntArray | Flags, value: int) -> Flags:
    """(n,) where a column has a value."""
    same: Flags = column == value
    return same


def _which(names: Sequence[str], wanted: Callable[[str], bool]) -> Flags:
    """(names,) which are wanted."""
    return np.array([wanted(name) for name in names], np.bool_)
