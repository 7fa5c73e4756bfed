"""The plain text of a Wikispeedia article, taken apart: title, headings, paragraphs; without the lines that give labels away."""

from __future__ import annotations

import re
from dataclasses import dataclass

#: Begins the block that names the article's categories ("Related subjects:"), which are the labels.
LABELS = "2007 Schools Wikipedia Selection"
#: Origin and licence, which end each article.
ORIGIN = re.compile(r'Retrieved\s+from\s+"[^"]*"\s+This\s+reference\s+article\s+is\s.*\Z', re.DOTALL)
COPYRIGHT = "#copyright"
EMPTY_LINE = re.compile(r"\n[ \t]*\n")

PROSE_INDENT = "   "  # of running text; tables and captions are indented otherwise
PROSE_WIDTH = 50  # characters: all lines of running text but the last are at least so long, wrapped at 72
PROSE_WORDS = 15  # a paragraph of running text has at least so many
PROSE_END = (".", "!", "?", ")", '"', ":")


@dataclass(slots=True, frozen=True)
class Block:
    """A heading, or a paragraph (also a table or a caption: the plain text does not tell)."""

    text: str  #: on one line
    heading: bool = False
    prose: bool = False  #: running text


@dataclass(slots=True, frozen=True)
class ArticleText:
    title: str  #: as the article shows it; empty if there is no text
    blocks: tuple[Block, ...]

    @property
    def first_paragraph(self) -> str:
        """The first running text, where an article says what it is about; empty if there is none."""
        return next((block.text for block in self.blocks if block.prose), "")


def read_article(text: str) -> ArticleText:
    """Take the text of an article apart; blocks are what stands between empty lines."""
    title, *rest = _kept(EMPTY_LINE.split(ORIGIN.sub("", text))) or [""]
    return ArticleText(_one_line(title), tuple(map(_block, rest)))


def read_title(text: str) -> str:
    """The title alone, many times faster."""
    return _one_line(next(iter(_kept(EMPTY_LINE.split(text, maxsplit=2)[:2])), ""))


def _kept(blocks: list[str]) -> list[str]:
    return [block for block in blocks if block.strip() and not block.lstrip().startswith((COPYRIGHT, LABELS))]


def _block(raw: str) -> Block:
    text = _one_line(raw)
    lines = raw.strip("\n").split("\n")
    if len(lines) == 1 and not raw.startswith((" ", "\t", "\n")):
        return Block(text, heading=True)
    indented = all(re.match(rf"{PROSE_INDENT}\S", line) for line in lines)
    wrapped = all(len(line) >= PROSE_WIDTH for line in lines[:-1])
    words = len(text.split())
    return Block(text, prose=indented and wrapped and words >= PROSE_WORDS and text.endswith(PROSE_END))


def _one_line(raw: str) -> str:
    return " ".join(raw.split())
