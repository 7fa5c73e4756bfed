"""Articles, of newspapers and blogs: who says so, and which of their blocks trafilatura (Barbaresi 2021) takes for the text."""

from __future__ import annotations

import logging
import re
from collections.abc import Sequence

from focused.page.block_names import HEADINGS
from focused.page.block_parts import Block, Blocks

# trafilatura walks trees by recursion. The worst of so many tags takes it 2 s, of an article 20 ms.
LONGEST = 1_000_000  #: characters that it is given
MOST_TAGS = 10_000
DEEPEST = 200  #: open elements
SHARED = 0.5  #: share of trafilatura's text that ours must hold: else ours is not to be trusted
#: Share of our text that trafilatura must find of a page that does not say that it is an article: else it is a list or a reference.
ALIKE = 1 / 3
_ENTRY = 25  #: letters; a shorter block must be a line of trafilatura's, a longer one is looked for within its text
_END = 40  #: letters at either end of a block that are looked for
#: Tools that make documentation, and wikis, as their pages name them.
_MANUALS = re.compile(
    "docutils|sphinx|doxygen|docbook|asciidoc|mkdocs|makeinfo|texi2any|mediawiki|rustdoc|javadoc|docusaurus|vitepress|gitbook"
)
_ARTICLE = re.compile(r'"@type"\s*:\s*\[?\s*"\w*(?:Article|BlogPosting)"')
_NO_LETTERS = re.compile(r"[\W_]+")


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
    if _MANUALS.search(said.get("generator", "")) or not (says_so or ours):
        return ours
    if not says_so and any(block.kind == "pre" or block.code for block in ours):
        return ours
    if found.truncated or found.deepest > DEEPEST or len(markup) > LONGEST or markup.count("<") > MOST_TAGS:
        return ours
    theirs = _found_by_trafilatura(markup, found)
    known, both, is_kept = set(map(id, theirs)), list[Block](), False
    for block in reversed(ours):
        is_kept = id(block) in known or (is_kept and block.kind in HEADINGS)  # a heading goes with what it stands above
        both[:0] = [block] * is_kept
    if _size(both) < SHARED * _size(theirs):
        both = theirs
    return both if _size(both) >= (1 if says_so else ALIKE * _size(ours)) else ours


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
        if letters in lines if len(letters) < _ENTRY else (letters[:_END] in whole or letters[-_END:] in whole):
            blocks.append(block)
    return blocks


def _letters(text: str) -> str:
    return _NO_LETTERS.sub("", text).lower()


def _size(blocks: Sequence[Block]) -> int:
    return sum(len(block.text) for block in blocks)
