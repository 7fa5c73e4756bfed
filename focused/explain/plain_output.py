"""Output of commands: text without terminal commands, paragraphs wrapped to the terminal's width, and tables."""

from __future__ import annotations

import io
import shutil
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, redirect_stdout
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TextIO, cast

from focused.live.closed_pipe import full_disk_is_told
from focused.page.plain_text import LINES, plain, printable

if TYPE_CHECKING:
    from rich.progress import Progress


class PlainOutput:
    """Wraps a stream; takes control characters out of all text written to it."""

    def __init__(self, stream: TextIO) -> None:
        self.stream = stream  #: the wrapped stream, for our own control characters, such as bold type

    def write(self, text: str) -> int:
        with full_disk_is_told():
            self.stream.write(printable(text, LINES))
        return len(text)

    def flush(self) -> None:
        with full_disk_is_told():
            self.stream.flush()

    def writelines(self, lines: Iterator[str]) -> None:
        for line in lines:
            self.write(line)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.stream, name)


@contextmanager
def plain_stdout() -> Iterator[None]:
    """Let the block print plain text."""
    with redirect_stdout(cast(TextIO, PlainOutput(sys.stdout))):
        yield
        sys.stdout.flush()


WIDEST = 100  #: columns of a line: longer lines are hard to read, however wide the terminal is
DEEPEST = 20  #: most blanks kept at the start of a line
FENCE = "```"  #: around lines of code in Markdown, which are not wrapped


def print_text(text: str) -> None:
    """Print a text of many lines; a wrapped line keeps its indent."""
    in_code = False
    for line in text.splitlines():
        fence = line.lstrip().startswith(FENCE)
        in_code ^= fence
        if in_code or fence or not sys.stdout.isatty():
            print(line.rstrip())
        else:
            blanks = min(len(line) - len(line.lstrip()), DEEPEST)
            print_paragraph([(line.strip(), False)], indent=blanks)


def print_paragraph(parts: Iterable[tuple[str, bool]], indent: int = 0, label: str = "") -> None:
    """Print a text as one paragraph; an empty line for an empty text.

    parts : of the text, and whether each is bold on a terminal
    indent : blanks before each line
    label : replaces the last of these blanks on the first line
    """
    before = label.rjust(indent)
    if not sys.stdout.isatty():
        print(before + plain("".join(part for part, _ in parts)))
        return
    from rich.console import Console  # slow to import, and of use on a terminal alone
    from rich.text import Text

    # No text of a page may be a command to the terminal, so rich writes bold type past `PlainOutput`.
    text = Text(end="")
    for part, is_bold in parts:
        text.append(printable(part), "bold" if is_bold else "")
    stream = sys.stdout.stream if isinstance(sys.stdout, PlainOutput) else sys.stdout
    columns = shutil.get_terminal_size().columns
    console = Console(file=stream, width=columns, highlight=False)
    for line in text.wrap(console, max(min(columns, WIDEST) - indent, 20)):
        line.rstrip()
        console.print(Text(before).append_text(line), soft_wrap=True)
        before = " " * indent


PIPE_WIDTH = 10_000  #: columns of a line that goes to no terminal: in effect no limit


@dataclass(frozen=True)
class TableColumn:
    """A column: its heading, and whether it holds numbers, which are right-aligned and never cut."""

    heading: str
    is_number: bool = False


def print_table(columns: Sequence[TableColumn | str], rows: Iterable[Sequence[object]], title: str = "") -> None:
    """Print a table to stdout; nothing if there are no rows."""
    text = table_text(columns, rows, title, stream=sys.stdout)
    if text:
        print(text)


def table_text(
    columns: Sequence[TableColumn | str],
    rows: Iterable[Sequence[object]],
    title: str = "",
    *,
    stream: TextIO | None = None,
) -> str:
    """A table as text, with its title above it; empty if there are no rows.

    Parameters
    ----------
    columns : a string is the heading of a column of text
    rows : values by column; whole numbers get thousands separators, None stays empty, control characters are taken out
    stream : where it will be written: only a terminal limits its width
    """
    described = [TableColumn(column) if isinstance(column, str) else column for column in columns]
    cells = [[_cell(value) for value in row] for row in rows]
    if not cells:
        return ""
    from rich.box import SIMPLE_HEAD  # imported here: this takes longer than many commands run
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


LIVE_SECONDS = 0.5  #: between two refreshes of the live line
CLEAR = "\r\x1b[K"  #: to the start of the line, and erase it


class ProgressLine:
    """Shows how far work is, from time to time.

    interval : seconds between two lines if there is no live line
    """

    def __init__(self, interval: float) -> None:
        self._live = sys.stderr.isatty()
        self.interval = LIVE_SECONDS if self._live else interval
        self._started = time.monotonic()
        self._due = self._started + self.interval
        self._bar: Progress | None = None

    def show(self, line: Callable[[], str], done: float = 0, total: float = 0) -> None:
        """Show the text from ``line``, if it is time; with a bar and the time left if the total is known.

        done, total : counts of any unit; a total of 0 is not known
        """
        now = time.monotonic()
        if now < self._due:
            return
        self._due = now + self.interval
        if self._live:
            self._draw(line(), done, total)
            return
        print(f"{plain(line())}{self._left(now, done, total)}", file=sys.stderr, flush=True)

    def restart(self) -> None:
        """Begin another stage of the work; its time left counts from now, and the next `show` shows at once."""
        self.close()
        self._started = self._due = time.monotonic()

    def close(self) -> None:
        """Take the live line away."""
        if self._bar is not None:
            self._bar.stop()
            self._bar = None

    def _draw(self, text: str, done: float, total: float) -> None:
        if self._bar is None:
            from rich.console import Console  # slow to import, and few commands need it
            from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

            known = (BarColumn(bar_width=20), TaskProgressColumn(), TimeRemainingColumn()) if total else ()
            console = Console(stderr=True)
            self._bar = Progress(
                *known, TextColumn("{task.description}", markup=False), console=console, transient=True
            )
            self._bar.add_task("", total=total or None)
            self._bar.start()
        (task,) = self._bar.task_ids
        self._bar.update(task, completed=done, total=total or None, description=plain(text), refresh=True)

    def _left(self, now: float, done: float, total: float) -> str:
        if not (total and done):
            return ""
        return f" | {done / total:.0%}, {in_words((now - self._started) * (total - done) / done)} left"


def in_words(seconds: float) -> str:
    """A duration as people say it: ``40 s``, ``12 min``, ``3.5 h``."""
    if seconds < 100:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 6000 else f"{seconds / 3600:.1f} h"
