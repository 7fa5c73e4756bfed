"""The main text of a page: what an author wrote there, as Markdown and as plain text, without menus, boxes and footers."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Literal, get_args

from focused.exceptions import FocusedError
from focused.page.block_names import HEADINGS
from focused.page.block_parts import Block, Blocks, Element
from focused.page.blocks import read_blocks
from focused.page.language import detect
from focused.page.markdown import markdown_of, plain_of, safe
from focused.page.page_facts import facts_of
from focused.page.trafilatura_text import trafilatura_text

Extractor = Literal["focused", "trafilatura", "all"]
EXTRACTORS: tuple[Extractor, ...] = get_args(Extractor)

#: An element that says that it is no main text is not believed where it holds this share of the text: a theme calls the whole
#: page "with-sidebar".
BELIEVED = 0.5
MAIN = 0.4  #: share of the text that an element must hold to be believed that it is the main text
#: Share of its parent's text that an element must hold for the rest to count as lying beside the main text
DESCENT = 0.6
TITLE = 0.5  #: share of the page's title that a line must hold to be its heading, where no element says so
SENTENCE = 40  #: characters without a link from which on a block is text that somebody wrote, and no entry of a menu
ABOVE = 0.1  #: share of the text that may stand above the heading of a page, or below the line of copyright, and be no part of it
_LONGEST_TITLE = 1_000  #: characters of a title in which a heading is looked for
_SUBHEADINGS = HEADINGS - {"h1"}
_WORD = re.compile(r"[^\W\d_]+")
#: Words of a line that leads from page to page of a manual, such as "top contents ← prev up next →".
_TURNS = frozenset(("top", "contents", "prev", "previous", "next", "up", "index", "home", "back", "toc"))
_EDGE = 3  #: blocks at either end of a text among which such a line is looked for
_COPYRIGHT = re.compile(r"©|\(c\)|copyright", re.IGNORECASE)
_CONTAINERS = frozenset(
    ("html", "body", "div", "section", "article", "main", "center", "form", "table", "tbody", "tr", "td", "#document")
)


@dataclass(frozen=True, slots=True)
class MainText:
    """Texts are safe to write and to show: no control characters, no turns of the direction of writing, no HTML."""

    markdown: str  #: CommonMark with tables as GitHub writes them
    text: str  #: the same blocks as plain text
    title: str = ""
    author: str = ""
    date: str = ""  #: YYYY-MM-DD of the publication, as the page says it
    description: str = ""
    language: str = ""  #: ISO 639-1 code, declared or guessed from the main text; empty when unknown
    canonical: str = ""  #: absolute URL
    site_name: str = ""


def main_text(markup: str, url: str, extractor: Extractor = "focused", *, links: bool = False) -> MainText:
    """Read the main text of a page; never raises for what a page says, and takes time in proportion to its length.

    Parameters
    ----------
    markup : HTML, however broken
    url : of the page: links are made absolute with it
    extractor : who decides what the main text is: ``focused``; ``trafilatura`` (Barbaresi 2021), which takes four times as long and
        is no part of focused: ``pip install trafilatura``; ``all`` takes everything
    links : keep links in the Markdown, as ``[text](absolute URL)``

    FocusedError for an extractor that there is not, or whose package is missing. Where trafilatura finds nothing, or the
    page is not fit for it (very long, or nested very deep), `focused` decides.
    """
    if extractor not in EXTRACTORS:
        raise FocusedError(f"no extractor {extractor!r}; there are {', '.join(EXTRACTORS)}")
    found = read_blocks(markup)
    facts = facts_of(found, url)
    blocks = found.blocks if extractor == "all" else main_blocks(found)
    markdown, text = markdown_of(blocks, found.tables, facts.base if links else ""), plain_of(blocks, found.tables)
    if extractor == "trafilatura":
        theirs = trafilatura_text(markup, url, found, "markdown", links=links)
        if theirs and (their_text := trafilatura_text(markup, url, found, "txt")):
            markdown, text = theirs, their_text
    title = facts.title or next((safe(block.text) for block in blocks if block.kind == "h1"), "")
    language = detect(text, found.language, guess=True)
    return MainText(
        markdown, text, title, facts.author, facts.date, facts.description, language, facts.canonical, facts.site_name
    )


def main_blocks(found: Blocks) -> list[Block]:
    """The blocks of the main text, in document order."""
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
    return _trimmed(kept, blocks, found.title)


def _away(elements: list[Element]) -> list[bool]:
    """(elements,) whether each lies in one that says that it is no main text, and is believed."""
    believed = BELIEVED * elements[0].own
    away = [False] * len(elements)
    for place, element in enumerate(elements[1:], 1):
        away[place] = away[element.parent] or (
            element.away
            and element.own <= believed
            and not (element.tag in ("header", "aside") and _in_main(elements, element))
        )
    return away


def _in_main(elements: list[Element], element: Element) -> bool:
    return elements[element.parent].main


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


def _trimmed(kept: list[Block], blocks: list[Block], title: str) -> list[Block]:
    """From the heading of the page, above which only menus and the heading of the site are, to the line of copyright.

    A line that does nothing but lead from page to page is left out at either end.
    """
    edge = (*kept[:_EDGE], *kept[-_EDGE:])
    turning = {id(block) for block in edge if _turns_pages(block)}
    kept = [block for block in kept if id(block) not in turning]
    size = sum(len(block.text) for block in kept)
    headings = (number for number, block in enumerate(kept) if block.kind == "h1")
    start = next(
        (number for number in headings if [block.kind for block in kept[number + 1 : number + 2]] != ["h1"]), 0
    )
    if start and sum(len(block.text) for block in kept[:start]) <= ABOVE * size:
        kept = kept[start:]
    elif kept and (heading := _heading_before(blocks, kept[0], title)):
        kept.insert(0, heading)
    below = 0
    for end in range(len(kept) - 1, 0, -1):
        below += len(kept[end].text)
        if below > ABOVE * size + SENTENCE:
            break
        if _COPYRIGHT.search(kept[end].text[:SENTENCE]):
            return kept[:end]
    return kept


def _turns_pages(block: Block) -> bool:
    words = _WORD.findall(block.text[:_LONGEST_TITLE].casefold())
    return len(words) > 1 and _TURNS.issuperset(words)


def _heading_before(blocks: list[Block], first: Block, title: str) -> Block | None:
    """The heading that stands above the element of the main text, if the title of the page holds its words.

    Where no element is a heading, it is a line that is most of the title.
    """
    if first.kind == "h1":
        return None
    title = title[:_LONGEST_TITLE].casefold()
    last = line = None
    for block in blocks:
        if block is first:
            break
        if len(block.text) <= len(title) and block.text.casefold() in title:
            if block.kind in HEADINGS:
                last = block
            elif not block.linked and len(block.text) >= TITLE * len(title):
                line = block
    if last is None and line is not None and first.kind not in HEADINGS:
        return replace(line, kind="h1", markers=(), quotes=0, cell=None)
    return last
