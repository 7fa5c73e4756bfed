"""An export of relevant pages for a browser: rows go out while others are still being read; no transaction stays open for them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from io import BytesIO

from focused.collection.collection import PAGES, open_repository
from focused.desk.dashboard.served import Shown
from focused.exceptions import FocusedError
from focused.export.reading_processes import PlainCollection, with_contents
from focused.export.row import FIELDS, PATH, READ, TEXT, chosen, own_columns
from focused.export.selection import Selection
from focused.export.writers import CsvTable, FileWriter, JsonLines, Order
from focused.live.last_run import LastRun, last_run
from focused.page.page_text import Wanted
from focused.relevance.relevance import page_model_version

#: By format: who writes it, and its media type. A table for spreadsheets has no texts: a cell takes 32,767 characters.
FORMATS: dict[str, tuple[type[FileWriter], str]] = {
    "csv": (CsvTable, "text/csv; charset=utf-8"),
    "jsonl": (JsonLines, "application/x-ndjson"),
}
ROWS, ROWS_WITH_TEXT = 2_000, 50  #: that are sent at once


def download(shown: Shown, kind: str) -> Iterator[bytes]:
    """The relevant pages of a collection, copies left out, piece by piece; each piece opens the database anew.

    Raises FocusedError before the first piece where nothing can be exported.
    """
    with shown.store() as store:
        run, own = last_run(store), own_columns(store)
        seqs = Selection(relevant=True, dedupe=True).events(store)
        fields = tuple(name for name in FIELDS if name != PATH and (kind == "jsonl" or name not in READ))
        fields = chosen(fields, own, shown.name, adds_own=True)
    if not seqs:
        raise FocusedError(f"{shown.name} has no relevant page to export yet.")
    kept = open_repository(run.pages, shown.folder / PAGES)
    order = Order(fields, f"{shown.name}.{kind}", shown.name, kept, {name: own[name] for name in fields if name in own})
    return _pieces(shown, run, kind, order, seqs)


def _pieces(shown: Shown, run: LastRun, kind: str, order: Order, seqs: Sequence[int]) -> Iterator[bytes]:
    file = BytesIO()
    writer = FORMATS[kind][0](file, order)
    model = page_model_version(run.topic["relevance"]["model"]).removeprefix("page model ")
    collection = PlainCollection.of(shown.folder, run, Wanted(facts=True))
    has_text = TEXT in order.fields
    step = ROWS_WITH_TEXT if has_text else ROWS
    for start in range(0, len(seqs), step):
        with shown.store() as store:
            rows = list(Selection(versions="all").pages(store, model, list(seqs[start : start + step]), order.own))
        for row in with_contents(rows, collection, 1) if has_text else rows:
            writer.write(row)
        if start + step >= len(seqs):
            writer.close()
        yield file.getvalue()
        file.seek(0)
        file.truncate()
