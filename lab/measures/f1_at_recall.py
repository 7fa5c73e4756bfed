"""F1 at recall: precision and recall as one number, at the moment when a given recall is reached."""

from __future__ import annotations

from focused.simulation.labels import Judgements
from lab.judging.counting import value_at
from lab.judging.run import Run
from lab.measures.precision_at_recall import precision_at_recall
from lab.measures.search_length import search_length
from lab.measures.target_recall import target_recall


def f1_at_recall(run: Run, judgements: Judgements, recall: float = 0.5) -> float:
    """2 P R / (P + R), in [0, 1], when the recall R of reachable targets first reaches `recall`; 0 if it never does.

    R is what was reached, which may lie above `recall`: 2 of 3 targets where half were asked for.

    Parameters
    ----------
    recall : in (0, 1]; 0.1, 0.5 and 1.0 are usual

    Source: Almpanidis et al. 2007, equation 23 and table 3.
    """
    precision = precision_at_recall(run, judgements, recall)
    if not precision:
        return 0.0
    reached = value_at(target_recall(run, judgements), int(search_length(run, judgements, recall)))
    return 2 * precision * reached / (precision + reached)
