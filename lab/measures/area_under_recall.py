"""Area under the recall curve: how early the targets come, as one number for paired tests."""

from __future__ import annotations

from focused.exceptions import EvaluationError
from focused.simulation.labels import Judgements
from lab.judging.run import Run
from lab.measures.target_recall import target_recall


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
