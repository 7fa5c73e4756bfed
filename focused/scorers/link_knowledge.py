"""What earlier crawls taught, whatever they were about: words of links that led to relevant pages. A crawl starts with it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from focused.crawl.arrays import FloatArray
from focused.scorers.word_weights import NUMBERS, Outcomes, Weights, best_of, weights_of
from focused.scoring.plain_state import State, array_in, whole_in


@dataclass(slots=True, frozen=True)
class Knowledge:
    """Weights of words, beside which a crawl's own regression finds out what is different here (`word_regression`).

    Relevance is what each crawl took for relevant, beyond its own mean page: nobody labelled anything. All pages of all crawls
    count the same, and the more of them a word led to, the more it weighs.

    words : w0
    crawls, pages : that it was learned from
    """

    words: Weights
    crawls: int
    pages: int

    @classmethod
    def of(cls, crawls: Sequence[Outcomes], ridge: float) -> Knowledge:
        """Learn from crawls; parameters as of `weights_of`."""
        weights = weights_of(crawls, ridge)
        return cls(weights, len(crawls), sum(len(crawl.links) for crawl in crawls))

    def state(self) -> dict[str, Any]:
        return {"words": self.words, "crawls": self.crawls, "pages": self.pages}

    @classmethod
    def restored(cls, state: State) -> Knowledge:
        """The knowledge of a `state`; ValueError where it is none."""
        words = array_in(state, "words", np.float32, NUMBERS + 1)
        return cls(words, whole_in(state, "crawls"), whole_in(state, "pages"))

    def foretold(self, crawl: Outcomes) -> FloatArray:
        """(n,) how much more relevant than the mean page those of a crawl are expected to be."""
        return best_of(crawl.words, crawl.links, self.words)
