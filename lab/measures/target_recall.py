"""Target recall: which share of the targets has been fetched."""

from __future__ import annotations

import numpy as np

from focused.crawl.arrays import FloatArray
from focused.exceptions import EvaluationError
from focused.simulation.labels import Judgements
from lab.judging.counting import check_topic, flags
from lab.judging.run import Run


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
