"""Text for people to read: on a terminal wrapped to its width, some words bold; in a pipe or a file as it is."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterable

from focused.explain.plain_output import PlainOutput
from focused.page.plain_text import plain, printable

WIDEST = 100  #: columns of a line: longer ones are hard to read, however wide the terminal is
DEEPEST = 20  #: blanks at the start of a line that are kept
FENCE = "```"  #: around lines of code in Markdown, which stay as they are


def print_text(text: str) -> None:
    """Print a text of many lines; a line that is wrapped stays as far indented as it is."""
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
    """Print a text as one paragraph; nothing but an empty line where there is no text.

    parts : of the text, and whether each is bold on a terminal
    indent : blanks before each line
    label : stands in the place of the last of these blanks on the first line
    """
    before = label.rjust(indent)
    if not sys.stdout.isatty():
        print(before + plain("".join(part for part, _ in parts)))
        return
    from rich.console import Console  # slow to import, and of use on a terminal alone
    from rich.text import Text

    # Nothing of a page may be a command to the terminal: what is bold is said by rich, beside `PlainOutput`.
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
