"""The card of an export: what is in it, how it was made and when, for whoever finds the file later."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from focused import __version__
from focused.collection.store import Store
from focused.export.row import Found
from focused.live.last_run import LastRun
from focused.page.plain_text import plain

UNKNOWN = "unknown"  #: language


@dataclass(slots=True)
class Tally:
    """Counts the pages that are written."""

    pages: int = 0
    rows: int = 0  #: the same, or chunks of them
    relevant: int = 0
    noindex: int = 0
    first: str = ""  #: when the earliest was fetched
    last: str = ""
    characters: int = 0  #: of text
    languages: Counter[str] = field(default_factory=Counter)
    verdicts: Counter[str] = field(default_factory=Counter)
    kinds: Counter[str] = field(default_factory=Counter)

    def add(self, page: Found) -> None:
        self.pages += 1
        self.relevant += page.relevant
        self.noindex += page.noindex
        self.first = min(self.first or page.fetched_at, page.fetched_at)
        self.last = max(self.last, page.fetched_at)
        self.characters += len(page.text or "")
        self.languages[page.language or UNKNOWN] += 1
        self.verdicts[page.verdict or "none: it brings something new"] += 1
        self.kinds[page.kind or "none: it says something itself"] += 1


@dataclass(frozen=True, slots=True)
class Made:
    """How an export was made."""

    name: str  #: of its file
    filters: list[str]  #: in words
    fields: tuple[str, ...]  #: empty where the format has none
    model: str  #: what relevance was measured by
    audit: str | None  #: what a person's judgements say of the crawl, a line
    chunks: int | None  #: tokens of a chunk at most, where a row is one


def card_of(store: Store, run: LastRun, made: Made, tally: Tally) -> str:
    """The card as Markdown, with what catalogues of data sets read as front matter."""
    return "\n".join(_lines(store, run, made, tally)) + "\n"


def _lines(store: Store, run: LastRun, made: Made, tally: Tally) -> Iterator[str]:
    collection = store.path.parent.name
    about: dict[str, Any] = run.topic["topic"]
    known = sorted(language for language in tally.languages if language != UNKNOWN)
    yield from (
        "---",
        f"pretty_name: {json.dumps(collection)}",
        f"language: [{', '.join(map(json.dumps, known))}]",
        "---",
        "",
    )
    yield f"# {made.name}"
    yield ""
    yield (
        f"{tally.pages:,} Web pages about {', '.join(map(plain, about['keywords']))}, {tally.relevant:,} of them relevant by the "
        f"crawl's own page model, from the collection {collection}."
    )
    if about.get("description"):
        yield from ("", plain(about["description"]))
    yield from ("", "## How it was made", "")
    yield f"- Crawled by focused {run.version}, strategy {run.topic['strategy']['name']}, from {len(about['seeds']):,} seeds."
    yield f"- Relevance: by the page model {made.model}, threshold {run.topic['relevance']['threshold']:g}."
    yield f"- The pages were fetched from {tally.first} to {tally.last}."
    yield f"- Exported at {datetime.now(UTC).isoformat(timespec='seconds')} by focused {__version__}."
    yield f"- Which pages: {'; '.join(made.filters) or 'all'}."
    if made.fields:
        yield f"- Fields: {', '.join(made.fields)}."
    if made.chunks:
        yield f"- A row is a chunk of a page: {tally.rows:,} of {made.chunks:,} tokens at most."
    if tally.characters:
        yield f"- Text: {tally.characters:,} characters."
    yield from ("", "## Harvest of the whole crawl", "")
    pages, relevant = store.execute("SELECT count(*), sum(relevant) FROM fetches WHERE outcome = 'page'").fetchone()
    yield f"- By its own page model {relevant or 0:,} of {pages:,} pages are relevant ({(relevant or 0) / max(1, pages):.1%})."
    yield f"- {plain(made.audit)}" if made.audit else "- No sample was judged by a person."
    yield from ("", "## Languages", "", "| language | pages |", "|---|---|")
    yield from _counts(tally.languages)
    yield from ("", "## Verdicts", "", "| why a page brings nothing new | pages |", "|---|---|")
    yield from _counts(tally.verdicts)
    yield from ("", "## Kinds", "", "| what a page is, by its form | pages |", "|---|---|")
    yield from _counts(tally.kinds)
    yield from ("", "## Licence", "")
    yield "The pages belong to those who wrote them. Nobody has looked for licences."
    if tally.noindex:
        yield f"{tally.noindex:,} of the pages ask search engines not to index them (`noindex` is true)."


def _counts(counter: Counter[str]) -> Iterator[str]:
    for name, count in counter.most_common():
        yield f"| {plain(name)} | {count:,} |"
