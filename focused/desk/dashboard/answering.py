"""What a person asks of the search, as it stands in an address, and the answer: pages, best first, and what they have in common."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

import numpy as np

from focused.collection.store import Store
from focused.crawl.arrays import BoolArray, IntArray
from focused.desk.dashboard.figures import VersionTable
from focused.desk.dashboard.finding import SearchReadiness
from focused.desk.dashboard.long_tables import AddressForm
from focused.desk.dashboard.served import Shown
from focused.inspection.search import Hit, SearchFilter, hits_of
from focused.inspection.search_query import FtsQuery
from focused.page.plain_text import cell, csv_lines
from focused.page.urls import UrlRules

NEWEST = "newest"
MOST_VALUES = 10  #: of a facet that are listed
MOST_DAYS = 31  #: dates that are listed, and days that are not counted by the month
UNKNOWN = "-"  #: stands for an empty value in an address
PER_PAGE = 20  #: pages of an answer that are shown at once
AT_ONCE = 1000  #: hits that are written down at once
EVERYTHING = SearchFilter(copies=True)
HEADINGS = ("url", "title", "language", "relevance", "relevant", "fetched_at", "tags")


@dataclass(frozen=True, slots=True)
class SearchForm(AddressForm):
    """Words, and what the pages must be that are found; ``sort`` is `NEWEST`, or the best come first."""

    host: str = ""  #: of this host and those below it
    language: str = ""
    relevant: str = ""  #: ``yes`` or ``no``
    tag: str = ""
    run: str = ""
    date: str = ""  #: the beginning of days of ISO 8601: ``2026-03`` is a month
    copies: str = ""  #: ``yes``: copies of other pages too
    words: str = ""  #: ``all``: no page that has only some of the words

    @property
    def filters(self) -> list[tuple[str, str]]:
        """Names and values of the filters that are set."""
        names = ("host", "language", "relevant", "tag", "run", "date")
        return [(name, getattr(self, name)) for name in names if getattr(self, name)]


@dataclass(frozen=True, slots=True)
class Facet:
    """One question about pages, with the answers that most of them give."""

    name: str  #: the field of `SearchForm`
    label: str
    values: list[tuple[str, int]]  #: with how many pages have each
    chosen: str  #: one of them; empty: none is
    more: int  #: values that are not listed


class Facets:
    """Filters the rows of an answer by a form, and counts what they have.

    Parameters
    ----------
    rows : (n,) of `VersionTable`, that answer the words
    tagged : the rows of each tag

    Attributes
    ----------
    kept : (n,) which rows the form keeps
    copies : rows left out only because they copy other pages
    """

    def __init__(
        self, versions: VersionTable, rows: IntArray, tagged: Mapping[str, IntArray], form: SearchForm
    ) -> None:
        self._rows, self._tagged, self._form = rows, tagged, form
        runs = [str(number) for number in range(int(versions.run.max(initial=0)) + 1)]
        #: By name: how it is called, the value of each row as a number, and the values.
        self._columns: dict[str, tuple[str, IntArray | BoolArray, Sequence[str]]] = {
            "relevant": ("Relevant", versions.relevant, ("no", "yes")),
            "host": ("Host", versions.host, versions.hosts),
            "language": ("Language", versions.language, versions.languages),
            "run": ("Run", versions.run, runs),
            "date": ("Fetched", versions.day, versions.days),
        }
        self._masks = {name: self._mask(name, value) for name, value in form.filters}
        if form.copies != "yes":
            self._masks["copies"] = ~versions.copy[rows]
        self.kept = self._all_but("")
        self.copies = int(self._all_but("copies").sum() - self.kept.sum())

    def all(self) -> Iterator[Facet]:
        """Yield the facets that tell pages apart, each counted over the rows that the filters of the others keep."""
        for name, (label, column, values) in self._columns.items():
            if name == "run" and len(np.unique(column)) < 2:
                continue
            numbers = np.bincount(column[self._rows[self._all_but(name)]])
            counts = {values[number] or UNKNOWN: int(numbers[number]) for number in np.flatnonzero(numbers).tolist()}
            if name == "date" and len(counts) > MOST_DAYS:  # by months
                months = sorted((day[:7], count) for day, count in counts.items())
                counts = {month: sum(n for _, n in some) for month, some in groupby(months, key=lambda one: one[0])}
            yield self._facet(name, label, Counter(counts))
            if name == "language" and self._tagged:
                here = self._rows[self._all_but("tag")]
                counts = {tag: int(np.isin(rows, here).sum()) for tag, rows in self._tagged.items()}
                yield self._facet("tag", "Tag", Counter(counts))

    def _all_but(self, name: str) -> BoolArray:
        """(n,) which rows all filters but one keep."""
        kept = np.ones(len(self._rows), np.bool_)
        for other, mask in self._masks.items():
            if other != name:
                kept &= mask
        return kept

    def _mask(self, name: str, value: str) -> BoolArray:
        """(n,) which rows have a value."""
        if name == "tag":
            return np.isin(self._rows, self._tagged.get(value, ()))
        _, column, values = self._columns[name]
        if name == "host":
            wanted = [f".{one}".endswith(f".{value.lower()}") for one in values]
        elif name == "date":
            wanted = [one.startswith(value) for one in values]
        else:
            wanted = [(one or UNKNOWN) == value for one in values]
        return np.isin(column[self._rows], np.flatnonzero(wanted))

    def _facet(self, name: str, label: str, counts: Counter[str]) -> Facet:
        """Dates come in their order, the last first; other values by how many pages have them."""
        chosen, is_date = getattr(self._form, name), name == "date"
        most = MOST_DAYS if is_date else MOST_VALUES
        listed = sorted(counts, reverse=True) if is_date else sorted(counts, key=lambda one: (-counts[one], one))
        listed = listed[:most]
        if chosen and chosen not in listed:
            listed.append(chosen)
        return Facet(name, label, [(value, counts[value]) for value in listed], chosen, max(0, len(counts) - most))


@dataclass(frozen=True, slots=True)
class FacetAnswer:
    """All pages that answer a form.

    Attributes
    ----------
    seqs : (n,) numbers of their fetches, the best first
    whole : of these, those with all the words; the others follow
    """

    seqs: IntArray
    whole: int
    query: FtsQuery | None
    told: str
    facets: list[Facet]
    copies: int
    ready: SearchReadiness


def answer_to(shown: Shown, store: Store, form: SearchForm, tags: Mapping[str, list[str]]) -> FacetAnswer:
    """Answer a form from what is indexed by now.

    tags : of the desk, by URL
    """
    versions = shown.figures.versions(store)
    ready = shown.finding.ready(store, versions)
    found = shown.finding.find(store, versions, form.q, all_words=form.words == "all", enough=PER_PAGE)
    facets = Facets(versions, found.rows, _rows_of_tags(versions, tags), form)
    rows = found.rows[facets.kept]
    whole = int(facets.kept[: found.whole].sum())
    if form.sort == NEWEST:
        rows, whole = np.sort(rows)[::-1], len(rows)
    return FacetAnswer(versions.seq[rows], whole, found.query, found.told, list(facets.all()), facets.copies, ready)


def _rows_of_tags(versions: VersionTable, tags: Mapping[str, list[str]]) -> dict[str, IntArray]:
    """Rows of `VersionTable` by tag."""
    urls = {UrlRules.key(url): url for url in tags}
    rows: dict[str, list[int]] = {}
    for row in np.flatnonzero(versions.newest & np.isin(versions.key, list(urls))).tolist():
        for tag in tags[urls[int(versions.key[row])]]:
            rows.setdefault(tag, []).append(row)
    return {tag: np.array(some, np.int64) for tag, some in rows.items()}


def written(shown: Shown, seqs: Sequence[int], kind: str) -> Iterator[str]:
    """Yield the lines of a list of pages: ``csv``, ``jsonl`` or ``txt`` (URLs alone).

    No transaction stays open between two parts: whoever takes them may be slow, and the log of a crawl would grow.
    """
    tags = shown.desk.tags()
    if kind == "csv":
        yield csv_lines([HEADINGS])
    for start in range(0, len(seqs), AT_ONCE):
        with shown.store() as store:
            hits = list(hits_of(store, seqs[start : start + AT_ONCE], EVERYTHING))
        match kind:
            case "csv":
                yield csv_lines([_cells(hit, tags.get(hit.url, [])) for hit in hits])
            case "jsonl":
                yield "".join(f"{_json(hit, tags.get(hit.url, []))}\n" for hit in hits)
            case _:
                yield "".join(f"{hit.url}\n" for hit in hits)


def _cells(hit: Hit, tags: Sequence[str]) -> list[str]:
    relevant = "yes" if hit.relevant else "no"
    texts = (hit.url, hit.title, hit.language, f"{hit.relevance:.4f}", relevant, hit.fetched, ", ".join(tags))
    return [cell(text) for text in texts]


def _json(hit: Hit, tags: Sequence[str]) -> str:
    values = (hit.url, hit.title, hit.language, round(hit.relevance, 4), hit.relevant, hit.fetched, list(tags))
    return json.dumps(dict(zip(HEADINGS, values, strict=True)), ensure_ascii=False)
