"""What a crawling strategy is: it looks at each page that arrives and scores the page's links, all in one call.

A strategy is one class in one file of `focused/strategies`, named as the file is. It sees a `Visit` and answers with
`Changes`; the crawl does everything else (duplicates, scope, limits, the frontier, storage, politeness).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Protocol

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict

from focused.reading.page import Link, Page

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]


class StrategyOptions(BaseModel):
    """The parameters of a strategy, as a topic file gives them under ``[strategy]``; every field says what it is."""

    model_config = ConfigDict(extra="forbid", frozen=True)


@dataclass(slots=True)
class Visit:
    """A page that was just fetched, as a strategy sees it.

    Arrays are aligned with ``links``: all links of the page in page order, those included that were fetched long ago.
    """

    id: int  #: of the page's URL
    page: Page
    depth: int  #: links followed from a seed
    relevance: float  #: what the page model says, in [0, 1]
    relevant: bool  #: relevance reaches the topic's threshold
    targets: IntArray  #: (n,) id of each link's URL; equal where the page links twice to one URL

    @property
    def links(self) -> Sequence[Link]:
        return self.page.links


@dataclass(slots=True)
class Changes:
    """What a strategy wants done to the frontier: URLs that get (or change) their score.

    ids : (n,) ids of URLs; one id may stand several times (its best score counts)
    scores : (n,) any finite numbers, higher is fetched earlier; NaN drops the link
    parts : (n, p) what each score is made of, in the order of `Strategy.parts`; kept so that it can be explained

    A URL that waits keeps the better score (and the parts and source that go with it), one already fetched is ignored.
    """

    ids: IntArray
    scores: FloatArray
    parts: FloatArray

    @classmethod
    def none(cls, parts: int = 0) -> Changes:
        return cls(np.empty(0, np.int64), np.empty(0), np.empty((0, parts)))


class World(Protocol):
    """What a strategy may look at besides the page."""

    @property
    def keywords(self) -> Mapping[str, int]:
        """The topic's keywords as stems with their counts: the query vector q."""

    @property
    def seed_hosts(self) -> frozenset[str]:
        """Host names of all seeds so far."""


@dataclass(slots=True)
class Seeds:
    """URLs to start from: ids and where they lie."""

    ids: IntArray
    hosts: list[str] = field(default_factory=list)


class Strategy(ABC):
    """Base class of all strategies. A subclass sets `name` and `parts` and writes `score`."""

    name: ClassVar[str]
    parts: ClassVar[tuple[str, ...]]  #: names of the numbers a score is made of, each explained in the docstring
    Options: ClassVar[type[StrategyOptions]] = StrategyOptions

    batch: int = 1  #: this many best links are taken from the frontier before it is looked at again (best-N-first)
    evicts: bool = True  #: a full frontier evicts its worst; False: a full frontier takes no more links (breadth-first)

    def __init__(self, options: StrategyOptions, world: World) -> None:
        self.options: Any = options
        self.world = world

    def start(self, seeds: Seeds) -> Changes:
        """Score seeds: 1 by default, first in, first out."""
        count = len(seeds.ids)
        return Changes(seeds.ids, np.ones(count), np.zeros((count, len(self.parts))))

    def visited(self, visit: Visit) -> Changes:
        """Answer to a fetched page; by default the scores of its own links."""
        scores, parts = self.score(visit)
        return Changes(visit.targets, scores, parts)

    @abstractmethod
    def score(self, visit: Visit) -> tuple[FloatArray, FloatArray]:
        """Score all links of a page in one call: scores (n,) and parts (n, len(self.parts))."""

    def state(self) -> dict[str, Any]:
        """What must survive a restart, as plain values and numpy arrays; nothing for strategies without memory."""
        return {}

    def restore(self, state: Mapping[str, Any]) -> None:
        """Take up what `state` gave."""
