"""What earlier crawls taught, whatever they were about: words of links that led to relevant pages. A crawl starts with it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp
from typing import Any

import numpy as np

from focused.crawl.arrays import FloatArray
from focused.relevance.plain_state import PlainState, array_in, whole_in
from focused.scorers.word_weights import NUMBERS, Outcomes, Weights, best_of, weights_of

VARIANCE = 0.065  #: mean square of (relevance - what is expected), on development topics of Wikispeedia and on WebKB
MOST = 3.0  #: the log of the odds stays between -3 and 3, so that some pages can turn it


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
    def restored(cls, state: PlainState) -> Knowledge:
        """The knowledge of a `state`; ValueError where it is none."""
        words = array_in(state, "words", np.float32, NUMBERS + 1)
        return cls(words, whole_in(state, "crawls"), whole_in(state, "pages"))

    def foretold(self, crawl: Outcomes) -> FloatArray:
        """(n,) how much more relevant than the mean page those of a crawl are expected to be."""
        return best_of(crawl.words, crawl.links, self.words)


class Trust:
    """How much more probable it is that what knowledge expects is right, than that all links are alike.

        share = max(0, 2 · P - 1),   P = odds / (1 + odds)
        odds = e³ · Π over pages of exp((error without² - error with²) / (2 · VARIANCE)),   between e⁻³ and e³

    It starts high, since knowledge is to help while nothing else is known; where the odds are even it counts nothing.

    Source: ours; Bayes' rule for two models with normal errors.
    """

    def __init__(self) -> None:
        self._log_odds = MOST

    @property
    def share(self) -> float:
        """In [0, 1)."""
        return max(0.0, 2 / (1 + exp(-self._log_odds)) - 1)

    def learn(self, error_without: float, error_with: float) -> None:
        """Take in a page: how far its relevance was from what was expected without and with knowledge."""
        moved = self._log_odds + (error_without**2 - error_with**2) / (2 * VARIANCE)
        self._log_odds = min(MOST, max(-MOST, moved))

    def state(self) -> float:
        return self._log_odds

    def restore(self, state: float) -> None:
        self._log_odds = state
