"""Pages of a recorded web that stay in memory between crawls of one process, up to a limit."""

from __future__ import annotations

import sys
from random import Random
from typing import Generic, TypeVar

from focused.page.page import Page

LIMIT = 256 * 2**20  #: estimated bytes for one process: all of Wikispeedia, or 7,000 pages of 32 KB with 84 links
LINK = 350  #: bytes of a link with its URL and anchor, measured
FIXED = 1_000  #: bytes of a page beside its text, terms and links
POINTER = 8  #: bytes of a term, which is interned

Kept = TypeVar("Kept")


class PageMemory(Generic[Kept]):
    """Values by URL. When it is full, values drawn at random give way.

    The next crawl asks for about the same pages as the one before, each of them once. What was asked for last is then
    asked for last again: of a web larger than the memory, least recently used would always keep the wrong pages.
    """

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self.size = 0  #: estimated bytes
        self._kept: dict[str, tuple[Kept, int]] = {}
        self._urls: list[str] = []
        self._random = Random(0)

    def get(self, url: str) -> Kept | None:
        found = self._kept.get(url)
        return found[0] if found else None

    def put(self, url: str, value: Kept, page: Page) -> None:
        """Keep a value for a URL not kept yet, whose size is that of a page. The page's terms are interned."""
        page.terms = list(map(sys.intern, page.terms))
        size = FIXED + len(page.text) + POINTER * len(page.terms) + LINK * len(page.links)
        self._kept[url] = value, size
        self._urls.append(url)
        self.size += size
        while self.size > self.limit:
            place = self._random.randrange(len(self._urls))
            self._urls[place], last = self._urls[-1], self._urls[place]
            self._urls.pop()
            self.size -= self._kept.pop(last)[1]
