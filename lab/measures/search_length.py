"""Search length: how many pages are fetched until a given share of the targets is in."""

from __future__ import annotations

import math

import numpy as np

from focused.exceptions import EvaluationError
from focused.simulation.labels import Judgements
from lab.judging.run import Run
from lab.measures.target_recall import target_recall

ROUNDING = 1e-9  # a share such as 0.1 * 3 of 3 targets is reached with rounding errors


def search_length(run: Run, judgements: Judgements, share: float = 0.5) -> float:
    """Pages fetched when the recall of reachable targets first reaches `share`; infinite if it never does.

    Parameters
    ----------
    share : in (0, 1]

    Source: Menczer & Belew 2000, as told in Pant, Srinivasan & Menczer 2004, section 4.2.
    """
    if not 0 < share <= 1:
        raise EvaluationError(f"a share of the targets is more than 0 and at most 1, not {share}")
    reached = np.flatnonzero(target_recall(run, judgements) >= share - ROUNDING)
    return float(reached[0] + 1) if len(reached) else math.inf
