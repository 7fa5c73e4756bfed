"""The words of the links to each URL: the terms of all anchors on all of its parents, gathered as these are fetched.

Source: Ye, Li, Huang & Xu 2006, "Improved Focused Web Crawling Based on Incremental Q-Learning", section 3.3 (link context).
"""

from __future__ import annotations

from array import array
from collections.abc import Mapping
from typing import Any

import numpy as np

from focused.crawl.arrays import IntArray
from focused.page.page import Page
from focused.relevance.vectors import numbers

MOST = 255  #: terms of one URL that may be kept


class LinkContexts:
    """A log of pairs (URL, term) in order of arrival, 8 bytes each, and a byte for each URL.

    Parameters
    ----------
    most : terms kept of one URL, at most MOST; further ones are not taken. It bounds the memory: on many sites all pages
        link to some, always with the same words.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._urls = array("i")
        self._terms = array("i")
        self._lengths = bytearray()  # by id of a URL: number of terms kept

    def __len__(self) -> int:
        """Pairs in the log."""
        return len(self._urls)

    def add(self, page: Page, targets: IntArray) -> None:
        """Add the anchors of a page's n links, which lead to ``targets`` (n,); equal ones are added each time."""
        lengths, terms = self._lengths, page.terms
        if len(targets) and (missing := int(targets.max()) + 1 - len(lengths)) > 0:
            lengths.extend(bytes(missing))
        for url, link in zip(targets.tolist(), page.links, strict=True):
            start, room = link.anchor_start, self._most - lengths[url]
            end = min(link.anchor_end, start + room)
            if start < end:
                self._urls.extend([url] * (end - start))
                self._terms.extend(numbers(terms[start:end]))
                lengths[url] += end - start

    def since(self, position: int = 0) -> tuple[IntArray, IntArray]:
        """URLs and hashed terms, (n,) each, of the pairs from a position of the log on; copies."""
        return np.array(self._urls[position:], np.int64), np.array(self._terms[position:], np.int64)

    def snapshot(self) -> dict[str, Any]:
        return {
            "urls": np.array(self._urls, np.int32),
            "terms": np.array(self._terms, np.int32),
            "lengths": np.frombuffer(bytes(self._lengths), np.uint8),
        }

    def restore(self, state: Mapping[str, Any]) -> None:
        self._urls, self._terms = (array("i", state[name].tobytes()) for name in ("urls", "terms"))
        self._lengths = bytearray(state["lengths"].tobytes())
