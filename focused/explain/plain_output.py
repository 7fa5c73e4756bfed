"""What commands print, without what a terminal takes for a command: much of it comes from servers, or from files of others."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout
from typing import Any, TextIO, cast

from focused.page.plain_text import LINES, printable


class PlainOutput:
    """A stream that takes control characters out of all text that is written to it, and is the other stream in all else."""

    def __init__(self, stream: TextIO) -> None:
        self.stream = stream  #: the other one, for what is no text of servers, such as bold type

    def write(self, text: str) -> int:
        self.stream.write(printable(text, LINES))
        return len(text)

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
