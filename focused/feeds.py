"""Feeds of Scrapy that a person opens: CSV without formulas, which a spreadsheet would run."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from scrapy.exporters import CsvItemExporter

from focused.reading.plain_text import cell


class PlainCsvExporter(CsvItemExporter):
    """Scrapy's CSV, with a ' before each text that begins like a formula. Numbers stay numbers."""

    def serialize_field(self, field: Mapping[str, Any] | Any, name: str, value: Any) -> Any:
        found = super().serialize_field(field, name, value)
        if isinstance(found, bytes):
            found = found.decode(self.encoding or "utf-8", "replace")
        return cell(found) if isinstance(found, str) else found
