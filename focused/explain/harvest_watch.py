"""Shares of pages with their intervals, and falls of the harvest rate: that of the last pages against the best before."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np

from focused.crawl.arrays import BoolArray
from focused.crawl.budget import SLIDING, Totals

LEVEL = 0.95  #: confidence of all intervals


@dataclass(frozen=True)
class Share:
    """An estimated share and the ends of its interval, in [0, 1]."""

    value: float
    low: float
    high: float

    def times(self, factor: float) -> Share:
        return Share(self.value * factor, self.low * factor, self.high * factor)

    def in_short(self) -> str:
        """A short form for a narrow line, as in ``47% (40-54%)``."""
        return f"{self.value:.0%} ({100 * self.low:.0f}-{self.high:.0%})"


def wilson(share: float, judged: float, pages: float = math.inf, level: float = LEVEL) -> Share:
    """The score interval of a share seen in a simple random sample (Wilson 1927).

    It holds for small samples and for shares near 0 or 1, where the usual ± is too short. A sample without replacement from
    few pages tells more than its size says; it counts as judged (pages - 1) / (pages - judged).

    Parameters
    ----------
    share : relevant / judged
    judged : size of the sample, above 0; need not be whole
    pages : size of the population
    """
    if judged >= pages:
        return Share(share, share, share)
    n = judged if math.isinf(pages) else judged * (pages - 1) / (pages - judged)
    z = NormalDist().inv_cdf((1 + level) / 2)
    centre = (share + z * z / (2 * n)) / (1 + z * z / n)
    half = z / (1 + z * z / n) * math.sqrt(share * (1 - share) / n + z * z / (4 * n * n))
    return Share(share, max(0.0, centre - half), min(1.0, centre + half))


BLOCKS = 10  #: of a window; their variance tells how relevant pages cluster
LOOKS = 4  #: looks at the last pages, while one window of pages is fetched
WELL_BELOW = 0.5  #: of the best rate: a rate above this share is no fall that a person must hear of


@dataclass(frozen=True)
class Fall:
    """The harvest rates of the best window of pages and of the last window."""

    best: Share
    last: Share
    window: int

    def warning_of(self, collection: str) -> str:
        """In words for a person, with what to do."""
        return (
            f"Harvest fell from {self.best.value:.0%} to {self.last.value:.0%} over the last {self.window} pages, by the crawl's "
            "own page model: the pages near the seeds may be used up, or the crawl has left the topic. Judge a sample: "
            f"scrapy judge {collection} --sample 100"
        )


class HarvestWatch:
    """Watches a crawl and says once when its harvest rate has fallen (see `fall_of`); then it starts anew."""

    def __init__(self) -> None:
        self._followed = 0  # pages of the crawl that were counted or passed over
        self._pages = 0  # since the start, or since the last fall
        self._best: list[bool] = []
        self._recent: deque[bool] = deque(maxlen=2 * SLIDING)

    def follow(self, totals: Totals) -> list[Fall]:
        """Take in the pages fetched since the last call, if the totals remember them; return the falls that they show."""
        new = min(totals.pages - self._followed, len(totals.recent))
        self._followed = totals.pages
        return [fall for relevant in _last(totals.recent, new) if (fall := self.see(relevant))]

    def see(self, relevant: bool) -> Fall | None:
        """Take in the next page; return a fall if the page shows one."""
        self._pages += 1
        self._recent.append(relevant)
        if self._pages < 2 * SLIDING or self._pages % (SLIDING // LOOKS):
            return None
        recent = list(self._recent)
        before, last = recent[:SLIDING], recent[SLIDING:]
        if sum(before) > sum(self._best):
            self._best = before
        fall = _fall(np.array(self._best), np.array(last), self._pages)
        if fall:
            self._pages, self._best = 0, []
            self._recent.clear()
        return fall


def fall_of(relevant: BoolArray) -> Fall | None:
    """The fall of the harvest rate, if that of the last window has fallen from the best earlier window; else None.

    The rate must be half of the best or less, and the intervals of both rates must not overlap. As there are many looks at a
    crawl, these intervals have a confidence of 1 - 0.05 / looks, looks = 4 pages / window (Bonferroni's correction).
    """
    if len(relevant) < 2 * SLIDING:
        return None
    counts = np.concatenate([[0], np.cumsum(relevant, dtype=np.int64)])
    start = int(np.argmax(counts[SLIDING:-SLIDING] - counts[: -2 * SLIDING]))
    return _fall(relevant[start : start + SLIDING], relevant[-SLIDING:], len(relevant))


def shown_harvest(relevant: Iterable[bool]) -> str:
    """The harvest rate of the last pages, `SLIDING` at most, with its interval, as in ``last 200 47% (40-54%)``."""
    last = _last(relevant, SLIDING)
    return f"last {SLIDING} {harvest_share(np.array(last)).in_short() if last else '-'}"


def harvest_share(relevant: BoolArray, level: float = LEVEL) -> Share:
    """The share of relevant pages among consecutive pages, with its interval.

    Relevant pages come in clusters, so n pages tell no more than n / d independent ones. d, the design effect (Kish 1965), is
    the variance of the shares of ten blocks over that of independent pages, at least 1. The interval is Wilson's for n / d
    pages.
    """
    share, pages = float(relevant.mean()), len(relevant)
    size = pages // BLOCKS
    variance = share * (1 - share)
    if not size or not variance:
        return wilson(share, pages, level=level)
    shares = relevant[-size * BLOCKS :].reshape(BLOCKS, size).mean(axis=1)
    return wilson(share, pages / max(1.0, float(shares.var(ddof=1)) * size / variance), level=level)


def _fall(best: BoolArray, last: BoolArray, pages: int) -> Fall | None:
    if last.sum() > WELL_BELOW * best.sum() or not best.any():
        return None
    level = 1 - (1 - LEVEL) * len(last) / (LOOKS * pages)
    if harvest_share(last, level).high >= harvest_share(best, level).low:
        return None
    return Fall(harvest_share(best), harvest_share(last), len(last))


def _last(relevant: Iterable[bool], count: int) -> list[bool]:
    return list(relevant)[-count:] if count else []
