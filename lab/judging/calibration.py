"""How far a crawler's own estimate of relevance can be believed: against labels that it has not seen.

Harvest rates by a crawler's own page model are compared with those by labels, and the relevance of pages with how many of
them are relevant.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from focused.crawl.arrays import FloatArray
from focused.exceptions import EvaluationError
from focused.simulation.judged_run import BoolArray, Run, check_topic, flags
from focused.simulation.labels import Judgements

BINS = 10


@dataclass(frozen=True)
class Bin:
    """Pages whose estimate lies in [low, high), the last bin with its end.

    estimate, relevant : mean estimate, and share of relevant pages
    """

    low: float
    high: float
    pages: int
    estimate: float
    relevant: float


@dataclass(frozen=True)
class Calibration:
    """What estimates are worth.

    bins : those that have pages, lowest first: the reliability diagram
    expected_error : mean over pages of |mean estimate - share of relevant pages| of their bin, in [0, 1] (ECE: Naeini,
        Cooper and Hauskrecht 2015). It takes estimates for probabilities, which a cosine is not: it can rank well and still be
        far off.
    auc : how probably a relevant page has a higher estimate than another, ties by half; NaN without both kinds
    """

    bins: list[Bin]
    expected_error: float
    auc: float


def calibration(estimates: FloatArray, relevant: FloatArray, bins: int = BINS) -> Calibration:
    """Compare estimates with the truth.

    Parameters
    ----------
    estimates : (n,) in [0, 1]
    relevant : (n,) 1 or 0
    bins : of equal width, from 1 on

    Raises EvaluationError for no pages, estimates outside [0, 1], or arrays of different lengths.
    """
    from sklearn.metrics import roc_auc_score  # slow to load, and seldom needed

    if bins < 1:
        raise EvaluationError(f"estimates are put into 1 bin or more, not into {bins}")
    if not len(estimates) or len(estimates) != len(relevant):
        raise EvaluationError(f"{len(estimates)} estimates and {len(relevant)} labels cannot be compared")
    if not (np.min(estimates) >= 0 and np.max(estimates) <= 1):  # also false for NaN
        raise EvaluationError("an estimate lies outside 0 to 1")
    edges = np.linspace(0, 1, bins + 1)
    numbers = np.clip(np.searchsorted(edges, estimates, side="right") - 1, 0, bins - 1)
    found = []
    for number in np.unique(numbers).tolist():
        inside = numbers == number
        means = float(estimates[inside].mean()), float(relevant[inside].mean())
        found.append(Bin(float(edges[number]), float(edges[number + 1]), int(inside.sum()), *means))
    error = math.fsum(b.pages * abs(b.estimate - b.relevant) for b in found) / len(estimates)
    auc = float(roc_auc_score(relevant, estimates)) if 0 < relevant.sum() < len(relevant) else math.nan
    return Calibration(found, error, auc)


@dataclass(frozen=True)
class CalibratedCrawl:
    """A crawl's estimates of its own pages against labels; neutral pages and exact duplicates are left out.

    topic : of the labels
    pages : that count
    harvest, own_harvest : share of them that is relevant by the labels, and by the crawl itself
    precision, missed : share of relevant pages among those that the crawl calls relevant, and among the others; NaN without any
    relevance : calibration of the page model
    """

    topic: str
    pages: int
    harvest: float
    own_harvest: float
    precision: float
    missed: float
    relevance: Calibration


def page_calibration(run: Run, relevance: Sequence[float], judgements: Judgements) -> Calibration:
    """Compare the relevance that a crawl gave its pages with labels. EvaluationError if no page counts.

    relevance : (N,) of the pages of the run, in [0, 1]
    """
    counts = _counting(run, judgements)
    return calibration(np.array(relevance)[counts], flags(run, judgements.relevant)[counts].astype(np.float64))


def calibrate(run: Run, relevance: Sequence[float], called: Sequence[bool], judgements: Judgements) -> CalibratedCrawl:
    """Compare a crawl with labels, which it must not have seen. EvaluationError if no page counts.

    Parameters
    ----------
    relevance : (N,) that the crawl gave the pages of the run, in [0, 1]
    called : (N,) whether it calls them relevant
    """
    found = page_calibration(run, relevance, judgements)
    counts = _counting(run, judgements)
    relevant, calls = flags(run, judgements.relevant)[counts], np.array(called)[counts]
    return CalibratedCrawl(
        judgements.topic,
        len(relevant),
        float(relevant.mean()),
        float(calls.mean()),
        _share(relevant[calls]),
        _share(relevant[~calls]),
        found,
    )


def calibration_table(crawl: CalibratedCrawl) -> Iterator[str]:
    """Yield the calibration in lines for a person."""
    found = crawl.relevance
    counted = f"{crawl.pages:,} pages (without neutral pages and exact duplicates)"
    yield f"Calibration against the labels of {crawl.topic}, over {counted}"
    yield f"  harvest rate  {crawl.harvest:.1%} by labels, {crawl.own_harvest:.1%} by the crawl's own page model"
    yield f"  relevant are  {crawl.precision:.1%} of the pages that the crawl calls relevant, {crawl.missed:.1%} of the others"
    yield f"  page model    ROC-AUC {found.auc:.3f}, expected calibration error {found.expected_error:.3f}"
    yield "  relevance      pages    mean  relevant"
    for one in found.bins:
        yield f"  {one.low:.2f} to {one.high:.2f}  {one.pages:>6,}  {one.estimate:>6.3f}  {one.relevant:>7.1%}"


def _counting(run: Run, judgements: Judgements) -> BoolArray:
    """(N,) whether each page of a run counts: neither neutral nor an exact duplicate."""
    check_topic(run, judgements)
    counts = ~flags(run, judgements.neutral) & ~flags(run, frozenset(run.duplicates))
    if not counts.any():
        raise EvaluationError(f"{run}: no page was fetched that could be compared with labels")
    return counts


def _share(relevant: BoolArray) -> float:
    return float(relevant.mean()) if len(relevant) else math.nan
