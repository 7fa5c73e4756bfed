"""The table of a run: a row for each scenario, printed, and written as CSV and Markdown."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from focused.reading.plain_text import plain
from focused.reporting.tables import Column
from focused.topic.plain_files import writing
from lab.chaos.checker import EARLY, FORBIDDEN, OVERLAP, REACHED, RETRY_AFTER, SECRET
from lab.chaos.outcome import Outcome
from lab.chaos.scene import Scenario

COLUMNS: tuple[Column | str, ...] = (
    "scenario",
    Column("inputs", True),
    "exit",
    "ended",
    "good pages",
    Column("other pages", True),
    Column("block s", True),
    Column("peak MB", True),
    Column("requests", True),
    Column("early", True),
    Column("overlaps", True),
    Column("forbidden", True),
    Column("Retry-After", True),
    Column("secrets", True),
    Column("reached", True),
    Column("tracebacks", True),
    Column("seconds", True),
    "wrong",
)
LONGEST = 60  #: characters of the crawl's reason to end
CSV_FILE, MARKDOWN_FILE = "chaos.csv", "chaos.md"


@dataclass(frozen=True)
class Row:
    """What one scenario came to."""

    scenario: Scenario
    outcome: Outcome

    @property
    def wrong(self) -> list[tuple[str, str]]:
        return list(self.outcome.wrong())

    def cells(self) -> list[str]:
        out, found = self.outcome, self.outcome.found
        kinds = (EARLY, OVERLAP, FORBIDDEN, RETRY_AFTER, SECRET, REACHED)
        cells = (
            self.scenario.name,
            out.inputs,
            ", ".join("killed by us" if code is None else str(code) for code in out.codes),
            out.ended[:LONGEST],
            f"{len(out.good) - len(out.missing)} of {len(out.good)}",
            out.wasted,
            f"{out.block:.2f}",
            f"{out.memory:.0f}",
            len(out.asked),
            *(found[kind] for kind in kinds),
            out.tracebacks,
            f"{out.seconds:.0f}",
            ", ".join(dict.fromkeys(kind for kind, _ in self.wrong)),
        )
        return [plain(str(cell)) for cell in cells]


def headings() -> list[str]:
    return [column if isinstance(column, str) else column.heading for column in COLUMNS]


def write_table(rows: Sequence[Row], folder: Path) -> None:
    """Write the rows so far; StorageError if that cannot be."""
    with writing(folder / CSV_FILE), (folder / CSV_FILE).open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows([headings(), *(row.cells() for row in rows)])
    with writing(folder / MARKDOWN_FILE):
        (folder / MARKDOWN_FILE).write_text("\n".join(_markdown(rows)) + "\n", encoding="utf-8")


def _markdown(rows: Sequence[Row]) -> list[str]:
    lines = [f"| {' | '.join(headings())} |", "|---" * len(COLUMNS) + "|"]
    lines += [f"| {' | '.join(cell.replace('|', '/') for cell in row.cells())} |" for row in rows]
    wrong = [f"- **{row.scenario.name}**, {kind}: {plain(text)}" for row in rows for kind, text in row.wrong]
    return [*lines, "", *(wrong or ["Nothing is wrong."])]
