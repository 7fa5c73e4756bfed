"""What a page says that no earlier page said. Finds exact copies, near copies, pages with hardly a new phrase, stuffed pages."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, replace
from itertools import groupby
from math import sqrt
from typing import Any
from zlib import crc32

import numpy as np
from numpy.typing import NDArray
from rensa import RMinHash

from focused.crawl.arrays import IntArray
from focused.crawl.columns import Columns
from focused.crawl.hosts import Hosts
from focused.crawl.key_index import KeyIndex
from focused.crawl.phrase_memory import PhraseMemory
from focused.crawl.sparse_array import SparseArray
from focused.crawl.url_forms import domain_of
from focused.page.page import Page
from focused.page.page_kind import EDGE
from focused.topic.topic import Traps

EXACT, NEAR = "exact copy", "near copy"  #: verdicts on a page, as the history has them
COPIED, NOTHING_NEW = "copied text", "nothing new"
COPIES = (EXACT, NEAR, COPIED)  #: verdicts on pages whose text other pages of the crawl have as well
STUFFED, SOFT_404 = "keyword stuffing", "soft 404"
NEW = ""

HASHES = 64  #: of a signature: the standard error of a similarity of 0.8 is 0.05
BANDS = 16  #: of 4 hashes; two pages with a similarity of 0.8 share one with probability 0.9998
FEWEST_PHRASES = 12  #: a page of fewer is too short to be judged by its phrases
LONGEST = 5_000  #: terms of a page that are looked at
MOST_REMEMBERED = 50_000  #: terms whose numbers are remembered, about 5 MB; then forgotten all at once
FEW = 20  #: new phrases of a page whose worth is 0; half as many more make it 1
_FACTORS = np.array([0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F, 0xD6E8FEB86659FD93], np.uint64)
_HAS_DIGITS = np.uint64(1 << 40)
FEWEST_TERMS = 30  #: a shorter page is not judged: a list of links may well repeat one word
#: A text of n terms has this many times the square root of n distinct ones at least. Of 2,500 pages of Wikispeedia the poorest
#: had 4.2 times, of 6,400 of WebKB one in a thousand fewer than 2.8, of 7,000 of the documentation web one in 200 fewer than 1.9.
LEAST_VARIETY = 1.5
MOST_KEYWORDS = 0.35  #: share of the topic's keywords among all terms of running text
LONGEST_ENTRY = 12  #: terms of a link that is an entry of a list; longer ones are text
MOST_IDLE = 0.2  #: share of the mentions in a list that say nothing of their own
SLOTS = 1 << 23  #: words that can be told apart: 8 MB when all have come
TWICE = 2


@dataclass(slots=True, frozen=True)
class Finding:
    """What came of comparing a page with all before it.

    verdict : NEW, or why the page brings nothing new
    original : id of the earlier page that it copies
    worth : what it brings, from -2 for a page that is made to deceive, over -1 for one without a new phrase, to 1
    blamed : the domain that copies from many, where the crawl fetched its copy before the original
    words : how many of its words were new: see `KnownWords`
    new : share of its phrases that no earlier page had; 1 if it was not measured
    """

    verdict: str = NEW
    original: int | None = None
    worth: float = 1.0
    blamed: str = ""
    words: float = 0.0
    new: float = 1.0


class Contents:
    """The pages of a crawl by what they say. A *phrase* is three terms in a row.

    Two pages are near copies if the Jaccard similarity of their sets of phrases, estimated by MinHash (Broder 1997), reaches
    ``near_copies``. But a page with a passage of its own is no near copy: menus make short pages of one site alike. A page is
    copied if earlier pages of other domains had many of its phrases. It brings nothing new if the share of its new phrases is
    below ``least_new`` and their number below `FEW`. So the crawl tells scraped, shuffled and templated texts from new ones,
    whatever site they come from.
    """

    def __init__(self, options: Traps, keywords: Mapping[str, int]) -> None:
        self._options, self._keywords = options, frozenset(keywords)
        self._exact: dict[int, int] = {}  # 64 bits of the content hash -> id of the first page that had it
        self._bands = KeyIndex()
        self._rows = Columns()
        self._first = self._rows.add("first", np.int32)  # by band: row of the first page that had it
        self._pages = Columns()
        self._page = self._pages.add("page", np.int32)  # by row: id of the URL
        self._signature = self._pages.add("signature", np.uint16, shape=(HASHES,))
        self._count = 0
        self._phrases, self._words = PhraseMemory(), KnownWords()

    def judge(self, url: int, page: Page) -> Finding:
        """Compare a page with all before it, and remember it."""
        options, content = self._options, int(page.content_hash[:15], 16)
        first = self._exact.setdefault(content, url)
        if first != url:
            return Finding(EXACT, first, -1.5)
        if not options.on:
            return Finding(worth=0.0)
        text = phrases_in_order(page.terms)
        phrases = np.unique(text)
        if len(phrases) < FEWEST_PHRASES:  # too few to compare, but it may be stuffed
            return Finding(STUFFED, worth=-2.0) if self.is_stuffed(page) else Finding(worth=0.0)
        original = self._near_copy(url, phrases)
        domain = domain_of(page.host)
        known = self._phrases.add(text, phrases, domain)
        new_words = self._words.add(words_of(page)) if options.turns else 0.0
        if self.is_stuffed(page):
            return Finding(STUFFED, worth=-2.0)
        if options.near_copies and known.is_copied:
            copier = self._phrases.pair(domain, known.other)
            return Finding(COPIED, original, 0.0, copier) if copier else Finding(COPIED, original, -1.5)
        if original is not None and not known.has_passage:
            return Finding(NEAR, original, -1.0)
        count = known.new * len(phrases)
        if known.new < options.least_new and count < FEW:
            return Finding(NOTHING_NEW, worth=-1.0, new=known.new)
        return Finding(worth=min(1.0, max(-1.0, 2 * count / FEW - 2)), words=new_words, new=known.new)

    def is_stuffed(self, page: Page) -> bool:
        """Whether a page repeats words more than a text for readers does."""
        spans = [(link.anchor_start, link.anchor_end) for link in page.links]
        return self._options.stuffing and is_stuffed(page.terms, self._keywords, spans)

    def _near_copy(self, url: int, phrases: NDArray[np.uint64]) -> int | None:
        """The earlier page of which a page is a near copy; None without one."""
        if not self._options.near_copies:
            return None
        signature = signature_of(phrases)
        row = self._count = self._count + 1  # row 0 means no page
        self._pages.reach(row + 1)
        self._page[row], self._signature[row] = url, signature
        rows = self._enter(row)
        if not len(rows):
            return None
        similar = (self._signature[rows] == signature).mean(axis=1)
        best = int(similar.argmax())
        return int(self._page[rows[best]]) if similar[best] >= self._options.near_copies else None

    def _enter(self, row: int) -> IntArray:
        """Register the bands of a page's signature; return the rows of the earlier pages that had one of them first."""
        bands, _ = self._bands.intern(bands_of(self._signature[row]))
        self._rows.reach(len(self._bands))
        first = self._first[bands]
        self._first[bands[first == 0]] = row
        return np.unique(first[first > 0])

    def snapshot(self) -> dict[str, Any]:
        return {
            "exact_keys": np.array(list(self._exact), np.int64),
            "exact_ids": np.array(list(self._exact.values()), np.int64),
            "pages": self._pages.snapshot(self._count + 1),
            "phrases": self._phrases.snapshot(),
            "words": self._words.snapshot(),
        }

    def restore(self, state: Mapping[str, Any]) -> None:
        self._exact = dict(zip(state["exact_keys"].tolist(), state["exact_ids"].tolist(), strict=True))
        self._pages.restore(state["pages"])
        self._phrases.restore(state["phrases"])
        self._words.restore(state["words"])
        self._count = len(state["pages"]["page"]) - 1
        for row in range(1, self._count + 1):
            self._enter(row)


def bands_of(signature: NDArray[np.uint16]) -> IntArray:
    """The bands (BANDS,) of a signature as keys: pages that share one may be near copies."""
    return np.ascontiguousarray(signature).view(np.int64) * np.int64(BANDS) + np.arange(BANDS)


def phrases_of(terms: Sequence[str]) -> NDArray[np.uint64]:
    """The phrases of a text as 64-bit hashes, each once, in ascending order."""
    return np.unique(phrases_in_order(terms))


def phrases_in_order(terms: Sequence[str]) -> NDArray[np.uint64]:
    """The phrases of a text as 64-bit hashes."""
    count = min(len(terms), LONGEST)
    if count < len(_FACTORS):
        return np.empty(0, np.uint64)
    numbers = _numbers(terms[:count]) % _HAS_DIGITS
    with np.errstate(over="ignore"):
        mixed = numbers[:-2] * _FACTORS[0] ^ numbers[1:-1] * _FACTORS[1] ^ numbers[2:] * _FACTORS[2]
        mixed ^= mixed >> np.uint64(29)
        mixed *= _FACTORS[1]
    return np.asarray(mixed, np.uint64)


def words_of(page: Page) -> NDArray[np.uint64]:
    """The words of a page as 64-bit hashes, each once; without words in links, and without digits: numbers are easily made up."""
    numbers = _numbers(page.terms[:LONGEST])
    counts = numbers < _HAS_DIGITS
    for link in page.links:
        counts[link.anchor_start : link.anchor_end] = False
    words = np.unique(numbers[counts])
    with np.errstate(over="ignore"):
        words *= _FACTORS[0]
        words ^= words >> np.uint64(29)
        words *= _FACTORS[2]
    return words


class _Numbers(dict[str, int]):
    """A number of each term, above `_HAS_DIGITS` if it is no word. Terms come back: to look one up takes an eighth of the time."""

    def __missing__(self, term: str) -> int:
        if len(self) == MOST_REMEMBERED:
            self.clear()
        self[term] = number = (
            crc32(term.encode(errors="surrogatepass")) + 1 + (0 if term.isalpha() else int(_HAS_DIGITS))
        )
        return number


_remembered = _Numbers()


def _numbers(terms: Sequence[str]) -> NDArray[np.uint64]:
    """(n,) the number of each term, the same in every process."""
    return np.fromiter(map(_remembered.__getitem__, terms), np.uint64, len(terms))


def signature_of(phrases: NDArray[np.uint64]) -> NDArray[np.uint16]:
    """The MinHash signature (HASHES,) of a set of phrases: the share in which two agree estimates the sets' Jaccard similarity."""
    # One row at a time, by the one call of the library that starts no threads.
    rows = RMinHash.digest_matrix_from_flat_token_hashes(phrases, np.array([0, len(phrases)], np.uint64), HASHES, 1)
    return np.array(rows.to_rows()[0], np.uint32).astype(np.uint16)


def is_stuffed(terms: Sequence[str], keywords: Set[str], links: Sequence[tuple[int, int]] = ()) -> bool:
    """Whether a text is stuffed with words.

    keywords : of the topic, as terms
    links : spans of the terms of links

    Prose is stuffed, not a list: links of a few words may well name the topic each, and so may the rows of a table.

    Source: ours, after the features of Ntoulas et al. (2006), "Detecting spam web pages through content analysis": the share of
    popular words, and redundancy.
    """
    count = len(terms)
    if count < FEWEST_TERMS:
        return False
    if len(set(terms)) < LEAST_VARIETY * sqrt(count):
        return not is_list(terms, {Counter(terms).most_common(1)[0][0]})
    named = sum(map(keywords.__contains__, terms))
    if named <= MOST_KEYWORDS * max(FEWEST_TERMS, count - sum(end - start for start, end in links)):
        return False
    prose = [*terms]
    for start, end in links:
        names = [term for term in terms[start:end] if term in keywords]
        if end - start <= LONGEST_ENTRY and len(names) == len(set(names)):
            prose[start:end] = [""] * (end - start)
    prose = [*filter(None, prose)]
    named = sum(map(keywords.__contains__, prose))
    return len(prose) >= FEWEST_TERMS and named > MOST_KEYWORDS * len(prose) and not is_list(prose, keywords)


def is_list(terms: Sequence[str], names: Set[str]) -> bool:
    """Whether a text is the rows of a list or table that mention the same ``names``: each says something of its own.

    That is a word that no row before had, or a number with a word in a way that is new. Numbers alone are easily made up.
    """
    known: set[str | tuple[str, ...]] = set()
    mentions = idle = 0
    for is_name, group in groupby(terms, names.__contains__):
        said = tuple(group)
        if is_name:
            mentions += 1
            idle += len(set(said)) < len(said)
            continue
        words = {word for word in said if word.isalpha()}
        news = words if len(words) == len(said) else {said} if words else set()
        idle += known.issuperset(news)
        known |= words | news
    return mentions > 0 and idle <= MOST_IDLE * mentions


class KnownWords:
    """Counts the pages of each word, in one byte a word.

    A word that a program makes up is on one page and on no other; the words of a language and of a subject come back. So a word
    counts as new on the *second* page that has it.
    """

    def __init__(self) -> None:
        self._pages = SparseArray(SLOTS, np.uint8)  # by word: pages that had it, up to TWICE
        self._filled = 0

    def add(self, words: NDArray[np.uint64]) -> float:
        """Remember the words of a page, each once; return how many of them come back for the first time, about."""
        slots = np.unique((words >> np.uint64(41)).astype(np.int64))
        known = self._pages.take(slots)
        seldom = known < TWICE
        self._pages.put(slots[seldom], known[seldom] + 1)
        self._filled += int(np.count_nonzero(known == 0))
        return float(np.count_nonzero(known == 1)) * max(0.0, 1.0 - self._filled / SLOTS)

    def snapshot(self) -> dict[str, Any]:
        slots = self._pages.nonzero()
        return {"slots": slots.astype(np.int32), "pages": self._pages.take(slots)}

    def restore(self, state: Mapping[str, Any]) -> None:
        self._pages.put(state["slots"], state["pages"])
        self._filled = len(state["slots"])


#: Words of own text that a page must have beside what its host repeats. 20 would cost good pages of references: they repeat
#: sentences of their neighbours.
FEWEST_NEW = 16


class SiteText:
    """What the last page of each host said, by the hashes of its blocks: 128 bytes a host.

    Addresses, notices on cookies and words on the author come on page after page, in whatever elements. No page is compared with
    itself.
    """

    def __init__(self, hosts: Hosts) -> None:
        self._last = hosts.columns.add("site_text", np.uint32, shape=(2 * EDGE,))  # 0: no block
        self._of = hosts.columns.add("site_text.of", np.int32, -1)  # id of the URL of that page

    def judged(self, url: int, host: int, page: Page) -> Page:
        """The page; with the kind ``page.otherwise`` if it says nothing that the last page of its host did not say.

        url : id of its own URL
        """
        if not page.own:
            return page
        before = set(self._last[host].tolist()) if self._of[host] != url else ()
        hashes = [block for block, _ in page.own if block]
        self._last[host], self._of[host] = hashes + [0] * (2 * EDGE - len(hashes)), url
        new = sum(words for block, words in page.own if not block or block not in before)
        return page if page.kind or new >= FEWEST_NEW else replace(page, kind=page.otherwise)
