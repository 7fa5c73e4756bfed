"""Learns which words of links lead to relevant pages: a ridge regression, fitted again and again during the crawl.

Words that the topic's pages never use can still tell where these lie: "people", "next", a name in the path, the title of a list.

    relevance of a page - mean relevance = Σ over the words of a link to it of w0 + w,   ridge · |w|² kept small

w0 is 0, or what earlier crawls taught (`Knowledge`), times the trust in it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from focused.crawl.arrays import FloatArray, IntArray
from focused.crawl.columns import Columns
from focused.crawl.world import World
from focused.scorers.word_weights import LINKS, NUMBERS, Knowledge, Outcomes, Trust, best_of, weights_of

#: Number of words that count: the first of the anchor, those on either side of it, the first of the page, the first of the URL.
ANCHOR, NEAR, TITLE, URL = 6, 4, 4, 6
#: The place of each word of a link: anchor, before it, behind it, title, URL; and its number there.
SPAN = np.repeat(np.arange(5), (ANCHOR, NEAR, NEAR, TITLE, URL))
NTH = np.concatenate([np.arange(count) for count in (ANCHOR, NEAR, NEAR, TITLE, URL)])
#: A word counts separately at each place; before and behind the anchor are one place.
PLACE = np.array([0, 1, 1, 2, 3])[SPAN]
PLACES = 4
WORDS = len(SPAN)
RIDGE = 20.0
FIRST_FIT = 25  #: pages before the first fit, and between two; later, a tenth of all
MOST_PAGES = 20_000  #: most pages to learn from, the last ones
AT_ONCE = 16_384  #: URLs scored together, to take little memory


class WordRegression:
    """Predictions for URLs by id. 101 bytes a URL.

    knowledge : gives w0; without it, w0 is 0
    """

    def __init__(self, world: World, knowledge: Knowledge | None = None) -> None:
        self._world = world
        self._words = world.column("words", np.uint16, shape=(LINKS, WORDS))
        self._read = world.column("read", np.uint8)  # links that were read
        self._scores = world.column("word_scores", np.float32)  # with the weights of now
        self._weights = np.zeros(NUMBERS + 1, np.float32)
        self._knowledge, self._trust = knowledge, Trust()
        self._examples = Columns()
        self._pages = self._examples.add("pages", np.int32)  # learned from: ids of URLs
        self._relevance = self._examples.add("relevance", np.float32)  # of these
        self._count = 0
        self._next_fit = FIRST_FIT

    def add_links(
        self,
        urls: IntArray,
        tokens: IntArray,
        anchors: IntArray,
        contexts: IntArray,
        words_of_urls: IntArray,
        terms: int,
    ) -> None:
        """Read the first link of a page to each of (n,) URLs.

        tokens : numbers of words: the first ``terms`` are the page's, then come those of URLs
        anchors, contexts, words_of_urls : (n, 2) spans in them; the words of a URL known before may be left out
        """
        to_read = np.flatnonzero(self._read[urls] < LINKS)
        urls, anchors, contexts = urls[to_read], anchors[to_read], contexts[to_read]
        start, end = anchors.T
        top, url, url_end = np.zeros_like(start), *words_of_urls[to_read].T
        places = np.stack((start, start - NEAR, end, top, url))[SPAN].T + NTH
        low = np.stack((start, contexts[:, 0], end, top, url))[SPAN].T
        high = np.stack((end, start, contexts[:, 1], top + terms, url_end))[SPAN].T
        there = (places >= low) & (places < high)
        words = np.append(tokens, 0)[np.where(there, places, -1)]
        found = np.where(there, 1 + (words * PLACES + PLACE) % NUMBERS, 0)
        nth = self._read[urls]
        again = nth > 0
        found[again, -URL:] = self._words[urls[again], 0, -URL:]
        self._words[urls, nth] = found
        self._read[urls] += 1
        self._scores[urls] = self._scored(urls)

    def add_outcome(self, url: int, relevance: float, mean: float = 0.0) -> None:
        """Note the relevance of a URL, given the mean page so far; a URL that no page links to is ignored."""
        if not self._read[url]:
            return
        if self._knowledge is not None:
            beyond = relevance - mean
            self._trust.learn(beyond, beyond - float(self._foretold(np.array([url]), self._knowledge)[0]))
        self._examples.reach(self._count + 1)
        self._pages[self._count], self._relevance[self._count] = url, relevance
        self._count += 1
        if self._count >= self._next_fit:
            self.fit()

    def forget(self) -> None:
        """Forget the relevance of URLs, but not their words; no predictions until `fit`."""
        self._count, self._next_fit = 0, MOST_PAGES
        self._scores.values.fill(0.0)

    def of(self, ids: IntArray) -> FloatArray:
        """(n,) predicted relevance of URLs beyond the mean page, by the best of their links."""
        own = self._scores.take(ids).astype(np.float64)
        return own if self._knowledge is None else own + self._trust.share * self._foretold(ids, self._knowledge)

    def state(self) -> dict[str, Any]:
        """All that decides later predictions, except the columns of the world."""
        used = np.flatnonzero(self._weights)
        weights = {"weights_of": used, "weights": self._weights[used]}
        state = weights | {"examples": self._examples.snapshot(self._count), "next_fit": self._next_fit}
        return state if self._knowledge is None else state | {"trust": self._trust.state()}

    def restore(self, state: Mapping[str, Any]) -> None:
        """Take up what `state` gave."""
        self._weights[state["weights_of"]] = state["weights"]
        if self._knowledge is not None:
            self._trust.restore(state["trust"])
        self._examples.restore(state["examples"])
        self._count, self._next_fit = len(state["examples"]["pages"]), state["next_fit"]

    def outcomes(self) -> Outcomes:
        """The examples to learn from: the last `MOST_PAGES` pages."""
        some = slice(max(0, self._count - MOST_PAGES), self._count)
        pages, relevance = self._pages[some], self._relevance[some].astype(np.float64)
        return Outcomes(self._words[pages], self._read[pages], relevance)

    def fit(self) -> None:
        """Learn from all outcomes noted."""
        self._next_fit = self._count + max(FIRST_FIT, self._count // 10)
        known = None if self._knowledge is None else self._knowledge.words * np.float32(self._trust.share)
        self._weights[:] = weights_of([self.outcomes()], RIDGE, known) if self._count else 0.0
        for urls in np.split(np.arange(len(self._world.urls)), range(AT_ONCE, len(self._world.urls), AT_ONCE)):
            self._scores[urls] = self._scored(urls)

    def _foretold(self, urls: IntArray, knowledge: Knowledge) -> FloatArray:
        return best_of(self._words[urls], self._read[urls], knowledge.words)

    def _scored(self, urls: IntArray) -> FloatArray:
        return best_of(self._words[urls], self._read[urls], self._weights)
