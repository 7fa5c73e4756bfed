"""What a stored page says, for people to read, to search and to take along: the one place that decides what its text is."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal, get_args

from focused.page.blocks import read_blocks
from focused.page.decoding import decode
from focused.page.documents import read_document
from focused.page.html import walked
from focused.page.main_text import main_blocks
from focused.page.markdown import markdown_of, plain_of
from focused.page.media_types import HTML_TYPES, PDF, media_type
from focused.page.page import Unreadable
from focused.page.page_facts import PageFacts, facts_of, structured_data
from focused.page.reader import ReadingOptions

#: To be raised whenever a page gives another text than before: the index of a search is then made anew.
VERSION = 4
#: ``main``: what the author wrote, without menus, boxes and footers; ``markdown``: the same, with headings, lists, tables and
#: code; ``all``: all that is seen, on one line.
TextForm = Literal["main", "markdown", "all"]
FORMS: tuple[TextForm, ...] = get_args(TextForm)
_TAG = re.compile(r"[<&](?=[\w/!?#])")  #: where a program that shows Markdown would see HTML


@dataclass(frozen=True, slots=True)
class TextRequest:
    """What is to be read of a page: its text, and of an HTML page more."""

    form: TextForm = "main"
    facts: bool = False  #: what it says about itself to people
    structured: bool = False  #: and to programs
    quick: bool = False  #: while a crawl waits: our rules alone decide what the main text of an article is


@dataclass(frozen=True, slots=True)
class Content:
    """What was read of a page."""

    text: str | None  #: empty where its type has none, None where it is a document that cannot be read
    facts: PageFacts | None = None
    structured: str | None = None


def page_text(
    body: bytes, content_type: str, options: ReadingOptions, form: TextForm = "main", *, quick: bool = False
) -> str | None:
    """The text of `page_content`."""
    return page_content(body, content_type, "", options, TextRequest(form, quick=quick)).text


def page_content(body: bytes, content_type: str, url: str, options: ReadingOptions, wanted: TextRequest) -> Content:
    """Read a page again. One without main text, such as a list of links, gives all its text.

    Parameters
    ----------
    content_type : raw Content-Type header; where there is none the type is guessed from the body
    url : of the page, which links are relative to
    options : by which the crawl has read it
    """
    kind = media_type(content_type, body)
    start = body[: options.max_bytes or None]
    text = ""
    if kind in HTML_TYPES:
        return _of_html(decode(start, content_type), url, wanted)
    if kind == "text/plain":
        text = decode(start, content_type)
    elif kind == PDF and options.documents:
        document = read_document(body)
        if isinstance(document, Unreadable):
            return Content(None)
        said = PageFacts(document.title, document.author, "", "", "", "", url) if wanted.facts else None
        return Content(_all(document.text, wanted.form), said)
    return Content(_all(text, wanted.form))


def _of_html(markup: str, url: str, wanted: TextRequest) -> Content:
    """All of it from one walk."""
    if wanted == TextRequest("all"):
        return Content(_all(walked(markup).document.text, "all"))
    found = read_blocks(markup)
    text = ""
    if wanted.form != "all":
        write = markdown_of if wanted.form == "markdown" else plain_of
        text = write(main_blocks(found, "" if wanted.quick else markup), found.tables)
    return Content(
        text if text.strip() else _all(walked(markup).document.text, wanted.form),
        facts_of(found, url, markup) if wanted.facts else None,
        structured_data(found) if wanted.structured else None,
    )


def _all(text: str, form: TextForm) -> str:
    text = text.encode("utf-8", "replace").decode()  # halves of characters, which no file can hold
    return as_markdown(text) if form == "markdown" else text


def as_markdown(text: str) -> str:
    """A plain text as Markdown that shows it, and no HTML in it."""
    return _TAG.sub(lambda sign: "&lt;" if sign[0] == "<" else "&amp;", text)
