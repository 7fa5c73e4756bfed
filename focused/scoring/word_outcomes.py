"""Which words in links led to relevant pages: a mean per word over the pages that links with it led to. Numbers per URL.

Words that the topic's pages never use can still say where they are: "people", "next", a name in the path.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from focused.crawl.strategy import FloatArray, IntArray
from focused.scoring.growing import grown
from focused.scoring.shrunk_means import ShrunkMeans
from focused.scoring.term_ids import DIMENSIONS

WORDS = 6  #: words of a URL that are kept
PRIOR = 2.0  #: pages that the prior of a word's mean counts as


class WordOutcomes:
    """The mean relevance, over the words of a text, of the pages behind texts with this word. 24 bytes a URL."""

    def __init__(self) -> None:
        self._words = np.zeros((0, WORDS), np.int32)  # by URL: 1 + numbers of its words, 0 for none
        self._means = ShrunkMeans(DIMENSIONS + 1, PRIOR)

    def add_words(self, urls: IntArray, tokens: IntArray, spans: IntArray) -> None:
        """Note what is written of (n,) URLs that nothing was noted of: of each (n, 2) span of the tokens the first words count."""
        self._grow(int(urls.max(initial=-1)) + 1)
        places = spans[:, :1] + np.arange(WORDS)
        rows, columns = np.nonzero(places < spans[:, 1:])
        self._words[urls[rows], columns] = tokens[places[rows, columns]] + 1

    def add_outcome(self, url: int, relevance: float) -> None:
        """Note what a URL turned out to be, for its words."""
        self._grow(url + 1)
        for word in set(self._words[url].tolist()) - {0}:
            self._means.add(word, relevance)

    def of(self, ids: IntArray, expected: float) -> FloatArray:
        """(n,) means of URLs; what is expected where nothing is written of one."""
        self._grow(int(ids.max(initial=-1)) + 1)
        # All first words, all second words, and so on: quicker to add up than URL by URL.
        words = self._words.take(ids, axis=0).T.copy()
        there = words > 0
        number = there.sum(axis=0)
        means = (self._means.of(words, expected) * there).sum(axis=0)
        return np.asarray(np.where(number, means / np.maximum(1, number), expected))

    def state(self) -> dict[str, Any]:
        """All that decides later answers; arrays."""
        return {"words": self._words, "means": self._means.state()}

    def restore(self, state: Mapping[str, Any]) -> None:
        """Take up what `state` gave."""
        self._words = np.array(state["words"])
        self._means.restore(state["means"])

    def _grow(self, count: int) -> None:
        self._words = grown(self._words, count)
