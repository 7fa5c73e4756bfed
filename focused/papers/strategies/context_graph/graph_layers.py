"""Context graphs: pages by the number of links that lead from them to a target, found by following links backwards.

Source: Diligenti, Coetzee, Lawrence, Giles & Gori 2000, "Focused Crawling Using Context Graphs", section 3.1.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import chain
from random import Random
from typing import Self

import numpy as np

from focused.crawl.arrays import IntArray

Parents = Callable[[int], Iterable[int]]  #: the pages that link to a page


class LayeredGraph:
    """One context graph, which grows layer by layer.

    Layer 0 are the targets, layer i the pages from which at least i links lead to one. A page that links to two pages of a
    layer stands twice in the next: each stands there with one link to follow.

    Attributes
    ----------
    layers : pages of each layer, that of the targets first
    nearer : all pages found so far: those of the layers, and those that the draw left out
    """

    def __init__(self, targets: Sequence[int]) -> None:
        self.layers = [list(targets)]
        self.nearer = set(targets)

    @classmethod
    def restored(cls, layers: list[list[int]], nearer: Iterable[int]) -> Self:
        """A graph with these attributes."""
        self = cls(())
        self.layers, self.nearer = layers, set(nearer)
        return self

    def grow(self, parents: Parents, most: int, chance: Random) -> None:
        """Add the next layer: of more than ``most`` pages so many are drawn, and only these are followed further back."""
        found = [page for page in chain.from_iterable(map(parents, self.layers[-1])) if page not in self.nearer]
        self.nearer.update(found)
        self.layers.append(_drawn(found, most, chance))


def context_graph(
    targets: Sequence[int], sources: IntArray, ends: IntArray, *, depth: int, most: int, chance: Random
) -> list[list[int]]:
    """The layers of the context graph of targets, of links that are all known.

    Parameters
    ----------
    sources, ends : (e,) pages of each link, numbers from 0 on
    depth : layers beside that of the targets; ``depth`` + 1 lists are returned, empty ones among them
    most : pages of a layer
    """
    graph, parents = LayeredGraph(_drawn(list(targets), most, chance)), parents_of(sources, ends)
    graph.nearer.update(targets)
    for _ in range(depth):
        graph.grow(parents, most, chance)
    return graph.layers


def parents_of(sources: IntArray, ends: IntArray) -> Parents:
    """The parents of pages by links (e,), in the order of the links."""
    order = np.argsort(ends, kind="stable")
    sources, ends = sources[order], ends[order]

    def parents(page: int) -> list[int]:
        first, last = np.searchsorted(ends, (page, page + 1))
        return list(sources[first:last].tolist())

    return parents


def distances(targets: Sequence[int], sources: IntArray, ends: IntArray, *, pages: int, depth: int) -> IntArray:
    """(pages,) links from each page to the nearest target; ``depth`` + 1 for more."""
    found = np.full(pages, depth + 1)
    found[list(targets)] = 0
    for distance in range(1, depth + 1):
        parents = sources[found[ends] == distance - 1]
        found[parents[found[parents] > distance]] = distance
    return found


def merged(graphs: Sequence[Sequence[Sequence[int]]]) -> list[list[int]]:
    """The merged context graph: the pages of a layer of all graphs, as often as they stand there."""
    return [[page for layer in layers for page in layer] for layers in zip(*graphs, strict=True)]


def _drawn(pages: list[int], most: int, chance: Random) -> list[int]:
    return pages if len(pages) <= most else [pages[place] for place in sorted(chance.sample(range(len(pages)), most))]
