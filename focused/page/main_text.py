"""The main text of a page: what an author wrote there, without menus, boxes and footers.

Of an article, of a newspaper or a blog, it is what trafilatura (Barbaresi 2021) takes for the text as well.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Sequence, Set

from focused.page.block_names import HEADINGS
from focused.page.blocks import Block, Blocks, Element, read_blocks
from focused.page.markdown import plain_of

#: An element that says that it is no main text is not believed where it holds this share of the text: a theme calls the whole
#: page "with-sidebar".
BELIEVED = 0.5
MAIN = 0.4  #: share of the text that an element must hold to be believed that it is the main text
#: Share of its parent's text that an element must hold for the rest to count as lying beside the main text
DESCENT = 0.6
DESCENT_IN_MAIN = 0.9  #: the same below an element that says that it is the main text: its parts are parts of it
ABOVE = 0.1  #: share of the text that may stand above the heading of a page, or below the line of copyright, and be no part of it
SENTENCE = 40  #: characters without a link from which on a block is text that somebody wrote, and no entry of a menu
_SUBHEADINGS = HEADINGS - {"h1"}
_COPYRIGHT = re.compile(r"©|\(c\)|copyright", re.IGNORECASE)
_FORUM = re.compile(r'"@type"\s*:\s*\[?\s*"(?:DiscussionForumPosting|QAPage)"')
_FORUM_TOOLS = re.compile("discourse|phpbb|vbulletin|xenforo|flarum|nodebb|mybb|invision|vanilla|smf")
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
    away = _away(elements, is_forum=_is_forum(found))
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


def _is_forum(found: Blocks) -> bool:
    """Whether what readers wrote is the text of a page: a thread, or a question with its answers."""
    return any(map(_FORUM.search, found.scripts)) or any(
        attributes.get("name", "").lower() == "generator" and _FORUM_TOOLS.search(attributes.get("content", "").lower())
        for attributes in found.metas
    )


def _away(elements: list[Element], *, is_forum: bool) -> list[bool]:
    """(elements,) whether each lies in one that says that it is no main text, and is believed."""
    believed = BELIEVED * elements[0].own
    away = [False] * len(elements)
    for place, element in enumerate(elements[1:], 1):
        away[place] = away[element.parent] or (
            element.away
            and not (is_forum and element.comments)
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
    is_main = elements[root].main
    while (
        (child := heaviest[root])
        and elements[child].tag in _CONTAINERS
        and mass[child] >= (DESCENT_IN_MAIN if is_main else DESCENT) * max(1, mass[root])
        and not sections[child]
        and prose[child] >= prose[root]  # an example is not the text, however long it is
    ):
        root = child
        is_main |= elements[child].main
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


# trafilatura walks trees by recursion. The worst of so many tags takes it 2 s, of an article 20 ms.
LONGEST = 1_000_000  #: characters that it is given
MOST_TAGS = 10_000
DEEPEST = 200  #: open elements
SHARED = 0.5  #: share of trafilatura's text that ours must hold: else ours is not to be trusted
_ENTRY = 25  #: letters; a shorter block must be a line of trafilatura's, a longer one is looked for within its text
_END = 40  #: letters at either end of a block that are looked for
#: Tools that make documentation, and wikis, as their pages name them.
_MANUALS = re.compile(
    "docutils|sphinx|doxygen|docbook|asciidoc|mkdocs|makeinfo|texi2any|mediawiki|rustdoc|javadoc|docusaurus|vitepress|gitbook"
)
_ARTICLE = re.compile(r'"@type"\s*:\s*\[?\s*"\w*(?:Article|BlogPosting)"')
_NO_LETTERS = re.compile(r"[\W_]+")


def is_too_much_for_trees(markup: str, found: Blocks) -> bool:
    """Whether programs that walk a tree by recursion may take seconds for a page."""
    return found.truncated or found.deepest > DEEPEST or len(markup) > LONGEST or markup.count("<") > MOST_TAGS


def of_article(markup: str, found: Blocks, ours: list[Block]) -> list[Block]:
    """The blocks that our rules and trafilatura take for the text of an article; `ours` of any other page.

    What a tool for documentation has made is no article, nor what holds code, unless it says that it is one.
    """
    said = {
        (attributes.get("property") or attributes.get("name") or "").lower(): attributes.get("content", "").lower()
        for attributes in found.metas
    }
    says_so = "article:published_time" in said or said.get("og:type") == "article"
    says_so = says_so or any(map(_ARTICLE.search, found.scripts))
    if not says_so or _MANUALS.search(said.get("generator", "")) or _is_forum(found):
        return ours
    if is_too_much_for_trees(markup, found):
        return ours
    theirs = _found_by_trafilatura(markup, found)
    both = _of_both(ours, set(map(id, theirs)))
    if _size(both) < SHARED * _size(theirs):
        both = theirs
    return both or ours


def _of_both(ours: list[Block], theirs: Set[int]) -> list[Block]:
    """The blocks of ours that trafilatura has, by identity, and what stands between these and is no paragraph of its own.

    It leaves out cells, items and short lines; a heading goes with what it stands above.
    """
    known = [id(block) in theirs for block in ours]
    first, last = (known.index(True), len(known) - known[::-1].index(True)) if any(known) else (0, 0)
    both, is_kept = list[Block](), False
    for number, block in reversed(list(enumerate(ours))):
        is_part = first < number < last and (
            block.cell is not None or bool(block.markers) or len(block.text) < SENTENCE
        )
        is_kept = known[number] or (is_kept and block.kind in HEADINGS) or (is_part and block.linked < len(block.text))
        both += [block] * is_kept
    return both[::-1]


def _found_by_trafilatura(markup: str, found: Blocks) -> list[Block]:
    import trafilatura  # it takes a second or two, and only articles need it

    logging.getLogger("trafilatura").setLevel(logging.CRITICAL)  # it warns about every page without text
    try:
        text = trafilatura.extract(markup, include_comments=False, fast=True) or ""
    except Exception:  # whatever a page makes it do, the text is had without it
        return []
    lines, whole = set(map(_letters, text.split("\n"))), _letters(text)
    blocks = []
    for block in found.blocks:
        letters = _letters(block.text)
        middle = len(letters) // 2
        ends = letters[:_END], letters[middle : middle + _END], letters[-_END:]  # a formula may have taken one away
        if letters in lines if len(letters) < _ENTRY else any(end in whole for end in ends):
            blocks.append(block)
    return blocks


def _letters(text: str) -> str:
    return _NO_LETTERS.sub("", text).lower()


def _size(blocks: Sequence[Block]) -> int:
    return sum(len(block.text) for block in blocks)
