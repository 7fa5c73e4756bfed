"""Writes pages of a collection into a file: chosen, completed and written one after the other, so that memory stays flat."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Generator, Iterator
from contextlib import closing
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from focused import __version__
from focused.collection.collection import PAGES, open_repository
from focused.collection.store import Store, Ways
from focused.exceptions import ExportError
from focused.export.chunks import chunks_of
from focused.export.formats import split_ending
from focused.export.reading_processes import FEW, PlainCollection, with_contents
from focused.export.row import PATH, OwnColumns, UnfinishedRow, chosen, own_columns
from focused.export.targets import (
    STDOUT,
    Parts,
    parts_so_far,
    refuse_first_part,
    refuse_taken,
    refuse_terminal,
    remember,
    unfinished,
    writer_to,
)
from focused.export.wish import ExportRequest
from focused.export.writers import ExportSpec
from focused.live.last_run import LastRun, last_run
from focused.page.plain_text import plain
from focused.scorers.relevance import page_model_version
from focused.topic.plain_files import read_text

UNKNOWN = "unknown"  #: language


@dataclass(slots=True)
class PageTally:
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

    def add(self, page: UnfinishedRow) -> None:
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


def card_of(store: Store, run: LastRun, made: Made, tally: PageTally) -> Iterator[str]:
    """The lines of the card, in Markdown, with what catalogues of data sets read as front matter."""
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


TellWritten = Callable[[int, int], None]  #: is told how many pages are written, of how many
CARD = ".card.md"  #: ends the name of a card


@dataclass(frozen=True, slots=True)
class Done:
    """What was written; standard output has no path, and no card beside it."""

    path: Path | None
    card: Path | None
    tally: PageTally


def export(store: Store, wish: ExportRequest, audit: str | None, tell: TellWritten) -> Done | None:
    """Export pages of a collection as they are now; a crawl may go on meanwhile. None where nothing is new.

    audit : what a person's judgements say of the crawl, a line
    Raises ExportError where nothing is selected or a file cannot be written, StorageError where the collection is damaged,
    BrokenPipeError where whoever reads standard output has had enough.
    """
    run, selection, parts = last_run(store), wish.selection, None
    path = Path(wish.name) if wish.name != STDOUT else None
    if path is None:
        refuse_terminal()
    elif wish.is_new:
        asked = {"format": wish.format.__name__, "fields": list(wish.fields), "text": wish.text, "chunks": wish.chunks}
        parts = parts_so_far(path, store, asked | wish.selection.as_dict())
        selection, path = replace(selection, after=parts.seq), _part(wish, parts.count + 1)
    else:
        refuse_first_part(path)
    if path is not None:
        refuse_taken(path, is_folder=wish.format.is_folder)
    own = own_columns(store)
    fields = chosen(wish.fields, own, store.path.parent.name, adds_own=wish.adds_own)
    wish, own = replace(wish, fields=fields), {name: own[name] for name in fields if name in own}
    only = None
    if wish.sample is not None:
        only = selection.sample(store, wish.sample, wish.seed)
    elif wish.best is not None:
        only = selection.best(store, wish.best)
    total = selection.count(store) if only is None else len(only)
    if not total and parts is not None and parts.count:
        return None
    if not total:
        filters = "; ".join(selection.in_words())
        why = f"no page is left by the filters: {filters}" if filters else "no page was fetched yet"
        raise ExportError(f"{store.path.parent}: {why}")
    model = page_model_version(run.topic["relevance"]["model"]).removeprefix("page model ")
    made = Made(plain(path.name) if path else STDOUT, _filters(wish, parts), wish.fields, model, audit, wish.chunks)
    pages = selection.pages(store, made.model, only, own)
    tally = _write(store, run, wish, path, made, own, pages, total, tell)
    if path is None:
        return Done(None, None, tally)
    card = _card_beside(path, split_ending(path.name, wish.format)[0])
    with unfinished(card) as file:
        file.write_text("\n".join((*card_of(store, run, made, tally), "")), encoding="utf-8")
    if parts is not None:
        remember(Path(wish.name), replace(parts, seq=store.committed, count=parts.count + 1))
    return Done(path, card, tally)


def _card_beside(path: Path, stem: str) -> Path:
    """``solar.card.md``; where that is the card of another file, such as ``solar.csv``, it is ``solar.jsonl.card.md``."""
    card = path.with_name(stem + CARD)
    is_other = card.is_file() and f"\n# {plain(path.name)}\n" not in read_text(card)
    return path.with_name(path.name + CARD) if is_other else card


def _write(
    store: Store,
    run: LastRun,
    wish: ExportRequest,
    path: Path | None,
    made: Made,
    own: OwnColumns,
    pages: Generator[UnfinishedRow],
    total: int,
    tell: TellWritten,
) -> PageTally:
    folder, tally = store.path.parent, PageTally()
    ways = Ways(store) if PATH in wish.fields else None
    about = f"collection {folder.name}: {'; '.join(made.filters) or 'all pages'}"
    order = ExportSpec(wish.fields, made.name, about, open_repository(run.pages, folder / PAGES), own)
    if wanted := wish.wanted:
        processes = 1 if total < FEW else wish.processes
        pages = with_contents(pages, PlainCollection.of(folder, run, wanted), processes)
    with writer_to(path, wish.format, order) as writer, closing(pages):
        for page in pages:
            if ways is not None:
                page.path = ways.to(page.source_id)
            for row in [page] if wish.chunks is None else _in_chunks(page, wish.chunks):
                writer.write(row)
                tally.rows += 1
            tally.add(page)
            tell(tally.pages, total)
    return tally


def _in_chunks(page: UnfinishedRow, most: int) -> Iterator[UnfinishedRow]:
    """One after the other: a page may have a million."""
    for chunk in chunks_of(page.text or "", page.final_url, most):
        yield replace(
            page, id=chunk.id, headings=chunk.headings, position=chunk.position, tokens=chunk.tokens, text=chunk.text
        )


def _part(wish: ExportRequest, number: int) -> Path:
    """Where a part is written: ``solar.jsonl``, then ``solar.2.jsonl``."""
    stem, ending = split_ending(wish.name, wish.format)
    return Path(f"{stem}.{number}{ending}") if number > 1 else Path(wish.name)


def _filters(wish: ExportRequest, parts: Parts | None) -> list[str]:
    filters = wish.selection.in_words()
    if wish.sample is not None:
        filters.append(f"a random sample of {wish.sample:,}, seed {wish.seed}")
    if wish.best is not None:
        filters.append(f"the {wish.best:,} most relevant")
    if parts is not None and parts.count:
        filters.append(f"part {parts.count + 1}, what came after event {parts.seq:,}")
    return filters
