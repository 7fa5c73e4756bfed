"""Writes pages of a collection into a file: chosen, completed and written one after the other, so that memory stays flat."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path

from focused.exceptions import ExportError
from focused.exporting.chunks import chunks_of
from focused.exporting.dataset_card import Made, Tally, card_of
from focused.exporting.formats.formats import split_ending
from focused.exporting.formats.writer import Order
from focused.exporting.own_columns import OwnColumns, chosen, own_columns
from focused.exporting.parts import Parts, parts_so_far, refuse_first_part, remember
from focused.exporting.reading_processes import FEW, with_contents
from focused.exporting.row import PATH, Found
from focused.exporting.targets import STDOUT, refuse_terminal, writer_to
from focused.exporting.texts import PlainCollection
from focused.exporting.unfinished import refuse_taken, unfinished
from focused.exporting.wish import Wish
from focused.run.last_run import LastRun, last_run
from focused.scoring.relevance import page_model_version
from focused.storage.collection import PAGES
from focused.storage.repositories import open_repository
from focused.storage.store import Store
from focused.storage.ways import Ways

Tell = Callable[[int, int], None]  #: is told how many pages are written, of how many
CARD = ".card.md"  #: ends the name of a card


@dataclass(frozen=True, slots=True)
class Done:
    """What was written; standard output has no path, and no card beside it."""

    path: Path | None
    card: Path | None
    tally: Tally


def export(store: Store, wish: Wish, audit: str | None, tell: Tell) -> Done | None:
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
        parts = _parts(store, wish, path)
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
    made = Made(path.name if path else STDOUT, _filters(wish, parts), wish.fields, model, audit, wish.chunks)
    pages = selection.pages(store, made.model, only, own)
    tally = _write(store, run, wish, path, made, own, pages, total, tell)
    if path is None:
        return Done(None, None, tally)
    card = path.with_name(split_ending(path.name, wish.format)[0] + CARD)
    with unfinished(card) as file:
        file.write_text(card_of(store, run, made, tally), encoding="utf-8")
    if parts is not None:
        remember(Path(wish.name), replace(parts, seq=store.committed, count=parts.count + 1))
    return Done(path, card, tally)


def _write(
    store: Store,
    run: LastRun,
    wish: Wish,
    path: Path | None,
    made: Made,
    own: OwnColumns,
    pages: Generator[Found],
    total: int,
    tell: Tell,
) -> Tally:
    folder, tally = store.path.parent, Tally()
    ways = Ways(store) if PATH in wish.fields else None
    about = f"collection {folder.name}: {'; '.join(made.filters) or 'all pages'}"
    order = Order(wish.fields, made.name, about, open_repository(run.pages, folder / PAGES), own)
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


def _in_chunks(page: Found, most: int) -> Iterator[Found]:
    """One after the other: a page may have a million."""
    for chunk in chunks_of(page.text or "", page.final_url, most):
        yield replace(
            page, id=chunk.id, headings=chunk.headings, position=chunk.position, tokens=chunk.tokens, text=chunk.text
        )


def _parts(store: Store, wish: Wish, path: Path) -> Parts:
    asked = {
        "format": wish.format.__name__,
        "fields": list(wish.fields),
        "text": wish.text,
        "chunks": wish.chunks,
    }
    return parts_so_far(path, store, asked | wish.selection.as_dict())


def _part(wish: Wish, number: int) -> Path:
    """Where a part is written: ``solar.jsonl``, then ``solar.2.jsonl``."""
    stem, ending = split_ending(wish.name, wish.format)
    return Path(f"{stem}.{number}{ending}") if number > 1 else Path(wish.name)


def _filters(wish: Wish, parts: Parts | None) -> list[str]:
    filters = wish.selection.in_words()
    if wish.sample is not None:
        filters.append(f"a random sample of {wish.sample:,}, seed {wish.seed}")
    if wish.best is not None:
        filters.append(f"the {wish.best:,} most relevant")
    if parts is not None and parts.count:
        filters.append(f"part {parts.count + 1}, what came after event {parts.seq:,}")
    return filters
