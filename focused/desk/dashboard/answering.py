"""What a person asks of the search, as it stands in an address, and the answer: pages, best first, and what they have in common."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from focused.collection.search import Hit, SearchFilter, hits_of
from focused.collection.search_query import FtsQuery
from focused.collection.store import Store
from focused.crawl.arrays import BoolArray, IntArray
from focused.desk.dashboard.figures import VersionTable
from focused.desk.dashboard.finding import SearchReadiness
from focused.desk.dashboard.long_tables import AddressForm, whole
from focused.desk.dashboard.served import Shown
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
class FacetValue:
    """A value of a facet, and how many pages have it."""

    value: str
    count: int
    chosen: bool


@dataclass(frozen=True, slots=True)
class Facet:
    """One question about pages, with the answers that most of them give."""

    name: str  #: the field of `SearchForm`
    label: str
    values: list[FacetValue]
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

    def _all_but(self, name: str) -> BoolArray:
        """(n,) which rows all filters but one keep."""
        kept = np.ones(len(self._rows), np.bool_)
        for other, mask in self._masks.items():
            if other != name:
                kept &= mask
        return kept

    def _mask(self, name: str, value: str) -> BoolArray:
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
                return _same(versions.run[rows], whole(value))
            case _:
                return np.isin(rows, self._tagged.get(value, ()))

    def _counts(self, name: str, column: IntArray | BoolArray, names: Sequence[str]) -> Counter[str]:
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
        values = [FacetValue(value, counts[value], value == chosen) for value in listed]
        return Facet(name, label, values, max(0, len(counts) - most))


def _same(column: IntArray | BoolArray, value: int) -> BoolArray:
    """(n,) where a column has a value."""
    same: BoolArray = column == value
    return same


def _which(names: Sequence[str], wanted: Callable[[str], bool]) -> BoolArray:
    """(names,) which are wanted."""
    return np.array([wanted(name) for name in names], np.bool_)


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
