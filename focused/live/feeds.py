"""Safe variants of Scrapy's feeds: CSV without formulas, which a spreadsheet would run, and a stdout that may be closed."""

from __future__ import annotations

from collections.abc import Mapping
from io import RawIOBase
from typing import IO, Any, cast

from scrapy import Spider
from scrapy.exporters import CsvItemExporter
from scrapy.extensions.feedexport import StdoutFeedStorage

from focused.live.closed_pipe import drop_the_rest
from focused.page.plain_text import cell


class PlainCsvExporter(CsvItemExporter):
    """Scrapy's CSV, with a ' before each text that begins like a formula. Numbers stay numbers."""

    def serialize_field(self, field: Mapping[str, Any] | Any, name: str, value: Any) -> Any:
        found = super().serialize_field(field, name, value)
        if isinstance(found, bytes):
            found = found.decode(self.encoding or "utf-8", "replace")
        return cell(found) if isinstance(found, str) else found


class Stdout(StdoutFeedStorage):
    """Scrapy's feed to standard output; if its reader closes the pipe, the rest is dropped and the crawl goes on."""

    def open(self, spider: Spider) -> IO[bytes]:
        return cast(IO[bytes], _WhileSomebodyReads(super().open(spider)))


class _WhileSomebodyReads(RawIOBase):
    def __init__(self, stdout: IO[bytes]) -> None:
        super().__init__()
        self._stdout = stdout

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        try:
            return self._stdout.write(data)
        except BrokenPipeError:
            drop_the_rest()
            return len(data)
