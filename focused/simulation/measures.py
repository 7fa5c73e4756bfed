"""How good a crawl was by labels: recall, harvest and the area under recall; pure functions of runs and judgements.

A curve is an array with the value after each page fetched, to be read with `judged_run.value_at`; a figure is one number.
"""

from __future__ import annotations

import numpy as np

from focused.crawl.arrays import FloatArray
from focused.exceptions import EvaluationError
from focused.simulation.judged_run import Run, check_topic, flags, relevant_flags
from focused.simulation.labels import Judgements


def target_recall(run: Run, judgements: Judgements, *, of_all: bool = False) -> FloatArray:
    """(N,) targets fetched / targets, after each page; in [0, 1], never falling.

    A target counts by its URL, even if its bytes were fetched under another one before.

    Parameters
    ----------
    of_all : of all targets; by default of the reachable ones, so that 1 can be had

    Raises EvaluationError if none of the targets can be reached (unless `of_all`).

    Source: Pant & Menczer 2003, equation 4 (there, of all targets).
    """
    check_topic(run, judgements)
    targets = judgements.targets if of_all else judgements.reachable_targets
    if not targets:
        raise EvaluationError(
            f"judgements of topic {judgements.topic}: none of the {len(judgements.targets)} targets can be reached "
            "from the seeds, so there is no recall; choose other seeds"
        )
    return np.asarray(np.cumsum(flags(run, targets)) / len(targets), np.float64)


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


def area_under_recall(run: Run, judgements: Judgements, budget: int) -> float:
    """Mean of the recall of reachable targets after 1, 2, ... `budget` pages; in [0, 1].

    A crawl that ended earlier keeps its last recall up to the budget; pages beyond the budget do not count.

    Parameters
    ----------
    budget : pages that every compared crawl was allowed, or pages that can be reached where all of them are crawled
    """
    if budget < 1:
        raise EvaluationError(f"the budget of an area under the recall curve must be 1 page or more, not {budget}")
    recall = target_recall(run, judgements)[:budget]
    if not len(recall):
        return 0.0
    return float(recall.sum() + recall[-1] * (budget - len(recall))) / budget
