"""Tables of commands: on a terminal they fit its width, in a pipe or a file they are plain text with nothing cut off."""

from __future__ import annotations

import io
import shutil
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TextIO

from focused.page.plain_text import plain

PIPE_WIDTH = 10_000  #: columns of a line that nobody looks at on a terminal: as good as no limit


@dataclass(frozen=True)
class Column:
    """A column: its heading, and whether it holds numbers, which stand to the right and are never cut."""

    heading: str
    is_number: bool = False


def print_table(columns: Sequence[Column | str], rows: Iterable[Sequence[object]], title: str = "") -> None:
    """Print a table to stdout; nothing where there are no rows."""
    text = table_text(columns, rows, title, stream=sys.stdout)
    if text:
        print(text)


def table_text(
    columns: Sequence[Column | str],
    rows: Iterable[Sequence[object]],
    title: str = "",
    *,
    stream: TextIO | None = None,
) -> str:
    """A table as text, with its title above it; empty where there are no rows.

    Parameters
    ----------
    columns : a plain text is the heading of a column of text
    rows : values by column; whole numbers get thousands separators, None stays empty, control characters are taken out
    stream : where it will be written: only a terminal limits its width
    """
    described = [Column(column) if isinstance(column, str) else column for column in columns]
    cells = [[_cell(value) for value in row] for row in rows]
    if not cells:
        return ""
    from rich.box import SIMPLE_HEAD  # here, as it takes longer to import than many a command to run
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    is_terminal = stream is not None and stream.isatty()
    table = Table(box=SIMPLE_HEAD if is_terminal else None, pad_edge=False, show_edge=False)
    for place, column in enumerate(described):
        if column.is_number:
            width = max(len(column.heading), *(len(row[place]) for row in cells))
            table.add_column(column.heading, justify="right", no_wrap=True, min_width=width)
        else:
            table.add_column(column.heading)  # may become narrower; its cells are cut then
    for row in cells:
        table.add_row(*(Text(cell, no_wrap=True, overflow="ellipsis") for cell in row))
    out = io.StringIO()
    width = shutil.get_terminal_size().columns if is_terminal else PIPE_WIDTH
    Console(file=out, width=width, no_color=True, force_terminal=False, highlight=False).print(table)
    lines = [line.rstrip() for line in out.getvalue().splitlines()]
    return "\n".join([*([title] if title else []), *lines]).rstrip()


def _cell(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, int) and not isinstance(value, bool):
        return f"{value:,}"
    return plain(str(value))
