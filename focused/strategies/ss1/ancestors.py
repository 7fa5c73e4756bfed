"""Relevance inherited over the link graph: a part of that of all known parents, less of all grandparents, and so on.

Source: Almpanidis, Kotropoulos & Pitas 2007, "Combining text and link analysis for focused crawling", section 5.1 (SS1).
"""

from __future__ import annotations

from itertools import count
from typing import Literal

import numpy as np

from focused.crawl.arrays import FloatArray, IntArray

Combination = Literal["sum", "max"]

TOGETHER = 512  #: ancestors that are looked at together, a bit each; a multiple of 64
LEAST = 1e-6  #: a generation that hands on a smaller share is the last
#: (256, 8) the bits of each byte
BITS = np.unpackbits(np.arange(256, dtype=np.uint8)[:, np.newaxis], axis=1)


def inherited_relevance(
    relevance: FloatArray,
    sources: IntArray,
    targets: IntArray,
    *,
    decay: float,
    generations: int = 0,
    combination: Combination = "sum",
) -> tuple[FloatArray, FloatArray]:
    """What each of n nodes inherits from its parents, and what from its older ancestors: two arrays (n,), not negative.

        generation k(v) = d^k · sum of relevance(u) over all u from which a path of k links leads to v

    The parents give generation 1, the older ancestors the sum of the generations from 2 on. In each, an ancestor counts once,
    by however many paths; circles of links put it into many. Where all further generations are the same ancestors, they are
    a geometric series. With the combination ``max``, every sum is a maximum.

    Parameters
    ----------
    relevance : (n,) not negative, 0 for what was not fetched
    sources, targets : (e,) ends of the edges, each edge once, numbers from 0 to n - 1
    decay : d, in (0, 1)
    generations : the last one that counts; 0: all
    """
    order = np.argsort(targets, kind="stable")
    sources, (heads, starts) = sources[order], np.unique(targets[order], return_index=True)
    ancestors = np.unique(sources)  # what links to nothing hands on nothing
    combine = np.add if combination == "sum" else np.maximum
    inherited = np.zeros((2, len(relevance)))
    for first in range(0, len(ancestors), TOGETHER):
        some = ancestors[first : first + TOGETHER]
        own = np.zeros((len(some), TOGETHER), bool)
        own[np.arange(len(some)), np.arange(len(some))] = True
        here = np.zeros((len(relevance), TOGETHER // 64), np.uint64)  # which of them are ancestors in this generation
        here[some] = np.packbits(own, axis=1).view(np.uint64)
        given_by = np.zeros(TOGETHER)
        given_by[: len(some)] = relevance[some]
        of_bytes = combine.reduce(BITS * given_by.reshape(-1, 1, 8), axis=2)  # (bytes, 256)
        for generation in count(1):
            last, here = here, np.zeros_like(here)
            here[heads] = np.bitwise_or.reduceat(last[sources], starts)
            given = combine.reduce(of_bytes[np.arange(len(of_bytes)), here[heads].view(np.uint8)], axis=1)
            given *= decay**generation
            kept = inherited[min(generation, 2) - 1]
            kept[heads] = combine(kept[heads], given)
            if generation == generations or decay**generation < LEAST or not here.any():
                break
            if not generations and np.array_equal(here, last):
                if combination == "sum":
                    inherited[1, heads] += given * decay / (1 - decay)
                break
    return inherited[0], inherited[1]
