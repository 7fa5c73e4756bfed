"""The text of a stored page, for people to read, to search and to take along: the one place that decides what that is."""

from __future__ import annotations

import re
from typing import Literal, get_args

from focused.reading.blocks import read_blocks
from focused.reading.decoding import HTML_TYPES, decode, media_type
from focused.reading.document_process import read_document
from focused.reading.documents import PDF
from focused.reading.html import read_html
from focused.reading.main_text import main_blocks
from focused.reading.markdown import markdown_of, plain_of
from focused.reading.page import Unreadable
from focused.reading.reader import ReadingOptions

#: To be raised whenever a page gives another text than before: the index of a search is then made anew.
VERSION = 2
#: ``main``: what the author wrote, without menus, boxes and footers; ``markdown``: the same, with headings, lists, tables and
#: code; ``all``: all that is seen, on one line.
Form = Literal["main", "markdown", "all"]
FORMS: tuple[Form, ...] = get_args(Form)
_TAG = re.compile(r"[<&](?=[\w/!?#])")  #: where a program that shows Markdown would see HTML


def page_text(body: bytes, content_type: str, options: ReadingOptions, form: Form = "main") -> str | None:
    """Read the text of a page; empty where its type has none, None where it is a document that cannot be read.

    A page without main text, such as a list of links, gives all its text.

    Parameters
    ----------
    content_type : raw Content-Type header; where there is none the type is guessed from the body
    options : by which the crawl has read it
    """
    kind = media_type(content_type, body)
    start = body[: options.max_bytes or None]
    text = ""
    if kind in HTML_TYPES:
        markup = decode(start, content_type)
        if form != "all" and (main := _main(markup, form)).strip():
            return main
        text = read_html(markup, _no_terms).text
    elif kind == "text/plain":
        text = decode(start, content_type)
    elif kind == PDF and options.documents:
        document = read_document(body)
        if isinstance(document, Unreadable):
            return None
        text = document.text
    text = text.encode("utf-8", "replace").decode()  # halves of characters, which no file can hold
    return as_markdown(text) if form == "markdown" else text


def _main(markup: str, form: Form) -> str:
    """What `main_text` gives in this form, in little more than half the time: without all else that it tells."""
    found = read_blocks(markup)
    return (markdown_of if form == "markdown" else plain_of)(main_blocks(found), found.tables)


def as_markdown(text: str) -> str:
    """A plain text as Markdown that shows it, and no HTML in it."""
    return _TAG.sub(lambda sign: "&lt;" if sign[0] == "<" else "&amp;", text)


def _no_terms(texts: list[str]) -> tuple[list[str], list[int]]:
    """No text has any: nobody asks for them here, and they cost more than all else."""
    return [], [0] * (len(texts) + 1)
