"""Whether the harvest rate has fallen: that of the last pages, with its interval, against the best of as many pages before."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from focused.crawl.totals import SLIDING, Totals
from focused.explain.proportion import LEVEL, Share, wilson

BLOCKS = 10  #: of a window, whose variance tells how relevant pages cluster
LOOKS = 4  #: at the last pages, while one window of pages is fetched
WELL_BELOW = 0.5  #: of the best rate: less of a fall is nothing that a person should look after

Flags = NDArray[np.bool_]  #: (n,) whether each page is relevant, in order of arrival


@dataclass(frozen=True)
class Fall:
    """The harvest rate of the best pages in a row and of the last ones; as many of both."""

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

    def __init__(self, window: int = SLIDING) -> None:
        self.window = window
        self._followed = 0  # pages of the crawl that were counted or passed over
        self._pages = 0  # since the start, or since the last fall
        self._best: list[bool] = []
        self._recent: deque[bool] = deque()

    def follow(self, totals: Totals) -> list[Fall]:
        """Take in what was fetched since the last call, of it the pages that the totals remember; return the falls it shows."""
        new = min(totals.pages - self._followed, len(totals.recent))
        self._followed = totals.pages
        return [fall for relevant in _last(totals.recent, new) if (fall := self.see(relevant))]

    def see(self, relevant: bool) -> Fall | None:
        """Take in the next page; return a fall if it shows one."""
        self._pages += 1
        self._recent.append(relevant)
        if len(self._recent) > 2 * self.window:
            self._recent.popleft()
        if self._pages < 2 * self.window or self._pages % max(1, self.window // LOOKS):
            return None
        recent = list(self._recent)
        before, last = recent[: self.window], recent[self.window :]
        if sum(before) > sum(self._best):
            self._best = before
        fall = _fall(np.array(self._best), np.array(last), self._pages)
        if fall:
            self._pages, self._best = 0, []
            self._recent.clear()
        return fall


def fall_of(relevant: Flags, window: int = SLIDING) -> Fall | None:
    """Whether the harvest of the last pages has fallen from the best of as many in a row before them.

    It has if it is half of the best or less, and the intervals of both rates lie apart. As a crawl is looked at again and again,
    these intervals have a confidence of 1 - 0.05 / looks, looks = 4 pages / window (Bonferroni's correction).
    """
    if len(relevant) < 2 * window:
        return None
    counts = np.concatenate([[0], np.cumsum(relevant, dtype=np.int64)])
    start = int(np.argmax(counts[window:-window] - counts[: -2 * window]))
    return _fall(relevant[start : start + window], relevant[-window:], len(relevant))


def shown_harvest(relevant: Iterable[bool], window: int = SLIDING) -> str:
    """The harvest rate of the last pages, `window` at most, with its interval, as in ``last 200 47% (40-54%)``."""
    last = _last(relevant, window)
    return f"last {window} {harvest_share(np.array(last)).in_short() if last else '-'}"


def harvest_share(relevant: Flags, level: float = LEVEL) -> Share:
    """The share of relevant pages among some in a row, with the interval that chance explains.

    Relevant pages come in clusters, so that n pages tell no more than n / d independent ones do. d, the design effect (Kish
    1965), is the variance of the shares of ten blocks over that of independent pages, 1 at least. The interval is Wilson's of
    n / d pages.
    """
    share, pages = float(relevant.mean()), len(relevant)
    size = pages // BLOCKS
    variance = share * (1 - share)
    if not size or not variance:
        return wilson(share, pages, level=level)
    shares = relevant[-size * BLOCKS :].reshape(BLOCKS, size).mean(axis=1)
    return wilson(share, pages / max(1.0, float(shares.var(ddof=1)) * size / variance), level=level)


def _fall(best: Flags, last: Flags, pages: int) -> Fall | None:
    if last.sum() > WELL_BELOW * best.sum() or not best.any():
        return None
    level = 1 - (1 - LEVEL) * len(last) / (LOOKS * pages)
    if harvest_share(last, level).high >= harvest_share(best, level).low:
        return None
    return Fall(harvest_share(best), harvest_share(last), len(last))


def _last(relevant: Iterable[bool], count: int) -> list[bool]:
    return list(relevant)[-count:] if count else []
