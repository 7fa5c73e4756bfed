"""The formats by name, and which one the name of a file asks for."""

from __future__ import annotations

from focused.exceptions import ExportError
from focused.export.formats.csv_table import CsvTable
from focused.export.formats.json_lines import JsonLines, JsonLinesGzip, JsonLinesZstd
from focused.export.formats.markdown_folder import MarkdownFolder
from focused.export.formats.parquet_table import ParquetTable
from focused.export.formats.url_list import UrlList
from focused.export.formats.wacz import Wacz
from focused.export.formats.warc_copy import WarcCopy
from focused.export.formats.warc_folder import WarcFolder
from focused.export.formats.writer import Writer
from focused.topic.mistakes import shown, unknown

FORMATS: dict[str, type[Writer]] = {
    "jsonl": JsonLines,
    "jsonl.gz": JsonLinesGzip,
    "jsonl.zst": JsonLinesZstd,
    "csv": CsvTable,
    "parquet": ParquetTable,
    "markdown": MarkdownFolder,
    "urls": UrlList,
    "warc": WarcCopy,
    "warcs": WarcFolder,
    "wacz": Wacz,
}

MAPS = (".gexf", ".graphml", ".svg", ".html")  #: files that `scrapy map` writes


def format_of(name: str, asked: str | None) -> type[Writer]:
    """The format of a file; ExportError if neither its name nor what is asked for is one.

    name : of the file, with a / at the end for a folder
    asked : name of the format; None: the ending of the file tells
    """
    if asked is not None:
        if asked not in FORMATS:
            raise ExportError(f"--format {shown(asked)}: {unknown(asked, FORMATS, plural='formats')}")
        return FORMATS[asked]
    found = [kind for kind in FORMATS.values() if name.lower().endswith(kind.endings)]
    if not found:
        endings = ", ".join(ending for kind in FORMATS.values() for ending in kind.endings if not kind.is_folder)
        if name.lower().endswith(MAPS):
            raise ExportError(f"{name}: a map is drawn by another command: scrapy map NAME {name}")
        raise ExportError(
            f"{name}: the ending says no format: write {endings}, or {name}/ for a folder of Markdown files; or give "
            "--format NAME"
        )
    return found[0]


def split_ending(name: str, kind: type[Writer]) -> tuple[str, str]:
    """The name of a file in two: without the ending of its format, and that ending; it may have none, or another one."""
    ending = next((ending for ending in kind.endings if name.lower().endswith(ending)), "")
    cut = len(name) - len(ending)
    return name[:cut], name[cut:]
