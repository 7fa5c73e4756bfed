"""How a crawl logs: lines that a terminal cannot be made to misread, or a line of JSON each."""

from __future__ import annotations

import logging

from pythonjsonlogger.json import JsonFormatter
from scrapy.settings import BaseSettings

from focused.page.plain_text import LINES, printable
from focused.page.urls import without_secrets


class PlainLines(logging.Formatter):
    """Formats as another formatter does, then takes control characters, and credentials in URLs, out of the text."""

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


FIELDS = {"asctime": "time", "levelname": "level", "name": "logger", "message": "message"}


def write_json_logs(settings: BaseSettings) -> None:
    """Let all handlers of the root logger write JSON from now on; a message of several lines stays one object."""
    names = " ".join(f"%({field})s" for field in FIELDS)
    formatter = JsonFormatter(names, datefmt=settings["LOG_DATEFORMAT"], rename_fields=FIELDS, json_ensure_ascii=False)
    for handler in logging.root.handlers:
        handler.setFormatter(formatter)


def leave_out_plain_lines() -> None:
    """Leave out "Spider opened": Scrapy replaces its handlers until the spider opens, and logs this before ours are in place."""
    logging.getLogger("scrapy.core.engine").addFilter(lambda record: record.msg != "Spider opened")
