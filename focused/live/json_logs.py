"""Logs as JSON, one object a line, for whoever collects the logs of many crawls."""

from __future__ import annotations

import logging

from pythonjsonlogger.json import JsonFormatter
from scrapy.settings import BaseSettings

FIELDS = {"asctime": "time", "levelname": "level", "name": "logger", "message": "message"}


def write_json_logs(settings: BaseSettings) -> None:
    """Let all handlers of the root logger write JSON from now on; a message of several lines stays one object."""
    names = " ".join(f"%({field})s" for field in FIELDS)
    formatter = JsonFormatter(names, datefmt=settings["LOG_DATEFORMAT"], rename_fields=FIELDS, json_ensure_ascii=False)
    for handler in logging.root.handlers:
        handler.setFormatter(formatter)


def leave_out_plain_lines() -> None:
    """Scrapy makes its handlers anew until the spider is opened, and says that it is opened before anybody can know: left out."""
    logging.getLogger("scrapy.core.engine").addFilter(lambda record: record.msg != "Spider opened")
