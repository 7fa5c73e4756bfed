"""Logs without what a terminal takes for a command, and without credentials: Scrapy repeats what servers send as it is."""

from __future__ import annotations

import logging

from focused.page.plain_text import LINES, printable
from focused.page.urls import without_secrets


class PlainLines(logging.Formatter):
    """Formats as another formatter does, and takes control characters, and credentials in URLs, out of what comes of it."""

    def __init__(self, formatter: logging.Formatter) -> None:
        super().__init__()
        self._formatter = formatter

    def format(self, record: logging.LogRecord) -> str:
        return printable(without_secrets(self._formatter.format(record)), LINES)


def write_plain_logs() -> None:
    """Let all handlers of the root logger write plain lines from now on."""
    for handler in logging.root.handlers:
        if not isinstance(handler.formatter, PlainLines):
            handler.setFormatter(PlainLines(handler.formatter or logging.Formatter()))
