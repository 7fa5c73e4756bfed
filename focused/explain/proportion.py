"""Shares of pages estimated from samples, with the interval in which the true share lies with a given confidence."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist

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
        """For a line that has little room, as in ``47% (40-54%)``."""
        return f"{self.value:.0%} ({100 * self.low:.0f}-{self.high:.0%})"


@dataclass(frozen=True)
class Counts:
    """What is known of a stratum: pages in it, how many of them were judged (at random), how many of those are relevant."""

    pages: int
    judged: int
    relevant: int


def wilson(share: float, judged: float, pages: float = math.inf, level: float = LEVEL) -> Share:
    """The score interval of a share seen in a simple random sample (Wilson 1927).

    It keeps its promise for small samples and for shares near 0 or 1, where the usual ± is too short. A sample without
    replacement from few pages tells more than its size says; it counts as judged (pages - 1) / (pages - judged).

    Parameters
    ----------
    share : relevant / judged
    judged : size of the sample, above 0; need not be whole
    pages : size of what it was drawn from
    """
    if judged >= pages:
        return Share(share, share, share)
    n = judged if math.isinf(pages) else judged * (pages - 1) / (pages - judged)
    z = NormalDist().inv_cdf((1 + level) / 2)
    centre = (share + z * z / (2 * n)) / (1 + z * z / n)
    half = z / (1 + z * z / n) * math.sqrt(share * (1 - share) / n + z * z / (4 * n * n))
    return Share(share, max(0.0, centre - half), min(1.0, centre + half))


def stratified(strata: Sequence[Counts], level: float = LEVEL) -> Share:
    """The share over all strata: the mean of their shares, each weighted by its pages.

    The distances of each stratum's share to the ends of its Wilson interval are squared, weighted and added (Zou, Huang
    and Zhang, "A note on confidence interval estimation for a linear function of binomial proportions", 2009). Every stratum
    must have a judged page.
    """
    total = sum(stratum.pages for stratum in strata)
    value = below = above = 0.0
    for stratum in strata:
        weight = stratum.pages / total
        share = wilson(stratum.relevant / stratum.judged, stratum.judged, stratum.pages, level)
        value += weight * share.value
        below += (weight * (share.value - share.low)) ** 2
        above += (weight * (share.high - share.value)) ** 2
    return Share(value, max(0.0, value - math.sqrt(below)), min(1.0, value + math.sqrt(above)))


def weighted_share(judgements: Sequence[bool], weights: Sequence[float], level: float = LEVEL) -> Share | None:
    """The share among pages of which each stands for a number of others; None without any.

    The interval is Wilson's for as many equal pages as these are worth: (sum of weights)² / sum of squares (Kish 1965).
    """
    if not judgements:
        return None
    total = math.fsum(weights)
    worth = total**2 / math.fsum(weight**2 for weight in weights)
    share = math.fsum(weight for weight, yes in zip(weights, judgements, strict=True) if yes) / total
    return wilson(min(1.0, share), worth, level=level)
