"""Drawing pages to be judged: the same number from each stratum of relevance, at random, the same ones for the same call.

Every page has a random number of its own, by its place in the order of arrival, and a stratum gives the pages with the
smallest numbers. So a larger sample holds the smaller one, and when the crawl has gone on, what was judged before stays in
the sample, but for chance: pages are not judged twice, and each sample is a simple random one of its
stratum (permanent random numbers: Ohlsson, "Coordination of samples using permanent random numbers", 1995).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from focused.crawl.arrays import FloatArray, IntArray
from focused.exceptions import AuditError

STRATA = 5


@dataclass(frozen=True)
class Drawn:
    """What one stratum gives.

    number : of the stratum, from 1 (least relevant) on
    pages : in the stratum
    places : (n,) drawn pages, as places in the population, in random order
    """

    number: int
    pages: int
    places: IntArray


def draw(relevance: FloatArray, size: int, seed: int = 0) -> list[Drawn]:
    """Draw `size` pages, or all if there are fewer.

    The strata are quantiles of relevance: equal in size, but for one page. Each gives the same number of pages; the
    remainder comes from the largest, one each.

    Parameters
    ----------
    relevance : (n,) of all pages, in order of arrival
    size : pages to draw, from 1 on
    seed : of the random numbers

    Raises AuditError if there is nothing to draw.
    """
    if size < 1:
        raise AuditError(f"a sample of {size} pages tells nothing: draw at least 1")
    if not len(relevance):
        raise AuditError("no page was fetched yet, so there is nothing to draw from")
    size = min(size, len(relevance))
    numbers = np.random.default_rng(seed).random(len(relevance))  # the k-th is the same however many follow
    strata = np.array_split(np.argsort(relevance, kind="stable"), min(STRATA, size))
    shares = [size // len(strata)] * len(strata)
    for stratum in sorted(range(len(strata)), key=lambda i: -len(strata[i]))[: size % len(strata)]:
        shares[stratum] += 1
    return [
        Drawn(number, len(places), places[np.argsort(numbers[places])][:share].astype(np.int64))
        for number, (places, share) in enumerate(zip(strata, shares, strict=True), start=1)
    ]
