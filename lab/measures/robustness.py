"""Robustness: whether a crawler comes to the same pages from other seeds."""

from __future__ import annotations

import numpy as np

from focused.crawl.arrays import FloatArray
from focused.exceptions import EvaluationError
from lab.judging.run import Run


def robustness(first: Run, second: Run) -> FloatArray:
    """(N,) overlap of what two runs fetched from two disjoint halves of the seeds, after each page; in [0, 1].

    The overlap of the first n pages of each is 2 |A and B| / (|A| + |B|), thus the share of n where both have n pages; a
    run that ended earlier stays as it is. N is the length of the longer run.

    Raises EvaluationError if the runs are of different strategies or topics.

    Source: Chakrabarti et al. 1999; Pant, Srinivasan & Menczer 2004, section 4.2 (which leave open how to normalise).
    """
    if (first.strategy, first.topic) != (second.strategy, second.topic):
        raise EvaluationError(f"robustness compares one strategy on one topic with itself, not {first} with {second}")
    length = max(len(first.urls), len(second.urls))
    order = {url: position for position, url in enumerate(first.urls)}
    common = np.zeros(length)
    for position, url in enumerate(second.urls):
        if url in order:
            common[max(position, order[url])] += 1  # in the overlap as soon as both have it
    pages = np.arange(1, length + 1)
    sizes = np.minimum(pages, len(first.urls)) + np.minimum(pages, len(second.urls))
    return np.asarray(2 * np.cumsum(common) / sizes, np.float64)
