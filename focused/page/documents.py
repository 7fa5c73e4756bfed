"""Title and text of PDF documents.

A PDF of 2 KB can ask for any time and any memory. So whoever fetches one from a stranger has `document_process` read it.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass
from io import BytesIO
from types import ModuleType
from typing import TYPE_CHECKING

from focused.exceptions import needs_extra
from focused.page.page import Unreadable

if TYPE_CHECKING:
    from pypdf import PdfReader

PDF = "application/pdf"
MAX_PDF_BYTES = 20_000_000
MAX_PDF_PAGES = 100  #: pages that are read
MAX_TITLE_LENGTH = 10_000  #: characters
TOO_LARGE = "PDF needs too much memory"
MAX_TEXT_LENGTH = 1_000_000  #: characters; no further page is read when the text reaches it


@dataclass(slots=True, frozen=True)
class Document:
    """What is read from a document without links. ``truncated``: it has more pages than were read.

    author : as its metadata say; empty where they say nothing
    """

    title: str
    text: str
    truncated: bool
    author: str = ""


def read_pdf(body: bytes) -> Document | Unreadable:
    """Title and text of a PDF document, white space collapsed; Unreadable if it is too large, encrypted or broken."""
    if len(body) > MAX_PDF_BYTES:
        return Unreadable(f"PDF larger than {MAX_PDF_BYTES // 1_000_000} MB")
    pypdf = pdf_library()
    logging.getLogger("pypdf").setLevel(logging.CRITICAL)  # it warns about every flaw of every file
    try:
        reader = pypdf.PdfReader(BytesIO(body))
        if reader.is_encrypted and not reader.decrypt(""):  # many are encrypted only to forbid printing
            return Unreadable("encrypted PDF")
        return _read_pages(reader)
    except MemoryError:
        return Unreadable(TOO_LARGE)
    except Exception:  # a broken file raises anything: PdfReadError, KeyError, RecursionError, ...
        return Unreadable("broken PDF")


def pdf_library() -> ModuleType:
    """What reads PDF documents: 0.15 s to import, which only topics with documents need. FocusedError where it is missing."""
    with needs_extra("pdf", "[reading] documents"):
        import pypdf
    return pypdf


def _read_pages(reader: PdfReader) -> Document:
    metadata = reader.metadata
    texts: list[str] = []
    length = 0
    for page in reader.pages[:MAX_PDF_PAGES]:
        if length >= MAX_TEXT_LENGTH:
            break
        texts.append(page.extract_text())
        length += len(texts[-1])
    return Document(
        title=_line((metadata and metadata.title) or ""),
        text=" ".join(" ".join(texts)[:MAX_TEXT_LENGTH].split()),
        truncated=len(texts) < len(reader.pages) or length > MAX_TEXT_LENGTH,
        author=_line((metadata and metadata.author) or ""),
    )


def _line(text: str) -> str:
    return " ".join(text[:MAX_TITLE_LENGTH].split())
