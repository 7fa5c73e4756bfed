"""A book to read (EPUB 3): a chapter a page, with its source. Needs markdown-it-py (extra `epub`)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import BinaryIO, ClassVar
from uuid import NAMESPACE_URL, uuid5
from xml.sax.saxutils import escape, quoteattr
from zipfile import ZIP_DEFLATED, ZipFile

from focused.exceptions import ExportError, needs_extra
from focused.exporting.formats.writer import FileWriter, Order
from focused.exporting.row import Found
from focused.reading.page_text import Form
from focused.reading.plain_text import LINES, plain, printable

MOST_CHAPTERS = 2_000  #: of a book: readers of books open all their names at once
MOST_CELLS = 100_000  #: that tables of a chapter may come to; one with more shows them as plain lines
LONGEST = 300_000  #: characters of a chapter
_CONTAINER = """<?xml version="1.0" encoding="UTF-8"?>
<container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container">
<rootfiles><rootfile full-path="book.opf" media-type="application/oebps-package+xml"/></rootfiles></container>
"""
_XHTML = """<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE html>
<html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops"{language}>
<head><title>{title}</title></head>
<body>
{body}
</body></html>
"""


class Epub(FileWriter):
    endings: ClassVar[tuple[str, ...]] = (".epub",)
    needs_text: ClassVar[bool] = True
    text: ClassVar[Form] = "markdown"
    chooses_fields: ClassVar[bool] = False

    def __init__(self, file: BinaryIO, order: Order) -> None:
        with needs_extra("epub", "writing a book"):
            from markdown_it import MarkdownIt
        # No HTML of a page, no picture, which a reader of books would fetch, and links into the Web only.
        markdown = MarkdownIt("commonmark", {"html": False, "xhtmlOut": True}).disable("image")
        markdown.validateLink = lambda url: url.startswith(("http://", "https://"))  # type: ignore[method-assign]
        self._markdown = markdown
        self._order = order
        self._titles: list[str] = []  # of chapters, escaped
        self._languages = Counter[str]()
        self._book = ZipFile(file, "w", ZIP_DEFLATED)
        self._book.writestr("mimetype", "application/epub+zip", compress_type=0)  # first, and as it is
        self._book.writestr("META-INF/container.xml", _CONTAINER)

    def write(self, page: Found) -> None:
        if len(self._titles) == MOST_CHAPTERS:
            raise ExportError(f"a book holds {MOST_CHAPTERS:,} pages: choose the best of them, as with --best 100")
        title = escape(plain(page.title) or page.final_url)
        self._titles.append(title)
        self._languages[page.language or "und"] += 1
        text = page.text or ""
        heading = "" if text.startswith("# ") else f"<h1>{title}</h1>\n"
        source = f"<p><a href={quoteattr(page.final_url)}>{escape(page.final_url)}</a>, {page.fetched_at[:10]}</p>\n"
        self._add(_chapter(len(self._titles)), title, page.language, heading + source + self._body(text))

    def _body(self, text: str) -> str:
        lines = text[:LONGEST].split("\n")
        cells = max(line.count("|") for line in lines) * len(lines)  # each row of a table gets as many as the longest
        self._markdown.enable("table") if cells <= MOST_CELLS else self._markdown.disable("table")
        return printable(self._markdown.render("\n".join(lines)), LINES)  # XML takes no control characters

    def close(self) -> None:
        with self._book:
            links = (f'<a href="{_chapter(number)}">{title}</a>' for number, title in enumerate(self._titles, 1))
            items = "\n".join(f"<li>{link}</li>" for link in links)
            self._add("nav.xhtml", "Pages", "", f'<nav epub:type="toc"><ol>\n{items}\n</ol></nav>')
            self._book.writestr("book.opf", "\n".join(self._package()))

    def _add(self, name: str, title: str, language: str, body: str) -> None:
        spoken = f" xml:lang={quoteattr(language)}" if language else ""
        self._book.writestr(name, _XHTML.format(language=spoken, title=title, body=body))

    def _package(self) -> Iterator[str]:
        names = [_chapter(number) for number in range(1, len(self._titles) + 1)]
        now = f"{datetime.now(UTC):%Y-%m-%dT%H:%M:%SZ}"
        ((language, _),) = self._languages.most_common(1) or [("und", 0)]
        yield '<?xml version="1.0" encoding="UTF-8"?>'
        yield '<package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="id">'
        yield '<metadata xmlns:dc="http://purl.org/dc/elements/1.1/">'
        yield f'<dc:identifier id="id">urn:uuid:{uuid5(NAMESPACE_URL, self._order.about + now)}</dc:identifier>'
        yield f"<dc:title>{escape(plain(self._order.about))}</dc:title>"
        yield f"<dc:language>{escape(language)}</dc:language>"
        yield f'<meta property="dcterms:modified">{now}</meta></metadata>'
        yield '<manifest><item id="nav" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/>'
        yield from (f'<item id="{name[:-6]}" href="{name}" media-type="application/xhtml+xml"/>' for name in names)
        yield "</manifest><spine>"
        yield from (f'<itemref idref="{name[:-6]}"/>' for name in names)
        yield "</spine></package>"


def _chapter(number: int) -> str:
    return f"page-{number}.xhtml"
