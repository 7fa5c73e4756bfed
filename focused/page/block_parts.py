"""What a document is made of: its block elements, and the blocks of text in them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(slots=True)
class Element:
    """A block element; spans of blocks tell what is inside it."""

    parent: int  #: place of the element around it; the document is 0 and is its own parent
    tag: str
    away: bool  #: it says of itself that it is no main text
    main: bool  #: it says of itself that it is
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
    links: list[Mapping[str, str]] = field(default_factory=list)  #: attributes of link elements, and of the first base
    scripts: list[str] = field(default_factory=list)  #: JSON-LD
    title: str = ""
    language: str = ""  #: lang of the html element
    times: list[str] = field(default_factory=list)  #: datetime of time elements
    truncated: bool = False  #: a limit was met: the rest was not read
    deepest: int = 0  #: elements that were open at a time
