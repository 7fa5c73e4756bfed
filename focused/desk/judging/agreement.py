"""Which relevance threshold agrees best with a person's judgements."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from focused.crawl.arrays import FloatArray

FEWEST_JUDGED = 20  #: below, a threshold would follow single pages


@dataclass(frozen=True)
class Agreement:
    """How far "relevance reaches the threshold" and a person say the same.

    share : of pages, on which both agree
    kappa : 1 where they always agree, 0 where they agree as often as chance would have it (Cohen 1960)
    """

    threshold: float
    share: float
    kappa: float


def agreement(threshold: float, relevance: FloatArray, relevant: FloatArray, weights: FloatArray) -> Agreement:
    """Agreement at a threshold.

    Parameters
    ----------
    relevance : (n,) in [0, 1]
    relevant : (n,) 1 or 0, as a person says
    weights : (n,) pages that each stands for
    """
    weights = weights / weights.sum()
    called = relevance >= threshold
    share = float(weights[called == (relevant == 1)].sum())
    calls, truth = float(weights[called].sum()), float(weights @ relevant)
    chance = calls * truth + (1 - calls) * (1 - truth)
    return Agreement(threshold, share, (share - chance) / (1 - chance) if chance < 1 else 0.0)


def best_threshold(
    present: float, relevance: FloatArray, relevant: FloatArray, weights: FloatArray
) -> Agreement | None:
    """The threshold of the greatest kappa, and the nearest to the present one among equals; arrays as in `agreement`.

    Kappa, because the share of agreement is greatest for a threshold that calls nothing relevant wherever few pages are.
    None below 20 pages, where a person gives all the same answer, or where no threshold agrees more than chance.
    """
    values = np.unique(relevance)
    if len(relevance) < FEWEST_JUDGED or len(np.unique(relevant)) < 2:
        return None
    between = [_between(low, high) for low, high in zip(values[:-1].tolist(), values[1:].tolist(), strict=True)]
    found = [agreement(threshold, relevance, relevant, weights) for threshold in [present, *between]]
    best = max(found, key=lambda one: (round(one.kappa, 12), -abs(one.threshold - present)))
    return best if best.kappa > 0 else None


def _between(low: float, high: float) -> float:
    """The number of fewest decimals above `low` and not above `high`, near their middle."""
    middle = (low + high) / 2
    rounded = (round(middle, decimals) for decimals in range(2, 17))
    return next((number for number in rounded if low < number <= high), high)
