"""The main text of a page: what an author wrote there, without menus, boxes and footers."""

from __future__ import annotations

import re

from focused.page.articles import of_article
from focused.page.block_names import HEADINGS
from focused.page.block_parts import Block, Blocks, Element
from focused.page.blocks import read_blocks
from focused.page.markdown import plain_of

#: An element that says that it is no main text is not believed where it holds this share of the text: a theme calls the whole
#: page "with-sidebar".
BELIEVED = 0.5
MAIN = 0.4  #: share of the text that an element must hold to be believed that it is the main text
#: Share of its parent's text that an element must hold for the rest to count as lying beside the main text
DESCENT = 0.6
ABOVE = 0.1  #: share of the text that may stand above the heading of a page, or below the line of copyright, and be no part of it
SENTENCE = 40  #: characters without a link from which on a block is text that somebody wrote, and no entry of a menu
_SUBHEADINGS = HEADINGS - {"h1"}
_COPYRIGHT = re.compile(r"©|\(c\)|copyright", re.IGNORECASE)
_CONTAINERS = frozenset(
    ("html", "body", "div", "section", "article", "main", "center", "form", "table", "tbody", "tr", "td", "#document")
)


def main_text(markup: str) -> str:
    """The main text of a page as plain text; never raises for what a page says, and takes time in proportion to its length."""
    found = read_blocks(markup)
    return plain_of(main_blocks(found, markup), found.tables)


def main_blocks(found: Blocks, markup: str = "") -> list[Block]:
    """The blocks of the main text, in document order.

    markup : of the page; without it our rules alone decide, also of an article, in a quarter of the time
    """
    ours = _by_rules(found)
    return of_article(markup, found, ours) if markup else ours


def _by_rules(found: Blocks) -> list[Block]:
    elements, blocks = found.elements, found.blocks
    away = _away(elements)
    mass = [0] * len(elements)  # characters that no link holds, of what is not away
    for block in blocks:
        if not away[block.element]:
            own = max(0, len(block.text) - block.linked)
            mass[block.element] += own if own >= SENTENCE else own // 4
    for place in range(len(elements) - 1, 0, -1):
        mass[elements[place].parent] += mass[place]
    root = _root(found, mass, away)
    inside = [False] * len(elements)
    inside[root] = True
    for place in range(root + 1, len(elements)):
        inside[place] = inside[elements[place].parent]
    kept = [block for block in blocks if inside[block.element] and not away[block.element]]
    return _trimmed(kept)


def _away(elements: list[Element]) -> list[bool]:
    """(elements,) whether each lies in one that says that it is no main text, and is believed."""
    believed = BELIEVED * elements[0].own
    away = [False] * len(elements)
    for place, element in enumerate(elements[1:], 1):
        away[place] = away[element.parent] or (
            element.away
            and element.own <= believed
            and not (element.tag in ("header", "aside") and elements[element.parent].main)
        )
    return away


def _root(found: Blocks, mass: list[int], away: list[bool]) -> int:
    """Place of the innermost element that holds the main text."""
    elements = found.elements
    named = [
        place
        for place, element in enumerate(elements)
        if element.main and not away[place] and mass[place] >= MAIN * mass[0]
    ]
    root = min(named, key=lambda place: (mass[place], -place), default=0)
    heaviest = [0] * len(elements)  # child of each that holds most
    for place in range(len(elements) - 1, 0, -1):
        parent = elements[place].parent
        if not away[place] and (not heaviest[parent] or mass[place] >= mass[heaviest[parent]]):
            heaviest[parent] = place
    sections, prose = _sections(found, away), _prose(found, away)
    while (
        (child := heaviest[root])
        and elements[child].tag in _CONTAINERS
        and mass[child] >= DESCENT * max(1, mass[root])
        and not sections[child]
        and prose[child] >= prose[root]  # an example is not the text, however long it is
    ):
        root = child
    return root


def _prose(found: Blocks, away: list[bool]) -> list[bool]:
    """(elements,) whether each holds any text but code."""
    elements = found.elements
    prose = [False] * len(elements)
    for block in found.blocks:
        prose[block.element] |= block.kind != "pre" and not away[block.element]
    for place in range(len(elements) - 1, 0, -1):
        prose[elements[place].parent] |= prose[place]
    return prose


def _sections(found: Blocks, away: list[bool]) -> list[bool]:
    """(elements,) whether each is a section of a text, however long it is, and not the text.

    It begins with a heading, and stands below another heading in the element around it. Or it comes right after a heading there, h2
    or lower, and a sentence stands before that.
    """
    elements, blocks = found.elements, found.blocks
    shown = [block for block in blocks if not away[block.element]]
    first = [len(shown)] * len(elements)  # place among these inside each element
    heading, sentence = first.copy(), first.copy()  # the same of headings, and of sentences
    for number, block in reversed(list(enumerate(shown))):
        first[block.element] = number
        if block.kind in HEADINGS:
            heading[block.element] = number
        elif len(block.text) - block.linked >= SENTENCE:
            sentence[block.element] = number
    for place in range(len(elements) - 1, 0, -1):
        parent = elements[place].parent
        for numbers in (first, heading, sentence):
            numbers[parent] = min(numbers[parent], numbers[place])

    def is_section(place: int, parent: int) -> bool:
        start = first[place]
        if start == heading[place]:
            return heading[parent] < start
        return sentence[parent] < start - 1 and start < len(shown) and shown[start - 1].kind in _SUBHEADINGS

    return [is_section(place, element.parent) for place, element in enumerate(elements)]


def _trimmed(kept: list[Block]) -> list[Block]:
    """From the heading of the page, above which only menus and the heading of the site are, to the line of copyright."""
    size = sum(len(block.text) for block in kept)
    headings = (number for number, block in enumerate(kept) if block.kind == "h1")
    start = next(
        (number for number in headings if [block.kind for block in kept[number + 1 : number + 2]] != ["h1"]), 0
    )
    if start and sum(len(block.text) for block in kept[:start]) <= ABOVE * size:
        kept = kept[start:]
    below = 0
    for end in range(len(kept) - 1, 0, -1):
        below += len(kept[end].text)
        if below > ABOVE * size + SENTENCE:
            break
        if _COPYRIGHT.search(kept[end].text[:SENTENCE]):
            return kept[:end]
    return kept
