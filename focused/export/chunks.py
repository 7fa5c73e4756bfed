"""Pieces of a page for retrieval: cut where a heading stands, then between paragraphs, with ids that outlast edits elsewhere."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from hashlib import blake2b
from itertools import pairwise

LONGEST_TOKEN = 4  #: letters
LONGEST_HEADING = 200  #: characters of a heading in a path
#: Letters of Thai, Chinese, ...
_UNSPACED = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff"
#: A token: up to four letters of a word, a letter of a script without spaces between words, a digit, or any other sign.
_TOKEN = re.compile(rf"[^\W\d_{_UNSPACED}]{{1,4}}|\S")
#: After what a block that is too long may be cut, best first: a line, a sentence, a word, a token.
_ENDS = (re.compile(r"\n"), re.compile(r"[.!?…]\s+|[。！？]\s*"), re.compile(r"\s+"), _TOKEN)
_HEADING = re.compile(r"(#{1,6})(?:\s+(.*))?$")
_FENCE = re.compile(r"(?:[> ]|[-*+] |\d{1,9}[.)] )*(`{3,}+|~{3,}+)[^`]*$")
_RULE = re.compile(r"\|(?:\s*:?-+:?\s*\|)+\s*$")  # below the first row of a table
_ESCAPE = re.compile(r"\\([!-/:-@\[-`{-~])")


@dataclass(frozen=True, slots=True)
class Chunk:
    """A piece of a page.

    id : 32 hexadecimal digits, of the URL, the text, and how many pieces of the page before it have the same text
    headings : that it stands below, the outermost first
    position : in the page, from 0
    """

    id: str
    headings: list[str]
    position: int
    tokens: int
    text: str


def chunks_of(markdown: str, url: str, most: int) -> Iterator[Chunk]:
    """Cut the text of a page; no chunk has more than ``most`` tokens, and together they have all its text, in order.

    A heading begins a new chunk. A code block or a table is cut only where it alone has too many tokens, at an end of a line;
    each piece then has the fences, or the first row, again.
    """
    seen = Counter[str]()
    pieces = ((headings, *piece) for headings, blocks in _sections(markdown) for piece in _packed(blocks, most))
    for position, (headings, text, size) in enumerate(pieces):
        identity = blake2b(f"{url}\n{seen[text]}\n{text}".encode("utf-8", "replace"), digest_size=16).hexdigest()
        yield Chunk(identity, headings, position, size, text)
        seen[text] += 1


def tokens(text: str) -> int:
    """How many tokens a text has, as they are counted here."""
    return _TOKEN.subn("", text)[1]  # which counts without a list of them


def _sections(markdown: str) -> Iterator[tuple[list[str], list[str]]]:
    """Yield headings and blocks of each section; headings without a text of their own go with the text that follows."""
    path, blocks, has_text = dict[int, str](), list[str](), False
    for block in _blocks(markdown):
        heading = _HEADING.match(block)
        if heading:
            if has_text:
                yield list(path.values()), blocks
                blocks, has_text = [], False
            level, title = len(heading[1]), _ESCAPE.sub(r"\1", heading[2] or "").strip()
            path = {above: text for above, text in path.items() if above < level} | {level: title[:LONGEST_HEADING]}
        has_text = has_text or not heading
        blocks.append(block)
    if blocks:
        yield list(path.values()), blocks


def _blocks(markdown: str) -> Iterator[str]:
    """Yield headings, and what stands between blank lines; a code block is one, whatever is in it."""
    lines, fence = list[str](), ""
    for line in markdown.split("\n"):
        if fence:
            lines.append(line)
            mark = line.strip("> ")
            if mark.startswith(fence) and not mark.strip(fence[0]):
                yield "\n".join(lines)
                lines, fence = [], ""
        elif _says(line) and not _HEADING.match(line):
            opened = _FENCE.match(line)
            if opened:
                yield from _whole(lines)
                lines, fence = [], opened[1]
            lines.append(line)
        else:
            yield from _whole(lines)
            yield from _whole([line])
            lines = []
    yield from _whole(lines)


def _whole(lines: list[str]) -> Iterator[str]:
    if block := _says("\n".join(lines)):
        yield block


def _says(text: str) -> str:
    """The same text; empty where it is blank, or only the marks of a quote."""
    return text if text.replace(">", " ").strip() else ""


def _packed(blocks: Iterable[str], most: int) -> Iterator[tuple[str, int]]:
    """Yield as many blocks together as have room, and their tokens."""
    together, size = list[str](), 0
    for block in blocks:
        whole = tokens(block)
        for piece, count in [(block, whole)] if whole <= most else _cut(block, most):
            if together and size + count > most:
                yield "\n\n".join(together), size
                together, size = [], 0
            together.append(piece)
            size += count
    if together:
        yield "\n\n".join(together), size


def _cut(block: str, most: int) -> Iterator[tuple[str, int]]:
    """Yield pieces of a block that is too long, each with what the block begins and ends with, if it is code or a table."""
    lines = block.split("\n")
    head, tail = list[str](), list[str]()
    if len(lines) > 2 and _FENCE.match(lines[0]):
        head, tail = lines[:1], lines[-1:] if _FENCE.match(lines[-1]) else []  # it may never end
    elif len(lines) > 2 and _RULE.match(lines[1]):
        head = lines[:2]
    frame = sum(map(tokens, (*head, *tail)))
    if frame > most // 2 or sum(map(len, head)) > LONGEST_TOKEN * most:  # blanks are no tokens
        head, tail, frame = [], [], 0
    inner = "\n".join(lines[len(head) : len(lines) - len(tail)])
    for piece, size in _fitted(inner, most - frame):
        yield "\n".join((*head, piece.strip("\n"), *tail)), frame + size


def _fitted(text: str, most: int, level: int = 0) -> Iterator[tuple[str, int]]:
    """Yield pieces of at most so many tokens, cut where the least is torn apart."""
    together, size = list[str](), 0
    ends = [found.end() for found in _ENDS[level].finditer(text)]
    if _ENDS[level] is _TOKEN:
        ends = ends[most - 1 :: most]
    for start, end in pairwise((0, *ends, len(text))):
        piece = text[start:end]
        count = tokens(piece)
        if size and size + count > most:
            yield "".join(together), size
            together, size = [], 0
        if count > most:
            yield from _fitted(piece, most, level + 1)
        else:
            together.append(piece)
            size += count
    if size:
        yield "".join(together), size
