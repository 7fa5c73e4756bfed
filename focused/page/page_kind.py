"""What kind of page it is: one that says something, or one that only leads to others, or hardly says a word.

All that counts is the form: which words stand in no link, in which blocks they stand, and whether they belong to entries of lists
of links. No word, no host and no title is looked at.

- A *block* is what a browser shows on lines of its own: a paragraph, a heading, an item, a cell.
- An *own word* is a term in no link and not in the title that does not begin with a digit, as dates and sizes do.
- A *list* is four or more links to different pages with the same tags around them.
- An *entry* is a link of a list, with the own words up to the next link of that list.
- The *own text* of a page is its own words that are in no entry, and in no menu, header, footer or aside around the text. One that
  holds most of the page is none.

A site repeats text on all its pages, in whatever elements: addresses, notices on cookies, a word on the author. One page does not
tell; the crawl, which knows another page of the site, looks once more (see `SiteText`).
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import compress
from typing import NamedTuple
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from focused.page.html import HtmlDocument, HtmlLink

SPEAKS = ""  #: it says something itself
INDEX = "index"  #: such as directories, tables of contents, menus
LISTING = "listing"  #: such as archives, pages of a tag, results of a search
STUB = "stub"  #: such as "moved", "not found", "nothing here yet", "please log in"
#: The kinds, and what a person is told of each.
KINDS = {
    INDEX: "lists of links and hardly a word besides",
    LISTING: "lists of links with a few words each",
    STUB: "hardly a word of its own",
}
UNKNOWN = "a kind that this release does not know"

#: Words of own text that a page needs to say something. Stop words are no terms, so that is some 50 words of English.
FEWEST_WORDS = 30
FEWEST_BEHIND_LOGIN = 60  #: where a password is asked for: how to get an account says nothing of the topic
FEWEST_ENTRIES = 4  #: links of a list
LONGEST_ENTRY = 40  #: own words; what is longer is text with a link before it
SHORT = 3  #: own words that any entry may have, also one in the middle of a block: a date, a size, an author
TELLING = 2  #: own words of the median entry from which on a list is a listing
EDGE = 16  #: blocks at either end of an own text in which a site may repeat itself
_Counts = NDArray[np.int64]
_Flags = NDArray[np.bool_]


def meaning_of(kind: str) -> str:
    """What a person is told of a kind, also of one that a newer release has written."""
    return KINDS.get(kind, UNKNOWN)


class OwnText(NamedTuple):
    """What a page says itself.

    kind : SPEAKS, or one of `KINDS`
    otherwise : one of `KINDS`, what it is if all of its own text also stands on other pages of its site
    blocks : for each block with own text, in page order, a hash of its words in 32 bits, never 0, and how many of them are own
        text; those that are more than EDGE blocks away from either end are one block without a hash (0)
    """

    kind: str
    otherwise: str
    blocks: list[tuple[int, int]]


def own_text(document: HtmlDocument) -> OwnText:
    """It goes by the terms of the topic's language.

    A page whose words it cannot tell apart, as English cannot those of a Chinese page, may seem to be a stub; it has no relevance
    then either.
    """
    count = len(document.terms)
    links = [link for link in document.links if _page_of(link)]
    spans = [(link.anchor_start, link.anchor_end) for link in document.links]
    own = _words(document.terms) & ~_covered(spans, count)
    own[slice(*document.title_span)] = False
    begins = np.unique([0, *document.blocks, document.title_span[1]])
    begins = begins[begins < count]
    in_entries, has_listing = _entries(links, own, frozenset(begins.tolist()))
    believed = [(start, end) for start, end in document.around if 2 * (end - start) <= count]
    around = _covered(believed, count)
    said = own & ~around
    own = said & ~in_entries
    places = np.append(around, False)
    elsewhere = {_page_of(link) for link in links if not places[link.anchor_start]}
    otherwise = (LISTING if has_listing else INDEX) if len(elsewhere) >= FEWEST_ENTRIES else STUB
    words = int(np.count_nonzero(own))
    if document.asks_password:
        otherwise = STUB
        words -= FEWEST_BEHIND_LOGIN - FEWEST_WORDS
    return OwnText(
        SPEAKS if words >= FEWEST_WORDS else otherwise, otherwise, _blocks(document.terms, said, own, begins)
    )


def _blocks(terms: Sequence[str], said: _Flags, own: _Flags, begins: _Counts) -> list[tuple[int, int]]:
    """What `OwnText.blocks` holds.

    The hash is of all words that are ``said``: what the last entry of a list takes of the next block differs by page.
    """
    if not own.any():
        return []
    words = np.add.reduceat(own.astype(np.int64), begins)
    ends = np.append(begins[1:], len(terms))
    held = np.flatnonzero(words)
    inner = held[EDGE:-EDGE]
    outer = (*held[:EDGE], *held[max(EDGE, len(held) - EDGE) :])
    spans = [(int(begins[block]), int(ends[block])) for block in outer]
    texts = (" ".join(compress(terms[start:end], said[start:end])) for start, end in spans)
    hashes = [crc32(text.encode(errors="surrogatepass")) or 1 for text in texts]
    blocks = list(zip(hashes, words[list(outer)].tolist(), strict=True))
    if len(inner):
        blocks.insert(EDGE, (0, int(words[inner].sum())))
    return blocks


def _words(terms: Sequence[str]) -> _Flags:
    """(t,) which terms do not begin with a digit."""
    first = np.frombuffer("".join([term[0] for term in terms]).encode("utf-32-le", "surrogatepass"), np.uint32)
    return (first < ord("0")) | (first > ord("9"))


def _covered(spans: Sequence[tuple[int, int]] | _Counts, count: int) -> _Flags:
    """(t,) which places are in one of (n, 2) half-open intervals."""
    starts, ends = np.asarray(spans, np.int64).reshape(-1, 2).T
    depth = np.bincount(starts, minlength=count + 1) - np.bincount(ends, minlength=count + 1)
    inside: _Flags = np.cumsum(depth)[:count] > 0
    return inside


def _entries(links: Sequence[HtmlLink], own: _Flags, begins: frozenset[int]) -> tuple[_Flags, bool]:
    """(t,) which terms are own words of entries, and whether there is a list whose entries have more than a word.

    An entry that is longer than LONGEST_ENTRY, or three times the median of its list, is none: what stands between the last link
    of a menu above the text and the first of one below it is the text.
    """
    links, of_list = _in_lists(links)
    if not links:
        return np.zeros(len(own), np.bool_), False
    words_before = np.concatenate([[0], np.cumsum(own)])
    start = np.array([link.anchor_end for link in links])
    end = np.append(start[1:], 0)
    length = np.append(np.diff(words_before[start]), 0)
    is_last = np.append(np.diff(of_list) > 0, True)  # where its entry ends nobody knows: it is as long as the usual one
    usual = _medians(of_list[~is_last], length[~is_last])[of_list]
    leads = np.array([link.anchor_start in begins for link in links])  # its block
    most = np.where(leads, np.clip(3 * usual, SHORT, LONGEST_ENTRY), SHORT)
    length[is_last] = np.minimum(usual, most)[is_last]
    end[is_last] = np.searchsorted(words_before, words_before[start] + length)[is_last].clip(max=len(own))
    is_entry = length <= most
    is_telling = bool(np.count_nonzero(is_entry & leads & (usual >= TELLING)) >= FEWEST_ENTRIES)
    return own & _covered(np.column_stack((start, end))[is_entry], len(own)), is_telling


def _in_lists(links: Sequence[HtmlLink]) -> tuple[list[HtmlLink], _Counts]:
    """The links of lists, one list after the other, and the number of the list of each."""
    alike: dict[str, list[HtmlLink]] = {}
    for link in links:
        if link.anchor_end > link.anchor_start:
            alike.setdefault(link.tag_path, []).append(link)
    lists = [some for some in alike.values() if len({_page_of(link) for link in some}) >= FEWEST_ENTRIES]
    return [link for some in lists for link in some], np.repeat(np.arange(len(lists)), [len(some) for some in lists])


def _page_of(link: HtmlLink) -> str:
    return link.href.partition("#")[0]


def _medians(of_list: _Counts, length: _Counts) -> _Counts:
    """The lower median of the lengths of each list; every list has some."""
    in_order = length[np.lexsort((length, of_list))]
    sizes = np.bincount(of_list)
    medians: _Counts = in_order[np.cumsum(sizes) - sizes + (sizes - 1) // 2]
    return medians
