"""What counts in a run, page by page: the arrays that all measures are made of, and how a curve is read."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from focused.crawl.arrays import FloatArray
from focused.exceptions import EvaluationError
from focused.simulation.labels import Judgements
from lab.judging.run import Run

BoolArray = NDArray[np.bool_]


def flags(run: Run, urls: frozenset[str]) -> BoolArray:
    """(N,) whether each page of a run is one of these URLs."""
    return np.fromiter((url in urls for url in run.urls), np.bool_, len(run.urls))


def relevant_flags(run: Run, judgements: Judgements) -> BoolArray:
    """(N,) whether each page is relevant; of pages with the same bytes only the first relevant one is."""
    check_topic(run, judgements)
    counted: set[str] = set()
    found = flags(run, judgements.relevant)
    for position in np.flatnonzero(found).tolist():
        url = run.urls[position]
        content = run.duplicates.get(url, url)
        found[position] = content not in counted
        counted.add(content)
    return found


def check_topic(run: Run, judgements: Judgements) -> None:
    """Raise EvaluationError if a run is measured by the judgements of another topic."""
    if run.topic != judgements.topic:
        raise EvaluationError(f"{run} cannot be measured by the judgements of topic {judgements.topic}")


def value_at(curve: FloatArray, pages: int) -> float:
    """A curve's value after so many pages (from 1 on); of a crawl that ended before, its last one, and 0.0 if it has none."""
    if pages < 1:
        raise EvaluationError(f"a curve is read at 1 page or more, not at {pages}")
    return float(curve[min(pages, len(curve)) - 1]) if len(curve) else 0.0
