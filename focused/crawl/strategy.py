"""Crawling strategies: a strategy looks at each page that arrives and scores the page's links, all in one call.

A strategy is one class in one file of `focused/strategies`, named as the file is. It sees a `Visit` and answers with
`Changes`; the crawl does everything else (duplicates, scope, limits, the frontier, storage, politeness).

Most strategies write `Strategy.score` and nothing else. Others use more of this class:

- what a link inherits along a path: `Visit.parts`, the parts of the score that led to this page
- evidence from several parents: state of its own by id of URL, and `Changes` with ``replace``
- the whole graph now and then: `Strategy.uses_graph` and `Strategy.rescore`
- queues of its own, random draws, exploration: `Strategy.choose`
- who links to a page: `Changes.ask` and `Strategy.backlinks`
- links of a sitemap, a feed or the answer of a search: `Strategy.listed`
- which pages are worth another visit: `Strategy.hubs`
- what was learned from examples before the crawl: `Strategy.trained` and `World.model`
- what earlier crawls taught: `Strategy.knows` and `World.knowledge`
"""

from __future__ import annotations

from abc import ABC
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict, Field

from focused.crawl.arrays import FloatArray, IntArray
from focused.crawl.novelty import NOTHING_NEW
from focused.page.page import Link, Page

if TYPE_CHECKING:
    from focused.crawl.world import World


class StrategyOptions(BaseModel):
    """The parameters of a strategy, as a topic file gives them under ``[strategy]``; every field says what it is.

    Those of this class every strategy has; the crawl sees to them.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    #: The trained model that its option ``model`` names judges pages, where [relevance] names none.
    judges: ClassVar[bool] = False

    min_score: float = Field(
        0.0,
        ge=-1e6,
        le=1e6,
        allow_inf_nan=False,
        description="fetch no link whose score is below this, whatever it is; 0: fetch all",
    )


#: Probability that a page is on topic, by what a person taught. Takes the numbers of the page's distinct terms, ascending (see
#: `hashed_terms`), 1 + ln tf of each, and the page's relevance by the page model.
Judge = Callable[[NDArray[np.int32], NDArray[np.float32], float], float]


@dataclass(slots=True)
class Visit:
    """A page that was just fetched, as a strategy sees it.

    Arrays are aligned with ``links``: all links of the page in page order, those included that were fetched long ago.
    """

    id: int  #: of the page's URL
    page: Page
    depth: int  #: links followed from a seed
    relevance: float  #: what the page model says, in [0, 1]
    relevant: bool  #: relevance reaches the topic's threshold, and the page brings something new
    targets: IntArray  #: (n,) id of each link's URL; equal where the page links twice to one URL
    parts: tuple[float, ...] = ()  #: of the score by which this page was chosen; zeros for a seed
    verdict: str = ""  #: why the page brings nothing new, such as ``near copy`` (see `novelty`); empty for a new one
    picked: int = -1  #: id of the URL that was chosen, and linked to; not `id` if it redirects. By default `id`
    counts: bool = False  #: as harvest: it is relevant and says something itself, or the topic counts its kind too
    #: The page was visited before and has changed since. Its links are those that were never seen; a strategy that has learned
    #: from the page need not learn from it again.
    again: bool = False
    said: float | None = None  #: probability that it is on topic, by what a person taught; None if nothing was
    by_model: float = 0.0  #: relevance by the page model alone, in [0, 1]

    def __post_init__(self) -> None:
        if self.picked < 0:
            self.picked = self.id

    @property
    def links(self) -> Sequence[Link]:
        return self.page.links

    @property
    def kind(self) -> str:
        """``index``, ``listing`` or ``stub`` of a page that hardly says anything itself; empty for one that does."""
        return self.page.kind

    @property
    def duplicate(self) -> bool:
        """The page teaches nothing: it is a copy, or made to deceive. One that says hardly anything new is still on its topic."""
        return self.verdict not in ("", NOTHING_NEW)


@dataclass(slots=True)
class Changes:
    """What a strategy wants done to the frontier: URLs that get (or change) their score.

    ids : (n,) ids of URLs, also of links seen long ago; an id may occur several times (its best score counts). If all links of
        the fetched page come first, in page order, the journal records their scores
    scores : (n,) any finite numbers, higher is fetched earlier; NaN drops the link
    parts : (n, p) what each score is made of, in the order of `Strategy.parts`; kept so that it can be explained
    replace : a URL that waits gets this score, and NaN takes it out of the frontier; otherwise it keeps the better score
        (and the parts and source that go with it), and NaN only says that this link is not followed
    ask : ids of URLs whose backlinks the strategy wants; they come later, or never, by a call of `Strategy.backlinks`

    A URL already fetched is ignored, and so is one that the scope bars.
    """

    ids: IntArray
    scores: FloatArray
    parts: FloatArray
    replace: bool = False
    ask: Sequence[int] = ()

    @classmethod
    def none(cls, parts: int = 0) -> Changes:
        return cls(np.empty(0, np.int64), np.empty(0), np.empty((0, parts)))


@dataclass(slots=True, frozen=True)
class Waiting:
    """What waits in the frontier at one moment; copies, so that another thread may use them.

    ids, scores : (n,) host after host, first in first
    parts : (n, p) what each score is made of
    """

    ids: IntArray
    scores: FloatArray
    parts: FloatArray


@dataclass(slots=True, frozen=True)
class Rescoring:
    """What came of a rescoring: new scores of what waits, and what was learned on the way, for `Strategy.adopt`."""

    changes: Changes
    learned: Any = None


#: Answer of `Strategy.choose`: take nothing now, for what waits on a busy host is worth more.
WAIT = -1


class Ready(Protocol):
    """The frontier, for a strategy that chooses itself: what may be taken now, and the best that must wait."""

    @property
    def held_score(self) -> float | None:
        """The best score that waits on a busy host, which will be ready again; None if nothing waits on one."""

    def best(self) -> int | None:
        """Id of the best URL that may be taken now."""

    def score(self, url: int) -> float:
        """Score of a URL that waits."""

    def ready_hosts(self) -> IntArray:
        """(h,) ids of hosts from which a URL may be taken now."""

    def best_of(self, host: int) -> int:
        """Id of the best URL of a ready host."""

    def ready_of(self, host: int) -> IntArray:
        """(n,) ids of the URLs of a ready host that may be taken now, first in first."""

    def best_scores(self, hosts: IntArray) -> FloatArray:
        """(h,) score of the best URL of each of h hosts."""

    def ready(self) -> Waiting:
        """All that may be taken now."""


@dataclass(slots=True)
class Seeds:
    """URLs to start from: ids and where they lie."""

    ids: IntArray
    hosts: list[str] = field(default_factory=list)


class Restorable(Protocol):
    """A trained model that is kept as data: loading it runs nothing but `restored`. See `focused.scorers.plain_state`."""

    def state(self) -> dict[str, Any]:
        """Plain values, arrays, and such dicts again."""

    @classmethod
    def restored(cls, state: Mapping[str, Any]) -> Restorable:
        """The model of a `state`; ValueError if it is none."""


class Strategy(ABC):
    """Base class of all strategies. A subclass sets `name` and `parts` and writes `score` (or `visited`)."""

    name: ClassVar[str]
    parts: ClassVar[tuple[str, ...]]  #: names of the numbers a score is made of, each explained in the docstring
    meanings: ClassVar[Mapping[str, str]] = {}  #: part -> what it says of a link, in words for a person
    #: Names of parts that belong together, by what a person calls them.
    sums: ClassVar[Mapping[str, tuple[str, ...]]] = {}
    weighed_by: str = ""  #: the weights that it began with, in words for a person; empty: none were given beforehand
    choice: str = ""  #: why `choose` takes another URL than the best, in words for a person; empty: it does not
    Options: ClassVar[type[StrategyOptions]] = StrategyOptions
    uses_graph: ClassVar[bool] = False  #: `World.graph` is kept for it
    reads_budget: ClassVar[bool] = False  #: `World.page_budget` decides what it does: another one replays the journal
    uses_scorers: ClassVar[bool] = False  #: `World.scorers` are given it, see `focused.scorers`
    #: Kind of the trained model that its option ``model`` may name, see `focused.papers.training`.
    trained: ClassVar[str] = ""
    model_class: ClassVar[type[Restorable] | None] = None  #: of that model, where it is kept as arrays and plain values
    needs_model: ClassVar[bool] = False  #: it cannot work without that model
    weighs: ClassVar[bool] = False  #: its option ``weights`` may name those to begin with, which `World.weights` holds
    knows: ClassVar[str] = ""  #: kind of the trained model that its option ``knowledge`` may name
    knowledge_class: ClassVar[type[Restorable] | None] = None  #: of the model that ``knowledge`` names, likewise

    #: Raise it whenever `state`, or the columns that the strategy keeps, change their shape or meaning: the crawl then makes older
    #: snapshots anew from the stored pages. A contract test tells when you forget.
    state_version: int | str = 1

    batch: int = 1  #: this many best links are taken from the frontier before it is looked at again (best-N-first)
    evicts: bool = True  #: a full frontier evicts its worst; False: a full frontier takes no more links (breadth-first)
    rescore_every: int = 0  #: pages between two calls of `rescore`; 0: never
    rescore_lag: int = 0  #: picks from the beginning of a rescoring to its effect; a slow rescoring needs some
    apart: int = 0  #: pages fetched so far only to learn from them; the page budget does not count them

    #: What a re-fetch is worth, in (0, 1], by id of a fetched page that leads to good ones; used where the topic re-fetches pages
    #: ([recrawl]). A strategy that finds its hubs anew assigns a new object.
    hubs: Mapping[int, float] | None = None
    revisits_hubs: bool = False  #: they are re-fetched each time that they are found anew, also without [recrawl]

    def __init__(self, options: StrategyOptions, world: World) -> None:
        self.options: Any = options
        self.world = world

    @classmethod
    def summary(cls) -> str:
        """What the strategy does: the first line of its docstring."""
        return (cls.__doc__ or "").strip().partition("\n")[0]

    @classmethod
    def tuned(cls, model: Any, options: Mapping[str, Any]) -> Any:  # noqa: ARG003
        """Its trained model as these options make it."""
        return model

    def start(self, seeds: Seeds) -> Changes:
        """Score seeds: 1 by default, first in, first out."""
        count = len(seeds.ids)
        return Changes(seeds.ids, np.ones(count), np.zeros((count, len(self.parts))))

    def visited(self, visit: Visit) -> Changes:
        """Answer to a fetched page; by default the scores of its own links."""
        scores, parts = self.score(visit)
        return Changes(visit.targets, scores, parts)

    def score(self, visit: Visit) -> tuple[FloatArray, FloatArray]:
        """Score all links of a page in one call: scores (n,) and parts (n, len(self.parts))."""
        raise NotImplementedError(f"{type(self).__name__} writes neither score nor visited")

    def listed(self, visit: Visit) -> Changes:
        """Answer to a list of links that is no page: a sitemap, a feed, the answer of a search (see `link_lists`).

        Its text is the titles and summaries of its entries. Its relevance is that of this text or the host's share of relevant
        pages, whichever is larger. By default it is treated as a page; a strategy that learns from pages must not learn from it.
        """
        return self.visited(visit)

    def failed(self, url: int, parts: tuple[float, ...]) -> Changes:
        """Answer to a URL that gave no page; ``parts`` as in `Visit`. By default nothing changes."""
        return Changes.none(len(self.parts))

    def aliased(self, url: int, target: int) -> None:
        """Note that a picked URL redirects to one that was known before, which may wait or have been fetched long ago."""

    def backlinks(self, url: int, ids: IntArray) -> Changes:
        """Answer to a question (`Changes.ask`): ids (n,) of pages that link to ``url``, fetched long ago or new.

        By default nothing changes.
        """
        return Changes.none(len(self.parts))

    def taught(self, judge: Judge) -> None:
        """Take in that a person's verdicts have changed how pages are judged, fetched ones too. By default nothing changes.

        The strategy rescores all waiting URLs at the end of this event, unless `rescore_every` is 0.
        """

    def is_time_to_rescore(self, pages: int) -> bool:
        """Whether `rescore` is called now, ``pages`` pages after the last time; asked at the end of each event."""
        return 0 < self.rescore_every <= pages

    def rescore(self, waiting: Waiting) -> Callable[[], Rescoring] | None:
        """Return a job that rescores all waiting URLs; None if there is nothing to do.

        A live crawl runs the job in another thread: it may use what it got here (`waiting`, copies of what the strategy
        knows), but nothing of the strategy or the world that may change meanwhile.
        """
        return None

    def adopt(self, learned: Any) -> None:
        """Take up what a rescoring has learned, at the moment its scores take effect."""

    def choose(self, ready: Ready) -> int | None:
        """Id of the URL that comes next; None for the best one, WAIT for none now. Random numbers come from `World.chance`.

        A strategy may wait only if something better waits on a host that is not ready yet, or if a page under way or an answer
        to its question may bring something better.
        The crawl calls this only when a URL may be taken, perhaps several times for one pick, with other hosts ready. The call
        must change nothing in the strategy.
        """
        return None

    def state(self) -> dict[str, Any]:
        """What must survive a restart, as plain values and numpy arrays; nothing for strategies without memory."""
        return {}

    def restore(self, state: Mapping[str, Any]) -> None:
        """Take up what `state` gave."""

    def told(self) -> dict[str, Any]:
        """What to show a person of the strategy, as plain JSON values; called at each commit, so it must be small and cheap."""
        return {}
