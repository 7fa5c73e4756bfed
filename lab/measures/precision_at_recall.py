"""Precision at recall: how clean the harvest is at the moment when a given recall is reached."""

from __future__ import annotations

import math

from focused.simulation.labels import Judgements
from lab.judging.counting import value_at
from lab.judging.run import Run
from lab.measures.harvest_rate import harvest_rate
from lab.measures.search_length import search_length


def precision_at_recall(run: Run, judgements: Judgements, recall: float = 0.5) -> float:
    """Harvest rate, in [0, 1], when the recall of reachable targets first reaches `recall`; 0 if it never does.

    Parameters
    ----------
    recall : in (0, 1]; 0.1, 0.5 and 1.0 are usual

    Source: Almpanidis et al. 2007, equation 21 and table 3; 0 for a recall never reached is the rule of TREC.
    """
    pages = search_length(run, judgements, recall)
    return value_at(harvest_rate(run, judgements), int(pages)) if math.isfinite(pages) else 0.0
