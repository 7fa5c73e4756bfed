"""Articles, of newspapers and blogs: who says so, and which of their blocks trafilatura (Barbaresi 2021) takes for the text."""

from __future__ import annotations

import logging
import re
from collections.abc import Sequence

from focused.reading.block_parts import SENTENCE, Block, Blocks

# trafilatura walks trees by recursion, and takes 10 ms for 50 kB.
LONGEST = 1_000_000  #: characters that it is given
DEEPEST = 200  #: open elements
PROSE = 0.5  #: share of an article that stands in paragraphs of sentences
SHARED = 0.5  #: share of trafilatura's text that ours must hold: else ours is not to be trusted
_ENTRY = 25  #: letters; a shorter block must be a line of trafilatura's, longer ones are found within its text
_END = 40  #: letters of a block at either end by which it is found
_MANUALS = re.compile(
    "docutils|sphinx|doxygen|docbook|asciidoc|mkdocs|makeinfo|texi2any|mediawiki|rustdoc|javadoc|docusaurus|vitepress|hexo-doc|gitbook"
)
_ARTICLE = re.compile(r'"@type"\s*:\s*\[?\s*"(?:\w*Article|BlogPosting|LiveBlogPosting)"')
_NO_LETTERS = re.compile(r"[\W_]+")


def is_article(found: Blocks, ours: Sequence[Block]) -> bool:
    """Whether a page has the form of an article: by its own words, or because it is prose without code.

    What a tool for documentation made is none, whatever it says.

    ours : blocks of the page that our rules take for its text
    """
    said = {
        (attributes.get("property") or attributes.get("name") or "").lower(): attributes.get("content", "").lower()
        for attributes in found.metas
    }
    if _MANUALS.search(said.get("generator", "")):
        return False
    if said.get("og:type") == "article" or "article:published_time" in said or any(map(_ARTICLE.search, found.scripts)):
        return True
    if any(block.kind == "pre" or block.code for block in ours):
        return False
    prose = (block for block in ours if block.kind == "p" and not block.markers and not block.cell)
    sentences = sum(len(block.text) for block in prose if len(block.text) - block.linked >= SENTENCE)
    return sentences >= PROSE * sum(len(block.text) for block in ours)


def both_find(markup: str, found: Blocks, ours: list[Block]) -> list[Block]:
    """The blocks that our rules and trafilatura take for the text; ours or trafilatura's where these hardly meet."""
    if found.truncated or found.deepest > DEEPEST or len(markup) > LONGEST:
        return ours
    text = _text_by_trafilatura(markup)
    lines, whole = set(map(_letters, text.split("\n"))), _letters(text)
    theirs = []
    for block in found.blocks:
        letters = _letters(block.text)
        if len(letters) < _ENTRY:
            found_too = letters in lines and letters != ""
        else:
            found_too = letters[:_END] in whole or letters[-_END:] in whole
        theirs += [block] if found_too else []
    known = set(map(id, theirs))
    both = [block for block in ours if id(block) in known]
    return both if _size(both) >= SHARED * _size(theirs) > 0 else theirs or ours


def _text_by_trafilatura(markup: str) -> str:
    import trafilatura  # it takes half a second, and only articles need it

    logging.getLogger("trafilatura").setLevel(logging.CRITICAL)  # it warns about every page without text
    try:
        return trafilatura.extract(markup, include_comments=False, fast=True) or ""
    except Exception:  # whatever a page makes it do, the text is had without it
        return ""


def _letters(text: str) -> str:
    return _NO_LETTERS.sub("", text).lower()


def _size(blocks: Sequence[Block]) -> int:
    return sum(len(block.text) for block in blocks)
