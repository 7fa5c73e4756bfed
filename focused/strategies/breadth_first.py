"""Breadth-first: links are fetched in the order in which they were found. The baseline of all comparisons."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from focused.crawl.arrays import FloatArray
from focused.crawl.strategy import Strategy, Visit


class BreadthFirst(Strategy):
    """Fetch links in the order in which they were found, whatever the page says.

        score = 0 for every link; among equals the first in comes first out

    A full queue takes no more links; other strategies evict the worst.

    Source: Pant & Menczer 2003, "Topical Crawling for Business Intelligence", section 4.2.
    """

    name = "breadth_first"
    parts: ClassVar[tuple[str, ...]] = ()
    evicts = False

    def score(self, visit: Visit) -> tuple[FloatArray, FloatArray]:
        return np.zeros(len(visit.links)), np.empty((len(visit.links), 0))
