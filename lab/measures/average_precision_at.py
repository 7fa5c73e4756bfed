"""Average precision at N: how similar what was fetched is, on average, to the topic's description."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from focused.crawl.arrays import FloatArray
from focused.exceptions import EvaluationError
from focused.topic.mistakes import shown
from lab.judging.run import Run


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
    missing = [url for url in run.urls if url not in similarities]
    if missing:
        raise EvaluationError(
            f"{run}: {len(missing)} of its pages have no similarity, {shown(missing[0])} for one; "
            "compute similarities from the pages of all runs that are compared"
        )
    values = np.fromiter((similarities[url] for url in run.urls), np.float64, len(run.urls))
    return np.asarray(np.cumsum(values) / np.arange(1, len(values) + 1), np.float64)
