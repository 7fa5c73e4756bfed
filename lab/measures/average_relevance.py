"""Average relevance: how important what was fetched is, on average, by any importance of pages."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from focused.crawl.arrays import FloatArray
from focused.exceptions import EvaluationError
from focused.topic.mistakes import shown
from lab.judging.run import Run


def average_relevance(run: Run, importance: Mapping[str, float], window: int | None = None) -> FloatArray:
    """(N,) mean importance of the first 1, 2, ... N pages; in the range of the importance.

    Parameters
    ----------
    importance : URL -> how important the page is, by one of `lab.importance`
    window : mean of only the last so many pages (200 in Diligenti et al. 2000), all that there are near the start; None: of all

    Raises EvaluationError if a page of the run has none.

    Source: Pant, Srinivasan & Menczer 2004, "Crawling the Web", section 4.2; over a window, Diligenti, Coetzee, Lawrence, Giles
    & Gori 2000, "Focused Crawling Using Context Graphs", figure 5.
    """
    if window is not None and window < 1:
        raise EvaluationError(f"the window of the average relevance must be 1 page or more, not {window}")
    missing = [url for url in run.urls if url not in importance]
    if missing:
        raise EvaluationError(
            f"{run}: {len(missing)} of its pages have no relevance, {shown(missing[0])} for one; "
            "compute it for the pages of all runs that are compared"
        )
    values = np.fromiter((importance[url] for url in run.urls), np.float64, len(run.urls))
    sums, counts = np.cumsum(values), np.arange(1, len(values) + 1)
    if window is not None:
        sums[window:] = sums[window:] - sums[:-window]
        counts = np.minimum(counts, window)
    return np.asarray(sums / counts, np.float64)
