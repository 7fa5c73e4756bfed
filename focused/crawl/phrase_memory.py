"""Remembers phrases and the domain that had each of them first, to tell which domain copies from which."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from focused.crawl.arrays import IntArray
from focused.crawl.sparse_array import SparseArray

BITS = 24  #: of the number of a phrase: 34 MB when all have come
#: Share of taken slots from which on the memory looks at every second phrase only, and the further share for each next halving.
#: Each step lasts twice as many phrases as the one before, some 10,000 pages the first and 80,000 the fourth.
FIRST_HALVING, NEXT_HALVING = 0.25, 0.125
#: Phrases in a row, and the share of them that must be new, to make a passage of the page's own. Where menus make pages alike,
#: the main text is such a passage (measured by `copies.py` of the laboratory, last at commit 8fb8e52).
PASSAGE, NEW_IN_PASSAGE = 20, 0.8
COPIED_FROM = 0.78  #: a page is copied if other domains had this share of its phrases before


class KnownPhrases(NamedTuple):
    """Which phrases of a page were known.

    new : share that no earlier page had
    foreign : share that other domains had before
    other : number of the domain that had most of these; 0 for none
    has_passage : many new phrases follow each other
    """

    new: float
    foreign: float
    other: int
    has_passage: bool

    @property
    def is_copied(self) -> bool:
        return self.foreign >= COPIED_FROM


class PhraseMemory:
    """Two bytes a phrase: the number of the domain that had it first.

    When the memory fills up, it looks only at every second, every fourth, ... phrase: its size stays the same, and its estimates of
    shares get less exact.

    bits : of the number of a phrase
    """

    def __init__(self, bits: int = BITS) -> None:
        self._size, self._shift = 1 << bits, np.uint64(64 - bits)
        self._domains = SparseArray(self._size, np.uint16)  # 0: no phrase
        self._filled = 0
        self._every = 1
        self._names: dict[int, str] = {}
        self._partners: dict[int, dict[int, None]] = {}  # by domain: those that have pages in common with it

    def add(self, text: NDArray[np.uint64], phrases: NDArray[np.uint64], domain: str) -> KnownPhrases:
        """Remember the phrases of a page of a domain; return which of them were known.

        text, phrases : the same ones, in the order of the page, and each once
        """
        own, full = self._number(domain), self._filled / self._size
        in_order = self._slots(text)
        if not len(in_order):
            return KnownPhrases(1.0, 0.0, 0, has_passage=False)
        has_passage = self._has_passage(in_order)
        slots = self._slots(phrases)
        known = self._domains.take(slots)
        fresh = known == 0
        self._domains.put(slots[fresh], own)
        self._filled += int(np.count_nonzero(fresh))
        halvings = self._every.bit_length() - 1
        if self._filled > self._size * (FIRST_HALVING + NEXT_HALVING * halvings):
            self._every *= 2
        new = min(1.0, float(fresh.mean()) / max(1 - full, 0.01))  # a new phrase may share its slot with another one
        others = known[~fresh & (known != own)]
        foreign = max(0.0, len(others) / len(slots) - full * new)
        return KnownPhrases(new, foreign, int(np.bincount(others).argmax()) if len(others) else 0, has_passage)

    def _slots(self, phrases: NDArray[np.uint64]) -> IntArray:
        """(n,) slots of the phrases that the memory looks at."""
        chosen = phrases[phrases % np.uint64(self._every) == 0] if self._every > 1 else phrases
        return (chosen >> self._shift).astype(np.int64)

    def _has_passage(self, slots: IntArray) -> bool:
        """Whether a text has a passage of its own; ``slots`` are those of its phrases, in order."""
        length = max(1, PASSAGE // self._every)
        counts = np.concatenate(([0], np.cumsum(self._domains.take(slots) == 0)))
        if len(counts) <= length:
            return False
        most = float((counts[length:] - counts[:-length]).max())
        visible = 1 - self._filled / self._size  # share of new phrases that do not share a slot with another one
        return most >= NEW_IN_PASSAGE * length * visible

    def pair(self, domain: str, other: int) -> str:
        """Note that two domains share a text; return the name of ``other`` (a number) if it shares texts with more, else empty."""
        own = self._number(domain)
        self._partners.setdefault(own, {})[other] = None
        self._partners.setdefault(other, {})[own] = None
        is_copier = len(self._partners[other]) > len(self._partners[own])
        return self._names.get(other, "") if is_copier else ""

    def _number(self, domain: str) -> int:
        number = 1 + crc32(domain.encode(errors="surrogatepass")) % 65535
        self._names.setdefault(number, domain)
        return number

    def snapshot(self) -> dict[str, Any]:
        slots = self._domains.nonzero()
        domains = self._domains.take(slots)
        if len(slots) * 3 >= self._size:  # then all take less space than those that are filled, with their places
            whole = np.zeros(self._size, np.uint16)
            whole[slots] = domains
            slots, domains = slots[:0], whole
        return {
            "slots": slots.astype(np.int32),
            "domains": domains,
            "filled": self._filled,
            "every": self._every,
            "names": list(self._names.items()),
            "partners": [[number, list(others)] for number, others in self._partners.items()],
        }

    def restore(self, state: Mapping[str, Any]) -> None:
        slots, domains = state["slots"], state["domains"]
        if len(domains) == self._size:
            slots = np.flatnonzero(domains)
            domains = domains[slots]
        self._domains.put(slots, domains)
        self._filled, self._every = state["filled"], state["every"]
        self._names = dict(state["names"])
        self._partners = {number: dict.fromkeys(others) for number, others in state["partners"]}
