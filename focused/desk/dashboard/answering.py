"""The answer to a search form: rows of pages, best first, what they have in common, and how they are written down."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from focused.collection.search import Hit, Wanted, hits_of
from focused.collection.search_query import Query
from focused.collection.store import Store
from focused.crawl.arrays import IntArray
from focused.desk.dashboard.facets import Facet, Facets
from focused.desk.dashboard.finding import Ready
from focused.desk.dashboard.search_form import NEWEST, SearchForm
from focused.desk.dashboard.served import Shown
from focused.desk.dashboard.versions import Versions
from focused.page.plain_text import cell, csv_lines
from focused.page.urls import UrlRules

PER_PAGE = 20  #: pages of an answer that are shown at once
AT_ONCE = 1000  #: hits that are written down at once
EVERYTHING = Wanted(copies=True)
HEADINGS = ("url", "title", "language", "relevance", "relevant", "fetched_at", "tags")


@dataclass(frozen=True, slots=True)
class Answer:
    """All pages that answer a form.

    Attributes
    ----------
    seqs : (n,) numbers of their fetches, the best first
    whole : of these, those with all the words; the others follow
    """

    seqs: IntArray
    whole: int
    query: Query | None
    told: str
    facets: list[Facet]
    copies: int
    ready: Ready


def answer_to(shown: Shown, store: Store, form: SearchForm, tags: Mapping[str, list[str]]) -> Answer:
    """Answer a form from what is indexed by now.

    tags : of the desk, by URL
    """
    versions = shown.versions.read(store)
    ready = shown.finding.ready(store, versions)
    found = shown.finding.find(store, versions, form.q, all_words=form.words == "all", enough=PER_PAGE)
    facets = Facets(versions, found.rows, _rows_of_tags(versions, tags), form)
    rows = found.rows[facets.kept]
    whole = int(facets.kept[: found.whole].sum())
    if form.sort == NEWEST:
        rows, whole = np.sort(rows)[::-1], len(rows)
    return Answer(versions.seq[rows], whole, found.query, found.told, list(facets.all()), facets.copies, ready)


def _rows_of_tags(versions: Versions, tags: Mapping[str, list[str]]) -> dict[str, IntArray]:
    """Rows of `Versions` by tag."""
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
