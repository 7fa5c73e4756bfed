"""Harvest rate: which share of what was fetched is relevant."""

from __future__ import annotations

import numpy as np

from focused.crawl.arrays import FloatArray
from focused.exceptions import EvaluationError
from focused.simulation.labels import Judgements
from lab.judging.counting import flags, relevant_flags
from lab.judging.run import Run


def harvest_rate(run: Run, judgements: Judgements, window: int | None = None) -> FloatArray:
    """(N,) relevant pages / pages fetched, after each page; in [0, 1].

    Neutral pages count in neither number; 0 until the first page that is not neutral.

    Parameters
    ----------
    window : count only the last so many pages (50 or 200 is usual), all that there are near the start; None counts all

    Source: Chakrabarti et al. 1999; acquisition rate in Pant, Srinivasan & Menczer 2004, section 4.2; over a window, the
    sliding harvest rate.
    """
    if window is not None and window < 1:
        raise EvaluationError(f"the window of the harvest rate must be 1 page or more, not {window}")
    relevant = _sums(relevant_flags(run, judgements), window)
    judged = _sums(~flags(run, judgements.neutral), window)
    return relevant / np.maximum(judged, 1.0)


def _sums(counted: np.ndarray[tuple[int], np.dtype[np.bool_]], window: int | None) -> FloatArray:
    """(N,) how many of the last `window` values are true, after each."""
    sums = np.cumsum(counted, dtype=np.float64)
    if window is not None:
        sums[window:] -= sums[:-window]
    return sums
