"""Blocks of a page as Markdown (CommonMark 0.31, tables as GitHub writes them) and as plain text."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import groupby

from focused.page.blocks import Block, TableBlock
from focused.page.plain_text import JOINERS, printable

MOST_COLUMNS = 100  #: of a table
_KEPT = JOINERS + "\n\t\xa0"
#: What starts HTML, an entity, a link or a definition of one.
_MARKUP = re.compile(r"[<\\]|&(?=#?\w{1,31};)|\](?=[(\[:])")
#: What begins a heading, a quote, an item, code, a rule or a table where a line begins.
_LINE_START = re.compile(
    r"^(\s{0,3})(#{1,6}(?=\s|$)|>|[-+*](?=\s|$)|\d{1,9}(?=[.)](?:\s|$))|`{3}|~{3}|={2,}|-{2,}|_{3,}|\|)", re.MULTILINE
)


def safe(text: str) -> str:
    """A text of several lines without control characters and turns of the direction of writing; soft hyphens are not seen."""
    return printable(text.replace("\r\n", "\n").replace("\xad", ""), _KEPT).replace("\xa0", " ")


def markdown_of(blocks: Sequence[Block], tables: Sequence[TableBlock]) -> str:
    """Blocks as Markdown, without links."""
    parts, in_list, quotes = list[str](), False, 0
    for table, group in _groups(blocks, tables):
        if table is not None:
            parts += ("\n", *(f"{row}\n" for row in _rows(list(group))))
            in_list, quotes = False, 0
            continue
        for block in group:
            tight = in_list and bool(block.markers) and not block.markers[-1].isspace()
            still_quoted = " ".join(">" * min(quotes, block.quotes))
            parts += ("" if tight else f"{still_quoted}\n", _block(block), "\n")
            in_list, quotes = bool(block.markers), block.quotes
    return "".join(parts).lstrip("\n")


def plain_of(blocks: Sequence[Block], tables: Sequence[TableBlock]) -> str:
    """Blocks as plain text: a blank line between paragraphs, a line for each item and row, a tab between cells."""
    parts: list[str] = []
    for table, group in _groups(blocks, tables):
        if table is not None:
            parts.append(
                "\n".join(
                    "\t".join(" ".join(cell.split()) for cell in row)
                    for row in _grid([(block, safe(block.text)) for block in group])
                )
            )
        else:
            for items, run in groupby(group, lambda block: bool(block.markers)):
                parts.append(("\n" if items else "\n\n").join(safe(block.text) for block in run))
    return safe("\n\n".join(parts))


def _groups(blocks: Sequence[Block], tables: Sequence[TableBlock]) -> Iterator[tuple[int | None, Iterator[Block]]]:
    """Runs of blocks, by the table of data that they belong to."""
    wide = {block.cell[0] for block in blocks if block.cell and block.cell[2]}  # one column is no table
    tall = {block.cell[0] for block in blocks if block.cell and block.cell[1]}

    def table_of(block: Block) -> int | None:
        if block.cell is None or tables[block.cell[0]].layout:
            return None
        return block.cell[0] if block.cell[0] in wide and block.cell[0] in tall else None

    return ((table, group) for table, group in groupby(blocks, table_of))


def _grid(texts: list[tuple[Block, str]]) -> list[list[str]]:
    """Rows of cells, from blocks that all have a cell; a row ends with its last cell that has text."""
    rows: dict[int, dict[int, str]] = {}
    for block, text in texts:
        _, row, column = block.cell or (0, 0, 0)
        if column < MOST_COLUMNS:
            cells = rows.setdefault(row, {})
            cells[column] = f"{cells[column]} {text}" if column in cells else text
    return [[cells.get(column, "") for column in range(max(cells) + 1)] for _, cells in sorted(rows.items())]


def _rows(blocks: list[Block]) -> Iterator[str]:
    grid = _grid([(block, _inline(block).replace("|", "\\|")) for block in blocks])
    width = max((len(row) for row in grid), default=0)
    for number, row in enumerate(grid):
        row += [""] * (width - len(row) if number == 0 else 0)  # the first says how many columns there are
        yield f"| {' | '.join(' '.join(cell.split()) for cell in row)} |"
        if number == 0:
            yield f"|{'---|' * len(row)}"


def _block(block: Block) -> str:
    quote = "> " * block.quotes
    marks = " ".join(block.markers)
    first = f"{quote}{marks} " if marks else quote
    rest = quote + " " * (len(first) - len(quote))
    if block.kind == "pre":
        text = safe(block.text)
        fence = "`" * max(3, 1 + max((len(run) for run in re.findall("`+", text)), default=0))
        lines = [f"{fence}{block.language}", *text.split("\n"), fence]
    elif block.kind != "p":
        lines = [f"{'#' * int(block.kind[1])} {' '.join(_inline(block).split())}"]
    else:
        lines = _LINE_START.sub(r"\1\\\2", _inline(block)).replace("\n", "  \n").split("\n")
        lines = [re.sub(r"^(\s*)\\(\d+)", r"\1\2\\", line) for line in lines]
    return "\n".join((first if number == 0 else rest) + line for number, line in enumerate(lines)).rstrip()


def _inline(block: Block) -> str:
    """The text of a block, escaped, with its code."""
    text, done, parts = block.text, 0, list[str]()
    for start, end in block.code:
        inner = text[start:end]
        code = inner.strip()
        if code:
            lead, trail = inner[: len(inner) - len(inner.lstrip())], inner[len(inner.rstrip()) :]
            parts += (_escaped(text[done:start]), lead, _code(code), trail)
            done = end
    return "".join((*parts, _escaped(text[done:])))


def _code(text: str) -> str:
    text = " ".join(safe(text).split())
    fence = "`" * (1 + max((len(run) for run in re.findall("`+", text)), default=0))
    pad = " " if text[:1] == "`" or text[-1:] == "`" else ""
    return f"{fence}{pad}{text}{pad}{fence}"


def _escaped(text: str) -> str:
    return _MARKUP.sub(r"\\\g<0>", safe(text))
