"""How often keywords occur near each link: the inputs of a neural net that judges links.

    input k of link l = Σ over occurrences of keyword k near l of 1 / distance

The distance is 1 inside the anchor, 2 for the terms next to it, 3 for the ones after these, and so on.

Source: Pant, Srinivasan & Menczer 2004, "Crawling the Web", section 3.5.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from focused.crawl.arrays import FloatArray
from focused.page.page import Page


def keyword_proximities(numbers: Mapping[str, int], page: Page, window: int) -> FloatArray:
    """(n, k) inputs of the page's n links.

    Parameters
    ----------
    numbers : the number of each of k keywords, from 0 to k - 1
    window : terms before the anchor, and after it, that are near
    """
    links, count = page.links, len(numbers)
    keyword = np.array([numbers.get(term, -1) for term in page.terms], np.int64)
    places = np.flatnonzero(keyword >= 0)
    starts = np.array([link.anchor_start for link in links], np.int64)
    ends = np.array([link.anchor_end for link in links], np.int64)
    first = np.searchsorted(places, starts - window)
    found = np.maximum(np.searchsorted(places, ends + window) - first, 0)
    # All pairs of a link and an occurrence near it, link after link.
    link = np.repeat(np.arange(len(links)), found)
    place = places[np.arange(len(link)) - np.repeat(np.cumsum(found) - found - first, found)]
    steps = np.maximum(np.maximum(starts[link] - place, place - ends[link] + 1), 0)
    inputs = np.bincount(link * count + keyword[place], 1.0 / (1 + steps), len(links) * count)
    return inputs.astype(np.float64).reshape(len(links), count)  # without any pair they are integers
