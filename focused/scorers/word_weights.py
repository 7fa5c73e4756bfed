"""Weights of the words of links: how they are learned from outcomes, and what they predict; also those of earlier crawls."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp
from typing import Any

import numpy as np
from numpy.typing import NDArray

from focused.crawl.arrays import FloatArray, IntArray
from focused.scorers.plain_state import PlainState, array_in, whole_in
from focused.scorers.vectors import single_thread

LINKS = 2  #: links to a URL that are read: the first ones, on different pages
NUMBERS = 65_521  #: a word at its place is one of this many numbers (a prime), from 1 on; 0 is none
ITERATIONS = 30  #: at most
ENOUGH = 1e-6  #: stop when the gradient is this share of what it was

Weights = NDArray[np.float32]  #: (NUMBERS + 1,) of words at their places


@dataclass(slots=True, frozen=True)
class Outcomes:
    """The outcomes of links that one crawl followed: n pages that some page links to.

    Attributes
    ----------
    words : (n, LINKS, WORDS) numbers of the words of the first links to each page; 0 for none
    links : (n,) how many links of each page these are, from 1 to LINKS
    relevance : (n,) of the pages, in [0, 1], as the crawl saw them
    """

    words: NDArray[np.uint16]
    links: NDArray[np.uint8]
    relevance: FloatArray

    @property
    def beyond(self) -> FloatArray:
        """(n,) relevance beyond the mean page."""
        return np.asarray(self.relevance - self.relevance.mean()) if len(self.relevance) else self.relevance

    def of(self, pages: Sequence[int]) -> Outcomes:
        """Some of these, by position."""
        rows = np.array(pages, np.int64)
        return Outcomes(self.words[rows], self.links[rows], self.relevance[rows])


def weights_of(crawls: Sequence[Outcomes], ridge: float, known: Weights | None = None) -> Weights:
    """Small weights that best explain what links led to, relative to the mean of each crawl.

    ridge : pages that count against a weight; the more, the nearer all weights are to 0
    known : other weights, whose part of the explanation is subtracted first
    """
    links = np.concatenate([crawl.links for crawl in crawls])
    examples, nth = np.nonzero(np.arange(LINKS) < links[:, np.newaxis])
    words = np.concatenate([crawl.words for crawl in crawls])[examples, nth]
    used, columns = np.unique(words[words > 0], return_inverse=True)
    shares = 1.0 / np.sqrt(links.astype(np.float64))[examples]  # all links to a page together count as one example
    beyond = np.concatenate([crawl.beyond for crawl in crawls])[examples]
    if known is not None:
        beyond = beyond - known.take(words).sum(axis=1)
    weights = np.zeros(NUMBERS + 1, np.float32)
    weights[used] = ridge_weights(np.nonzero(words)[0], columns, shares, beyond * shares, ridge, len(used))
    return weights


def best_of(words: NDArray[np.uint16], links: NDArray[np.uint8], weights: Weights) -> FloatArray:
    """(n,) the prediction of the best of the links to each page; parameters as in `Outcomes`."""
    scores = weights.take(words[:, 0]).sum(axis=1)
    for nth in range(1, LINKS):
        rows = np.flatnonzero(links > nth)
        scores[rows] = np.maximum(scores[rows], weights.take(words[rows, nth]).sum(axis=1))
    return np.asarray(scores, np.float64)


def ridge_weights(
    rows: IntArray, columns: IntArray, shares: FloatArray, aim: FloatArray, ridge: float, size: int
) -> FloatArray:
    """(size,) weights w of columns that minimise Σ (aim_i - shares_i · Σ_j w_j)² + ridge · |w|².

    rows, columns : (n,) positions of the ones in the matrix; the j of row i are its columns
    shares, aim : (m,) factor of each row, and the target sum of its weights, times that factor

    Source: CGLS, conjugate gradients for least squares (Björck 1996, "Numerical Methods for Least Squares Problems", 7.4).
    """
    values = shares[rows]
    weights, left = np.zeros(size), aim.copy()
    with single_thread():
        gradient: FloatArray = np.bincount(columns, values * left[rows], size).astype(np.float64)
        direction, steepness = gradient, float(gradient @ gradient)
        enough = ENOUGH**2 * steepness
        for _ in range(ITERATIONS):
            if steepness <= enough:
                break
            change = np.bincount(rows, values * direction[columns], len(aim))
            step = steepness / (change @ change + ridge * (direction @ direction))
            weights += step * direction
            left -= step * change
            gradient = np.bincount(columns, values * left[rows], size) - ridge * weights
            before, steepness = steepness, float(gradient @ gradient)
            direction = gradient + steepness / before * direction
    return weights


VARIANCE = 0.065  #: mean square of (relevance - what is expected), on development topics of Wikispeedia and on WebKB
MOST = 3.0  #: the log of the odds stays between -3 and 3, so that some pages can turn it


@dataclass(slots=True, frozen=True)
class Knowledge:
    """Weights of words from earlier crawls; a crawl's own regression learns what is different here (`word_regression`).

    Relevance is each crawl's own judgement, beyond its mean page: no person labelled anything. All pages of all crawls count the
    same, and the more of them a word led to, the more it weighs.

    words : w0
    crawls, pages : number of those that it was learned from
    """

    words: Weights
    crawls: int
    pages: int

    @classmethod
    def of(cls, crawls: Sequence[Outcomes], ridge: float) -> Knowledge:
        """Learn from crawls; parameters as in `weights_of`."""
        weights = weights_of(crawls, ridge)
        return cls(weights, len(crawls), sum(len(crawl.links) for crawl in crawls))

    def state(self) -> dict[str, Any]:
        return {"words": self.words, "crawls": self.crawls, "pages": self.pages}

    @classmethod
    def restored(cls, state: PlainState) -> Knowledge:
        """The knowledge of a `state`; ValueError if it is none."""
        words = array_in(state, "words", np.float32, NUMBERS + 1)
        return cls(words, whole_in(state, "crawls"), whole_in(state, "pages"))

    def foretold(self, crawl: Outcomes) -> FloatArray:
        """(n,) predicted relevance of a crawl's pages beyond its mean page."""
        return best_of(crawl.words, crawl.links, self.words)


class Trust:
    """How far to trust `Knowledge`: the odds that its predictions are right, against all links being alike.

        share = max(0, 2 · P - 1),   P = odds / (1 + odds)
        odds = e³ · Π over pages of exp((error without² - error with²) / (2 · VARIANCE)),   between e⁻³ and e³

    It starts high, since knowledge must help while nothing else is known; at even odds the share is 0.

    Source: ours; Bayes' rule for two models with normal errors.
    """

    def __init__(self) -> None:
        self._log_odds = MOST

    @property
    def share(self) -> float:
        """In [0, 1)."""
        return max(0.0, 2 / (1 + exp(-self._log_odds)) - 1)

    def learn(self, error_without: float, error_with: float) -> None:
        """Take in a page: the errors of the predictions without and with knowledge."""
        moved = self._log_odds + (error_without**2 - error_with**2) / (2 * VARIANCE)
        self._log_odds = min(MOST, max(-MOST, moved))

    def state(self) -> float:
        return self._log_odds

    def restore(self, state: float) -> None:
        self._log_odds = state
