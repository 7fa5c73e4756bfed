"""Context graphs: pages by the number of links that lead from them to a target, found by following links backwards.

Source: Diligenti, Coetzee, Lawrence, Giles & Gori 2000, "Focused Crawling Using Context Graphs", section 3.1.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import numpy as np

from focused.crawl.arrays import IntArray


def context_graph(
    targets: Sequence[int], sources: IntArray, ends: IntArray, *, depth: int, most: int, chance: Random
) -> list[list[int]]:
    """Pages by layer: layer 0 are the targets, layer i the pages from which at least i links lead to one.

    Parameters
    ----------
    sources, ends : (e,) pages of each link, numbers from 0 on
    depth : layers beside that of the targets; ``depth`` + 1 lists are returned, empty ones among them
    most : pages of a layer; of more, this many are drawn, and only these are followed further back

    Each page stands in one layer, once.
    """
    size = int(max(ends.max(initial=-1), sources.max(initial=-1), max(targets, default=-1))) + 1
    seen = np.zeros(size, np.bool_)
    layers = [_sample(list(targets), most, chance)]
    seen[list(targets)] = True
    for _ in range(depth):
        here = np.zeros(size, np.bool_)
        here[layers[-1]] = True
        parents = np.zeros(size, np.bool_)
        parents[sources[here[ends]]] = True
        found = np.flatnonzero(parents & ~seen)
        seen[found] = True
        layers.append(_sample(found.tolist(), most, chance))
    return layers


def merged(graphs: Sequence[Sequence[Sequence[int]]]) -> list[list[int]]:
    """The merged context graph: the pages of a layer of all graphs, as often as they stand there."""
    return [[page for layer in layers for page in layer] for layers in zip(*graphs, strict=True)]


def _sample(pages: list[int], most: int, chance: Random) -> list[int]:
    return pages if len(pages) <= most else sorted(chance.sample(pages, most))
