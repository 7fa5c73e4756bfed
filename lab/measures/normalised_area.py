"""Area under the recall curve as a share of its upper bound: comparable between topics of few and of many targets."""

from __future__ import annotations

import numpy as np

from focused.simulation.labels import Judgements
from lab.judging.run import Run
from lab.measures.area_under_recall import area_under_recall


def normalised_area(run: Run, judgements: Judgements, budget: int) -> float:
    """`area_under_recall` divided by that of a crawl which fetches nothing but reachable targets; in [0, 1].

    Where more targets can be reached than the budget has pages, no recall comes near 1; this measure may. Seeds and the pages
    on the way to targets keep even an oracle below 1.

    Parameters
    ----------
    budget : as of `area_under_recall`
    """
    area = area_under_recall(run, judgements, budget)
    best = np.minimum(1.0, np.arange(1, budget + 1) / len(judgements.reachable_targets))
    return area / float(best.mean())
