"""What a page says that no page before it said: exact copies, near copies, pages with hardly a new phrase, stuffed pages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from zlib import crc32

import numpy as np
from numpy.typing import NDArray
from rensa import RMinHash

from focused.crawl.columns import Columns
from focused.crawl.key_index import KeyIndex
from focused.crawl.stuffing import is_stuffed
from focused.reading.page import Page
from focused.topic.topic import Traps

EXACT, NEAR = "exact copy", "near copy"  #: verdicts on a page, as the history has them
NOTHING_NEW, STUFFED, SOFT_404 = "nothing new", "keyword stuffing", "soft 404"
NEW = ""

HASHES = 64  #: of a signature: the standard error of a similarity of 0.8 is 0.05
BANDS = 16  #: of 4 hashes; two pages with a similarity of 0.8 share one with probability 0.9998
FEWEST_PHRASES = 12  #: a page of fewer is too short to be judged by its phrases
LONGEST = 5_000  #: terms of a page that are looked at
SAMPLED = 4  #: one phrase in so many is remembered
BITS = 25  #: log2 of the size of the memory of phrases: 4 MB, a third full after 200,000 pages

_FACTORS = np.array([0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F, 0xD6E8FEB86659FD93], np.uint64)


@dataclass(slots=True, frozen=True)
class Finding:
    """What came of comparing a page with all before it.

    verdict : NEW, or why the page brings nothing new
    original : id of the earlier page that it copies
    """

    verdict: str = NEW
    original: int | None = None


class Contents:
    """The pages of a crawl by what they say. A *phrase* is three terms in a row.

    Two pages are near copies if the Jaccard similarity of their sets of phrases, estimated by MinHash (Broder 1997), reaches
    ``near_copies``. A page brings nothing new if fewer than ``least_new`` of its phrases stood on no page before: so shuffled,
    scraped and templated texts are told from new ones, wherever they come from.
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
        self._seen = np.zeros(1 << (BITS - 3), np.uint8)
        self._remembered = 0

    def judge(self, url: int, page: Page) -> Finding:
        """Compare a page with all before it, and remember it."""
        content = int(page.content_hash[:15], 16)
        first = self._exact.setdefault(content, url)
        if first != url:
            return Finding(EXACT, first)
        phrases = phrases_of(page.terms)
        if len(phrases) < FEWEST_PHRASES:
            return Finding()
        original = self._near_copy(url, phrases)
        share = self._new_share(phrases)
        if original is not None:
            return Finding(NEAR, original)
        if self._options.stuffing and is_stuffed(page.terms, self._keywords):
            return Finding(STUFFED)
        return Finding(NOTHING_NEW) if share < self._options.least_new else Finding()

    def _near_copy(self, url: int, phrases: NDArray[np.uint64]) -> int | None:
        """The earlier page that a page is nearly a copy of."""
        if not self._options.near_copies:
            return None
        signature = signature_of(phrases)
        keys = np.ascontiguousarray(signature).view(np.int64) * np.int64(BANDS) + np.arange(BANDS)
        bands, _ = self._bands.intern(keys)
        self._rows.reach(len(self._bands))
        rows = np.unique(self._first[bands])
        rows = rows[rows > 0]
        row = self._count = self._count + 1  # row 0 is nobody's
        self._pages.reach(row + 1)
        self._page[row], self._signature[row] = url, signature
        free = bands[self._first[bands] == 0]
        self._first[free] = row
        if not len(rows):
            return None
        similar = (self._signature[rows] == signature).mean(axis=1)
        best = int(similar.argmax())
        return int(self._page[rows[best]]) if similar[best] >= self._options.near_copies else None

    def _new_share(self, phrases: NDArray[np.uint64]) -> float:
        """Share of phrases that stood on no page before, corrected for those that only share a place with one; then all stand."""
        places = (phrases >> np.uint64(64 - BITS)).astype(np.int64)
        sample = places[phrases % np.uint64(SAMPLED) == 0] if len(places) >= FEWEST_PHRASES * SAMPLED else places
        byte, bit = sample >> 3, (1 << (sample & 7)).astype(np.uint8)
        known = (self._seen[byte] & bit) != 0
        full = self._remembered / (1 << BITS)
        np.bitwise_or.at(self._seen, byte, bit)
        self._remembered += int(len(known) - known.sum())
        return min(1.0, float(1 - known.mean()) / max(1 - full, 0.01)) if len(known) else 1.0

    def snapshot(self) -> dict[str, Any]:
        filled = np.flatnonzero(self._seen)
        sparse = len(filled) * 5 < len(self._seen)
        return {
            "exact_keys": np.array(list(self._exact), np.int64),
            "exact_ids": np.array(list(self._exact.values()), np.int64),
            "pages": self._pages.snapshot(self._count + 1),
            "seen_places": filled.astype(np.int32) if sparse else np.empty(0, np.int32),
            "seen": self._seen[filled] if sparse else self._seen.copy(),
            "remembered": self._remembered,
        }

    def restore(self, state: Mapping[str, Any]) -> None:
        self._exact = dict(zip(state["exact_keys"].tolist(), state["exact_ids"].tolist(), strict=True))
        self._pages.restore(state["pages"])
        self._count = len(state["pages"]["page"]) - 1
        self._remembered = state["remembered"]
        places = state["seen_places"] if len(state["seen"]) < len(self._seen) else slice(None)
        self._seen[places] = state["seen"]
        signatures = np.ascontiguousarray(self._signature[1 : self._count + 1])
        keys = signatures.view(np.int64) * np.int64(BANDS) + np.arange(BANDS)
        for row, bands in enumerate(keys, 1):
            ids, _ = self._bands.intern(bands)
            self._rows.reach(len(self._bands))
            free = ids[self._first[ids] == 0]
            self._first[free] = row


def phrases_of(terms: Sequence[str]) -> NDArray[np.uint64]:
    """The phrases of a text as 64-bit hashes, each once, in ascending order."""
    count = min(len(terms), LONGEST)
    if count < len(_FACTORS):
        return np.empty(0, np.uint64)
    numbers = np.fromiter((crc32(term.encode(errors="surrogatepass")) + 1 for term in terms[:count]), np.uint64, count)
    with np.errstate(over="ignore"):
        mixed = numbers[:-2] * _FACTORS[0] ^ numbers[1:-1] * _FACTORS[1] ^ numbers[2:] * _FACTORS[2]
        mixed ^= mixed >> np.uint64(29)
        mixed *= _FACTORS[1]
    return np.unique(mixed)


def signature_of(phrases: NDArray[np.uint64]) -> NDArray[np.uint16]:
    """The MinHash signature (HASHES,) of a set of phrases: two sets agree in as large a share of it as they have in common."""
    rows = RMinHash.digest_matrix_from_token_hash_sets([phrases], HASHES, 1).to_rows()
    return np.array(rows[0], np.uint32).astype(np.uint16)
