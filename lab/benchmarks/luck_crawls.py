"""Crawls of one topic that differ by luck alone, and all that is needed to see where they part."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal, get_args

from focused.crawl.crawl import Crawl
from focused.reading.reader import Reader
from focused.reading.urls import host_of
from focused.simulation.analysed_web import AnalysedWeb
from focused.simulation.simulator import Network, Simulator
from focused.simulation.web_opener import WebOpener
from focused.topic.topic import Budget
from lab.crawlers import entrants
from lab.judging.run import Run
from lab.judging.spelling import Spelling
from lab.measures.normalised_area import normalised_area
from lab.topics.labelled_files import LabelledFile

#: What luck decides: when answers arrive, what the strategy draws at random, or both.
Luck = Literal["latencies", "draws", "both"]
LUCKS: tuple[Luck, ...] = get_args(Luck)
SEED = 1  #: of what does not vary


@dataclass(slots=True, frozen=True)
class Choice:
    """What a crawl chose, and what else it could have."""

    event: int  #: number of the crawl's event
    url: str
    score: float
    passed_over: float | None  #: the better score that it passed over, to explore; None where it took the best
    runner_up: float | None  #: the best score that may be taken now, once this is gone
    held: float | None  #: the best score that waits on a busy host

    @property
    def host(self) -> str:
        return host_of(self.url)


@dataclass(slots=True, frozen=True)
class Fetched:
    """A page in the order of arrival."""

    event: int  #: of its choice
    url: str  #: as the labels spell it
    host: str
    relevance: float  #: by the crawl's own page model
    own_relevant: bool
    is_target: bool  #: by the labels, which the crawl never sees; of copies, only the first
    hosts_heard: int  #: hosts the crawl has heard of when it has read this page


@dataclass(slots=True, frozen=True)
class LuckyCrawl:
    """One of the crawls.

    area : normalised, over the budget
    choices : in order
    pages : in the order of arrival
    hosts : all that it has heard of, in that order, those of seeds first
    hosts_of_seeds : number of these
    """

    topic: str
    order: int
    area: float
    choices: Sequence[Choice]
    pages: Sequence[Fetched]
    hosts: Sequence[str]
    hosts_of_seeds: int = 0

    def targets_at(self, pages: int) -> int:
        """Targets among the first pages."""
        return sum(page.is_target for page in self.pages[:pages])

    def heard_at(self, pages: int) -> frozenset[str]:
        """Hosts heard of when so many pages were read."""
        if not pages or not self.pages:
            return frozenset()
        return frozenset(self.hosts[: self.pages[min(pages, len(self.pages)) - 1].hosts_heard])


class _Watched(Simulator):
    """A simulator that notes what was chosen, and what else there was."""

    def __init__(self, crawl: Crawl, web: AnalysedWeb, network: Network) -> None:
        super().__init__(crawl, web, network)
        self.choices: list[Choice] = []

    def _send(self, request: Any) -> None:
        super()._send(request)
        if request.hops:  # a redirect is followed: nothing was chosen
            return
        pick, frontier = request.pick, self.crawl.frontier
        best = frontier.best()
        others = None if best is None else frontier.score(best), frontier.held_score
        self.choices.append(Choice(pick.event, request.url, pick.score, pick.passed_over, *others))


@dataclass(frozen=True)
class LuckyCrawling:
    """The task to make one of them.

    order : number of the crawl, from 1 on
    """

    labelled: LabelledFile
    strategy: str
    pages: int
    order: int
    luck: Luck = "latencies"
    network: Network = field(default_factory=Network)
    models: Path | None = None

    def __str__(self) -> str:
        return f"{self.labelled.topic.name}, order {self.order}"

    def __call__(self, opener: WebOpener) -> LuckyCrawl:
        topic = self.labelled.topic.model_copy(
            update={"strategy": self.strategy, "strategy_options": {}, "budget": Budget(pages=self.pages)}
        )
        reader = Reader(topic.reading, keep=topic.keywords)
        web = opener.open(topic, reader, self.labelled.part)
        judgements = self.labelled.read().judgements
        labels = judgements if entrants.sees_labels(self.strategy) else None
        crawl = entrants.core_of(topic, web, labels, SEED if self.luck == "latencies" else self.order, self.models)
        network = replace(self.network, seed=SEED if self.luck == "draws" else self.order)
        simulator = _Watched(crawl, web, network)
        label = Spelling(judgements, reader.rules).label
        left = set(judgements.reachable_targets)
        pages, duplicates = [], {}
        for fetch in simulator.fetches():
            if fetch.outcome != "page":
                continue
            url = label(fetch.final_url)
            if fetch.duplicate_of is not None:
                duplicates[url] = label(fetch.duplicate_of)
            relevance, heard = round(fetch.relevance or 0.0, 4), len(crawl.hosts.names)
            found = Fetched(fetch.pick, url, host_of(url), relevance, fetch.relevant, url in left, heard)
            left.discard(url)
            pages.append(found)
        opener.save()
        run = Run(self.strategy, topic.name, self.order, [page.url for page in pages], duplicates)
        area = normalised_area(run, judgements, self.pages)
        hosts, of_seeds = list(crawl.hosts.names), len(crawl.world.seed_hosts)
        return LuckyCrawl(topic.name, self.order, area, simulator.choices, pages, hosts, of_seeds)
