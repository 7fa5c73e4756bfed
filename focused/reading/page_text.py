"""The text of a stored page, for people to read and to search: the one place that decides what that is."""

from __future__ import annotations

from dataclasses import dataclass

from focused.reading.decoding import HTML_TYPES, decode, media_type
from focused.reading.document_process import read_document
from focused.reading.documents import PDF, Document
from focused.reading.html import read_html
from focused.reading.reader import ReadingOptions

#: To be raised whenever a page gives another text than before: the index of a search is then made anew.
VERSION = 1


@dataclass(frozen=True, slots=True)
class PageText:
    """The text of a page; empty where its type has none, or it cannot be read."""

    shown: str = ""  #: to a person, in lines
    searched: str = ""  #: its words, for an index


def page_text(body: bytes, content_type: str, options: ReadingOptions) -> PageText:
    """Read the text of a page.

    content_type : raw Content-Type header; where there is none the type is guessed from the body
    options : by which the crawl has read it
    """
    kind = media_type(content_type, body)
    start = body[: options.max_bytes] if options.max_bytes else body
    text = ""
    if kind in HTML_TYPES:
        text = read_html(decode(start, content_type), _no_terms).text
    elif kind == "text/plain":
        text = decode(start, content_type)
    elif kind == PDF and options.documents:
        document = read_document(body)
        text = document.text if isinstance(document, Document) else ""
    return PageText(text, text)


def _no_terms(texts: list[str]) -> tuple[list[str], list[int]]:
    """No text has any: nobody asks for them here, and they cost more than all else."""
    return [], [0] * (len(texts) + 1)
