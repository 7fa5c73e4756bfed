"""The sheet of an audit with what a person said elsewhere: in a browser or a terminal, which is kept in desk.db."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from focused.collection.collection import AUDIT
from focused.collection.desk import AUDIT_PILE, Desk
from focused.collection.store import Store
from focused.desk.judging.drawing import new_sheet
from focused.desk.judging.population import places, population
from focused.desk.judging.sheet import Line, judged, read_sheet, write_sheet


def sheet_of(store: Store, desk: Desk) -> list[Line]:
    """The lines of audit.csv beside a database, with the verdicts of the desk's pile for audits; none where nothing was drawn.

    Raises AuditError for a sheet that cannot be read.
    """
    path = store.path.with_name(AUDIT)
    return with_verdicts(read_sheet(path), verdicts_of(desk)) if path.is_file() else []


def with_verdicts(lines: Sequence[Line], verdicts: Mapping[str, bool]) -> list[Line]:
    """Lines with what was said on the desk, which comes before what stands in the file."""
    return [replace(line, relevant=verdicts.get(line.url, line.relevant)) for line in lines]


def verdicts_of(desk: Desk) -> dict[str, bool]:
    """URL -> what a person says, of the pile for audits alone."""
    return {verdict.url: verdict.relevant for verdict in desk.verdicts(AUDIT_PILE)}


def draw_sheet(store: Store, desk: Desk, size: int) -> None:
    """Draw a sample into audit.csv; what was judged before is kept. Raises AuditError where that cannot be."""
    said = verdicts_of(desk)
    here = places(store, said.keys())  # a desk outlives a crawl: it may know pages that this one has not
    known = judged(sheet_of(store, desk)) | {url: said[url] for url in here}
    write_sheet(new_sheet(store, population(store), size, known), store.path.with_name(AUDIT))
