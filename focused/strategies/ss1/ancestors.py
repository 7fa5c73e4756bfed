"""Relevance inherited over the link graph: a part of that of all known parents, less of all grandparents, and so on.

Source: Almpanidis, Kotropoulos & Pitas 2007, "Combining text and link analysis for focused crawling", section 5.1 (SS1).
"""

from __future__ import annotations

from typing import Literal

import numpy as np

from focused.crawl.arrays import FloatArray, IntArray

Combination = Literal["sum", "max"]


def inherited_relevance(
    relevance: FloatArray,
    sources: IntArray,
    targets: IntArray,
    *,
    decay: float,
    generations: int,
    combination: Combination = "sum",
) -> tuple[FloatArray, FloatArray]:
    """What each of n nodes inherits from its parents, and what from its older ancestors: two arrays (n,), not negative.

        generation 1(v) = d · sum over u that link to v of relevance(u)
        generation k(v) = d · sum over u that link to v of generation k-1(u)

    The parents give generation 1, the older ancestors the sum of the generations from 2 on. So an ancestor counts once for
    each path that leads from it. With the combination ``max``, every sum is a maximum, and each counts by its shortest path.

    Parameters
    ----------
    relevance : (n,) not negative, 0 for what was not fetched
    sources, targets : (e,) ends of the edges, each edge once, numbers from 0 to n - 1
    decay : d, in (0, 1)
    generations : at least 1
    """

    def handed_on(values: FloatArray) -> FloatArray:
        found: FloatArray = np.zeros(len(values))
        if combination == "sum":
            found += np.bincount(targets, values[sources], minlength=len(values))
        else:
            np.maximum.at(found, targets, values[sources])
        return decay * found

    generation = parents = handed_on(relevance)
    older: FloatArray = np.zeros(len(relevance))
    for _ in range(generations - 1):
        generation = handed_on(generation)
        older = np.add(older, generation) if combination == "sum" else np.maximum(older, generation)
    return parents, older
