"""What kind of page it is: one that says something, or one that only leads to others, or hardly says a word.

All that counts is the form: which words stand in no link, in which blocks they stand, and whether they belong to entries of lists
of links. No word, no host and no title is looked at.

- A *block* is what a browser shows on lines of its own: a paragraph, a heading, an item, a cell.
- An *own word* is a term in no link and not in the title that does not begin with a digit, as dates and sizes do.
- A *list* is four or more links to different pages with the same tags around them.
- An *entry* is a link of a list, with the own words up to the next link of that list.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from focused.reading.html import HtmlDocument, HtmlLink

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

FEWEST_WORDS = (
    20  #: own words outside of entries that a page needs to say something; stop words do not count, so that is 35 words
)
SENTENCE = 12  #: of them in one block also do
FEWEST_BEHIND_LOGIN = (
    60  #: that a page needs where it asks for a password: how to get an account says nothing of the topic
)
FEWEST_ENTRIES = 4  #: links of a list
LONGEST_ENTRY = 40  #: own words; what is longer is text with a link before it
SHORT = 3  #: own words that any entry may have, also one in the middle of a block: a date, a size, an author
TELLING = 2  #: own words of the median entry from which on a list is a listing
#: Elements that hold what all pages of a site share.
_AROUND = frozenset(("nav", "header", "footer", "aside"))
_Counts = NDArray[np.int64]
_Flags = NDArray[np.bool_]


def kind_of(document: HtmlDocument) -> str:
    """SPEAKS, or one of `KINDS`.

    It goes by the terms of the topic's language. A page whose words it cannot tell apart, as English cannot those of a Chinese
    page, may seem to be a stub; it has no relevance then either.
    """
    count = len(document.terms)
    links = [link for link in document.links if not link.href.startswith("#")]
    own = _words(document.terms) & ~_inside(document.links, count)
    own[slice(*document.title_span)] = False
    begins = np.unique([0, *document.blocks, document.title_span[1]])
    begins = begins[begins < count]
    in_entries, has_listing = _entries(links, own, frozenset(begins.tolist()))
    rest = own & ~in_entries
    words = int(np.count_nonzero(rest))
    longest = int(np.add.reduceat(rest.astype(np.int64), begins).max()) if count else 0
    if document.asks_password and words < FEWEST_BEHIND_LOGIN:
        return STUB
    if words >= FEWEST_WORDS or longest >= SENTENCE:
        return SPEAKS
    if len({link.href for link in links if _AROUND.isdisjoint(link.tag_path.split("/"))}) < FEWEST_ENTRIES:
        return STUB
    return LISTING if has_listing else INDEX


def _words(terms: Sequence[str]) -> _Flags:
    """(t,) which terms do not begin with a digit."""
    first = np.frombuffer("".join([term[0] for term in terms]).encode("utf-32-le", "surrogatepass"), np.uint32)
    return (first < ord("0")) | (first > ord("9"))


def _inside(links: Sequence[HtmlLink], count: int) -> _Flags:
    """(t,) which terms are in a link."""
    return _covered([link.anchor_start for link in links], [link.anchor_end for link in links], count)


def _covered(starts: Sequence[int] | _Counts, ends: Sequence[int] | _Counts, count: int) -> _Flags:
    """(t,) which places are in one of the half-open intervals."""
    depth = np.bincount(np.asarray(starts, np.int64), minlength=count + 1)
    depth -= np.bincount(np.asarray(ends, np.int64), minlength=count + 1)
    inside: _Flags = np.cumsum(depth)[:count] > 0
    return inside


def _entries(links: Sequence[HtmlLink], own: _Flags, begins: frozenset[int]) -> tuple[_Flags, bool]:
    """(t,) which terms are own words of entries, and whether a list has entries of more than a word or two.

    An entry that is longer than LONGEST_ENTRY, or three times the median of its list, is none: what stands between the last link
    of a menu above the text and the first of one below it is the text.
    """
    none: _Flags = np.zeros(len(own), np.bool_)
    links = [link for link in links if link.anchor_end > link.anchor_start]
    lists: dict[str, int] = {}
    pages: dict[str, int] = {}
    of_list = np.array([lists.setdefault(link.tag_path, len(lists)) for link in links], np.int64)
    page = np.array([pages.setdefault(link.href.partition("#")[0], len(pages)) for link in links], np.int64)
    pairs = np.unique(of_list * (len(pages) + 1) + page)
    different = np.bincount(pairs // (len(pages) + 1), minlength=len(lists))
    order = np.argsort(of_list, kind="stable")
    order = order[different[of_list[order]] >= FEWEST_ENTRIES]
    if not len(order):
        return none, False
    of_list = of_list[order]
    start = np.array([link.anchor_end for link in links], np.int64)[order]
    is_block = np.array([link.anchor_start in begins for link in links], np.bool_)[order]
    words_before = np.concatenate([[0], np.cumsum(own)])
    last = np.append(of_list[1:] != of_list[:-1], True)  # where it ends nobody knows: as long as the median of its list
    length = np.append(words_before[start[1:]] - words_before[start[:-1]], 0)
    usual = _medians(of_list[~last], length[~last], len(lists))[of_list]
    most = np.where(is_block, np.minimum(LONGEST_ENTRY, np.maximum(SHORT, 3 * usual)), SHORT)
    length[last] = np.minimum(usual, most)[last]
    end = np.where(last, np.searchsorted(words_before, words_before[start] + length), np.append(start[1:], 0))
    is_entry = (length <= most) & (end > start)
    end = np.minimum(end, len(own))
    telling = is_entry & is_block & (usual >= TELLING)
    return own & _covered(start[is_entry], end[is_entry], len(own)), bool(np.count_nonzero(telling) >= FEWEST_ENTRIES)


def _medians(group: _Counts, values: _Counts, count: int) -> _Counts:
    """(count,) the lower median of the values of each group; 0 of one without values."""
    order = np.lexsort((values, group))
    sizes = np.bincount(group, minlength=count)
    firsts = np.cumsum(sizes) - sizes
    found = np.zeros(count, np.int64)
    some = sizes > 0
    found[some] = values[order][firsts[some] + (sizes[some] - 1) // 2]
    return found
