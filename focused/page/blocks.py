"""The blocks of an HTML document in document order: paragraphs, headings, items of lists, cells of tables, code.

Inline elements are joined as a browser shows them: "bal<b>sa</b>" is one word, white space collapses, <br> breaks a line.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from focused.page.block_names import HEADINGS, INLINE, UNSEEN, holds_comments, is_hidden, is_main, leads_away
from focused.page.html import MAX_DEPTH, TooMuchError, Walk, feed, is_shadow_root


@dataclass(slots=True)
class Element:
    """A block element; spans of blocks tell what is inside it."""

    parent: int  #: place of the element around it; the document is 0 and is its own parent
    tag: str
    away: bool  #: it says of itself that it is no main text
    main: bool  #: it says of itself that it is
    comments: bool = False  #: it is away for what readers wrote there
    #: characters inside it that no link holds; of itself until `Blocks` is whole, then of all that is inside
    own: int = 0


@dataclass(slots=True)
class Block:
    """A run of text that a browser sets apart."""

    kind: str  #: "p", "pre", or a heading's tag
    text: str  #: without blanks at the ends; "\\n" is a broken line
    code: list[tuple[int, int]]  #: start and end of inline code
    linked: int  #: characters of it in links
    element: int  #: place of the innermost element
    #: of the lists around it, outermost first: "-", "3." where it begins an item, else blanks as wide
    markers: tuple[str, ...]
    quotes: int  #: block quotes around it
    cell: tuple[int, int, int] | None  #: table, row and column
    language: str = ""  #: of code, as the page names it


@dataclass(slots=True)
class TableBlock:
    layout: bool = False  #: it holds what a table of data does not
    row: int = -1
    column: int = -1


@dataclass(slots=True)
class Blocks:
    """What `read_blocks` found."""

    elements: list[Element] = field(default_factory=lambda: [Element(0, "#document", False, False)])
    blocks: list[Block] = field(default_factory=list)
    tables: list[TableBlock] = field(default_factory=list)
    metas: list[Mapping[str, str]] = field(default_factory=list)  #: attributes of meta elements
    links: list[Mapping[str, str]] = field(
        default_factory=list
    )  #: attributes of link elements that say their relation, and of base elements
    scripts: list[str] = field(default_factory=list)  #: JSON-LD
    title: str = ""
    language: str = ""  #: lang of the html element
    times: list[str] = field(default_factory=list)  #: datetime of time elements
    truncated: bool = False  #: a limit was met: the rest was not read
    deepest: int = 0  #: elements that were open at a time


MAX_NESTING = 8  #: of lists and quotes that are told apart
_CODE_TAGS = frozenset(("code", "tt", "samp", "kbd"))
_LINK_OR_CODE = _CODE_TAGS | {"a"}
_LISTS = frozenset(("ul", "ol", "menu", "dir"))
_LANGUAGE = re.compile(r"(?:^|\s)(?:language|lang|highlight|brush)[-:]\s*([a-z][\w+#.-]{0,19})(?=$|[\s;])")
_NEAR = 3  #: elements around code that may name its language
_MARKS = frozenset(("¶", "\uf0c1", "#", "🔗", "§"))  #: texts of links beside a heading to the heading itself
_LONGEST_MARK = 3  #: characters, with white space


def read_blocks(markup: str) -> Blocks:
    """Read a document as `html.walked` does, within its limits; never raises."""
    walk = _Walk()
    walk.found.truncated = feed(walk, markup)
    elements = walk.found.elements
    for place in range(len(elements) - 1, 0, -1):
        elements[elements[place].parent].own += elements[place].own
    return walk.found


class _Walk(Walk):
    """Collects blocks."""

    def __init__(self) -> None:
        super().__init__()
        self.found = Blocks()
        self._places: list[int] = []  # of the open elements; an inline one has its parent's
        self._unseen = 0  # elements of which nothing is seen, open
        self._raw: list[str] | None = None  # text of a title or of JSON-LD
        self._lists: list[tuple[bool, int]] = []  # ordered, and items so far
        self._markers: list[str] = []  # as many: what the next block begins with
        self._open_tables: list[int] = []
        self._quotes = self._pre = 0
        self._heading = ""  # tag of the open one
        self._language, self._language_depth = "", -_NEAR
        self._link: int | None = None  # the open one: depth
        self._code: int | None = None  # the open inline code: depth
        self._reset()

    def _reset(self) -> None:
        self._text: list[str] = []
        self._length = 0
        self._blank = False  # white space waits for what comes after it
        self._spans: list[tuple[int, int]] = []  # of inline code
        self._linked = 0
        self._link_start = self._code_start = self._link_chunk = 0  # where they begin, if they are open

    def data(self, chunk: str) -> None:
        if self._raw is not None:
            self._raw.append(chunk)
        elif not self._unseen:
            if self._pre:
                self._add(chunk)
            else:
                self._collapse(chunk)

    def _collapse(self, chunk: str) -> None:
        words = chunk.split()
        if not words:
            self._blank = True
            return
        if (self._blank or chunk[0].isspace()) and self._length and not self._text[-1].endswith((" ", "\n")):
            self._add(" ")
        self._add(" ".join(words))
        self._blank = chunk[-1].isspace()

    def _add(self, text: str) -> None:
        self._text.append(text)
        self._length += len(text)

    def start(self, tag: str, attributes: Mapping[str, str]) -> None:
        if len(self._tags) == MAX_DEPTH:
            raise TooMuchError
        self._tags.append(tag)
        self.found.deepest = max(self.found.deepest, len(self._tags))
        self._places.append(self._places[-1] if self._places else 0)
        if tag in ("html", "meta", "link", "base", "title", "script", "time") and "template" not in self._tags:
            self._start_metadata(tag, attributes)
        if self._unseen or is_hidden(attributes) or (tag in UNSEEN and not is_shadow_root(tag, attributes)):
            if not self._unseen and tag not in INLINE:
                self._flush()
            self._unseen += 1
        elif tag in INLINE:
            self._start_inline(tag, attributes)
        elif tag == "br":
            self._blank = False
            self._add("\n")
        elif self._pre:
            if self._text and not self._text[-1].endswith("\n"):
                self._add("\n")
        else:
            self._start_block(tag, attributes)

    def _start_inline(self, tag: str, attributes: Mapping[str, str]) -> None:
        if self._pre:
            self._note_language(attributes)
            return
        if tag not in _LINK_OR_CODE:
            return
        if self._blank and self._length:
            self._collapse_now()
        if tag == "a":  # links cannot be nested: a new one ends the one before, as in browsers
            self._end_link()
            self._link = len(self._tags)
            self._link_start, self._link_chunk = self._length, len(self._text)
        elif self._code is None:
            self._code, self._code_start = len(self._tags), self._length

    def _collapse_now(self) -> None:
        if not self._text[-1].endswith(("\n", " ")):
            self._add(" ")
        self._blank = False

    def _start_block(self, tag: str, attributes: Mapping[str, str]) -> None:
        self._flush()
        self._note_language(attributes)
        self._places[-1] = len(self.found.elements)
        parent = self._places[-2] if len(self._places) > 1 else 0
        away = leads_away(tag, attributes)
        comments = away and holds_comments(attributes)
        self.found.elements.append(Element(parent, tag, away, is_main(tag, attributes), comments))
        if tag == "pre":
            self._pre += 1
        elif tag in _LISTS:
            self._lists.append((tag == "ol", 0))
            self._markers.append("")
        elif tag == "li" and self._lists:
            ordered, items = self._lists[-1]
            self._lists[-1] = (ordered, items + 1)
            self._markers[-1] = f"{items + 1}." if ordered else "-"
        elif tag == "blockquote":
            self._quotes += 1
        if tag in HEADINGS:
            self._heading = tag
        if tag in ("table", "tr", "td", "th") or tag in HEADINGS:
            self._start_table_part(tag, attributes)

    def _start_table_part(self, tag: str, attributes: Mapping[str, str]) -> None:
        tables = self.found.tables
        if tag == "table":
            for place in self._open_tables:
                tables[place].layout = True
            self._open_tables.append(len(tables))
            tables.append(TableBlock(attributes.get("role") in ("presentation", "none")))
        elif self._open_tables:
            table = tables[self._open_tables[-1]]
            if tag == "tr":
                table.row, table.column = table.row + 1, -1
            elif tag in HEADINGS:
                table.layout = True
            else:
                table.column += 1

    def _start_metadata(self, tag: str, attributes: Mapping[str, str]) -> None:
        found = self.found
        if tag == "html":
            found.language = attributes.get("lang") or attributes.get("xml:lang", "")
        elif tag == "meta":
            found.metas.append(attributes)
        elif (tag == "link" and "rel" in attributes) or (tag == "base" and attributes.get("href")):
            found.links.append(attributes)
        elif tag == "time" and "datetime" in attributes:
            found.times.append(attributes["datetime"])
        elif (tag == "title" and not found.title and not self._unseen and "svg" not in self._tags) or (
            tag == "script" and attributes.get("type", "").strip().lower() == "application/ld+json"
        ):
            self._raw = []

    def _note_language(self, attributes: Mapping[str, str]) -> None:
        if "class" in attributes and (named := _LANGUAGE.search(attributes["class"][:200].lower())):
            self._language, self._language_depth = named[1], len(self._tags)

    def end(self, tag: str) -> None:
        depth = len(self._tags)
        if self._raw is not None and tag in ("title", "script"):
            text, self._raw = "".join(self._raw), None
            if tag == "title":
                self.found.title = " ".join(text.split())
            else:
                self.found.scripts.append(text)
        if self._unseen:
            self._unseen -= 1
        elif tag in INLINE:
            self._end_inline(depth)
        elif tag == "pre":
            self._flush()
            self._pre = max(0, self._pre - 1)
        elif tag != "br" and not self._pre:
            self._end_block(tag)
        self._tags.pop()
        self._places.pop()

    def _end_inline(self, depth: int) -> None:
        if self._link == depth:
            if (
                self._length - self._link_start <= _LONGEST_MARK
                and "".join(self._text[self._link_chunk :]).strip() in _MARKS
            ):
                del self._text[self._link_chunk :]
                self._length = self._link_start
            self._end_link()
            self._link = None
        elif self._code == depth:
            self._end_code()
            self._code = None

    def _end_link(self) -> None:
        if self._link is not None:
            self._linked += self._length - self._link_start

    def _end_code(self) -> None:
        if self._code is None or self._length == self._code_start:
            return
        start = self._code_start
        if self._spans and self._spans[-1][1] == start:  # two without anything between them are one
            start = self._spans.pop()[0]
        self._spans.append((start, self._length))

    def _end_block(self, tag: str) -> None:
        self._flush()
        if tag in _LISTS and self._lists:
            self._lists.pop()
            self._markers.pop()
        elif tag == "blockquote":
            self._quotes -= 1
        elif tag == "table" and self._open_tables:
            self._open_tables.pop()
        elif tag == self._heading:
            self._heading = ""

    def close(self) -> None:
        super().close()
        self._flush()

    def _flush(self) -> None:
        """End the block that is open."""
        self._end_link()
        self._end_code()
        raw = "".join(self._text)
        if raw and not raw.isspace():
            self._append(raw)
        self._reset()

    def _append(self, raw: str) -> None:
        place = self._places[-1] if self._places else 0
        element = self.found.elements[place]
        kind = "pre" if self._pre else self._heading or "p"
        text = raw.strip("\n").rstrip() if self._pre else raw.rstrip()
        shift = 0 if self._pre else len(text) - len(text.lstrip())
        cell = None
        if self._open_tables:
            table = self.found.tables[self._open_tables[-1]]
            table.layout |= kind == "pre"
            cell = (self._open_tables[-1], max(0, table.row), max(0, table.column))
        near = len(self._tags) - self._language_depth <= _NEAR
        block = Block(
            kind,
            text[shift:],
            [] if self._pre else [(max(0, start - shift), end - shift) for start, end in self._spans],
            self._linked,
            place,
            tuple(self._markers[:MAX_NESTING]),
            min(self._quotes, MAX_NESTING),
            cell,
            self._language if self._pre and near else "",
        )
        self.found.blocks.append(block)
        element.own += max(0, len(text) - self._linked)
        self._markers = [" " * len(marker) for marker in self._markers]
