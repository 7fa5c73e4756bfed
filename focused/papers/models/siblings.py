"""All children of a page before those of the next, as Diligenti et al. 2000 have it of their crawler and of its rival."""

from __future__ import annotations

import numpy as np

from focused.crawl.strategy import Changes, Visit
from focused.crawl.world import World

#: Of the other children of the page whose children are being fetched; the links of hubs have 2 at most.
BLOCK_SCORE = 3.0


class Siblings:
    """The children of one page are fetched before all else: the first of them that arrives takes the others to the front.

    Source: Diligenti, Coetzee, Lawrence, Giles & Gori 2000, "Focused Crawling Using Context Graphs", sections 3.3 and 4.

    Attributes
    ----------
    parent : the page whose children are being fetched; -1 before the first
    """

    def __init__(self, world: World) -> None:
        self._world = world
        self.parent = -1

    def raised(self, visit: Visit, changes: Changes) -> Changes:
        """The changes that a page brings, and the siblings that come to the front with it."""
        parent = int(self._world.urls.source[visit.id])
        if parent < 0 or parent == self.parent:
            return changes
        self.parent = parent
        children = self._world.graph.targets(parent)
        parts = visit.parts or (0.0,) * changes.parts.shape[1]
        return Changes(
            np.concatenate((changes.ids, children)),
            np.concatenate((changes.scores, np.full(len(children), BLOCK_SCORE))),
            np.concatenate((changes.parts, np.tile(parts, (len(children), 1)))),
        )
