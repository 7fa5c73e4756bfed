"""What a strategy may look at besides the page: the topic's words, what the crawl has seen, and repeatable random numbers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

from numpy.typing import DTypeLike

from focused.crawl.columns import Column
from focused.crawl.hosts import Hosts
from focused.crawl.link_graph import LinkGraph
from focused.crawl.url_table import UrlTable


@dataclass(slots=True, frozen=True)
class InLanguage:
    """A topic in one of its languages: stems with counts, and the term lists of examples."""

    keywords: Mapping[str, int]
    examples: Sequence[Sequence[str]] = ()


@dataclass(slots=True)
class World:
    """Kept up to date by the crawl; a strategy reads it, keeps columns of its own in it (`column`, `host_column`) and changes
    nothing else.

    Parameters
    ----------
    keywords : the topic's keywords as stems with their counts: the query vector q
    examples : terms of the topic's example pages, those that came as files
    description : terms of its description
    model : what `scrapy train` made for the strategy, if the topic names a model
    knowledge : what it learned from earlier crawls, if the topic names that
    weights : of columns of scorers, the card of a model, if the topic names one
    scorers : classes of those that a scoring pipeline asks, in order; empty: the usual ones
    seed : of everything random
    terms : turns a text into terms, as the pages were
    language : of the topic, ISO 639-1
    stemming : terms are stems; otherwise words as they are written
    """

    keywords: Mapping[str, int]
    examples: Sequence[Sequence[str]] = ()
    description: Sequence[str] = ()
    model: Any = None
    knowledge: Any = None
    weights: Any = None
    scorers: tuple[type[Any], ...] = ()
    seed: int = 0
    terms: Callable[[str], list[str]] = str.split
    language: str = "en"
    #: Of a topic in several languages, by code; empty: there is one.
    languages: Mapping[str, InLanguage] = field(default_factory=dict)
    answers: bool = False  #: the driver answers questions for backlinks (`Changes.ask`); otherwise they are not kept
    probes: bool = False  #: the driver asks hosts for pages that cannot be, and says what they answer (`ProbeAnswered`)
    page_budget: int = 0  #: pages that the crawl may fetch; 0: no limit
    stemming: bool = True
    hubs: frozenset[int] = frozenset()  #: keys of those seeds that are hubs, as the topic names them
    seed_hosts: frozenset[str] = frozenset()  #: host names of all seeds so far but hubs
    pages: int = 0  #: fetched so far
    picks: int = 0  #: URLs taken from the frontier so far
    #: In [0, 1], how far the crawl is behind its time (see `budget.hurry`), for `Strategy.choose` only: a replay knows no time.
    hurry: float = 0.0
    graph: LinkGraph = field(default_factory=LinkGraph)  #: empty unless the strategy `uses_graph`
    hosts: Hosts = field(default_factory=Hosts)
    urls: UrlTable = field(default_factory=UrlTable)

    def column(self, name: str, dtype: DTypeLike, fill: float = 0, shape: tuple[int, ...] = ()) -> Column:
        """An array by id of URL that the strategy keeps; the crawl lets it grow, saves it and gives it back. See `Columns.add`."""
        return self.urls.columns.add(f"strategy.{name}", dtype, fill, shape=shape)

    def host_column(self, name: str, dtype: DTypeLike) -> Column:
        """The same by id of host."""
        return self.hosts.columns.add(f"strategy.{name}", dtype)

    @property
    def texts(self) -> list[Sequence[str]]:
        """Terms of all texts that a person wrote of the topic or gave for it: the description, and the examples."""
        return [self.description, *self.examples] if self.description else list(self.examples)

    def chance(self, purpose: str) -> Random:
        """Random numbers that depend only on the seed, the number of picks so far and the purpose.

        So the crawl saves no random state, and a replay draws the same numbers.
        """
        return Random(f"{self.seed} {self.picks} {purpose}")
