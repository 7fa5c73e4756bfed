"""Average precision at N: how similar what was fetched is, on average, to the topic's description."""

from __future__ import annotations

from collections.abc import Mapping

from focused.crawl.arrays import FloatArray
from lab.judging.run import Run
from lab.measures.average_relevance import average_relevance


def average_precision_at(run: Run, similarities: Mapping[str, float]) -> FloatArray:
    """(N,) mean of sim(description, page) over the first 1, 2, ... N pages; in [0, 1].

    It needs no labels, and has nothing to do with the average precision of ranked retrieval. The average over topics
    is taken afterwards.

    Parameters
    ----------
    similarities : URL -> sim(d, p), made by `lab.judging.tf_idf.similarities` from all runs that are compared

    Raises EvaluationError if a page of the run is not among them.

    Source: Pant & Menczer 2003, equation 1.
    """
    return average_relevance(run, similarities)
