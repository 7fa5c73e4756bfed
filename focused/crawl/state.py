"""The state of a crawl: its parts, what they say together, and its snapshot. Events change it (see `Intake`)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from typing import Any

import numpy as np

from focused.crawl.admission import Admission, Denials
from focused.crawl.arrays import FloatArray, IntArray
from focused.crawl.budget import DEAD_END, Stop, Totals, reached, too_low
from focused.crawl.events import Pick
from focused.crawl.frontier import LOWEST, Frontier
from focused.crawl.novelty import SiteText
from focused.crawl.rescoring import Rescorings
from focused.crawl.site_lists import SiteLists
from focused.crawl.standing_orders import StandingOrders
from focused.crawl.strategy import Strategy, StrategyOptions
from focused.crawl.teaching import PageJudge, Teacher
from focused.crawl.traps import TrapDefence
from focused.crawl.url_table import State, UrlNaming
from focused.crawl.world import World
from focused.page.page import Page
from focused.page.urls import Address
from focused.topic.topic import Budget, Topic

#: Version of `CrawlState.snapshot` without the strategy's part; raise it when the snapshot changes its shape or meaning.
STATE_VERSION = 13


class CrawlState:
    """The parts of one crawl of one topic.

    Parameters
    ----------
    topic : scope, budget and frontier limits
    strategy : class of the strategy, with its validated options
    world : what the strategy may look at, of a crawl that has not begun
    page_model : relevance of a page in [0, 1]
    page_model_version, teacher : as of `PageJudge`

    Attributes
    ----------
    events : number of events so far; the position in the journal
    in_flight : by id of URL, picks that have not come to their end
    put_off : ids of picks under way that wait until their hosts may be asked again; they take no place in the budget
    revisiting : ids of pages fetched long ago that are being re-fetched; they take no place in the budget, and an interrupted
        crawl forgets them
    reserved : by id of a pick under way, new URLs that it was redirected to
    asking : ids of URLs whose backlinks the strategy wants, in the order in which it asked
    asks_more : the driver can still ask a search for links, so the crawl does not end yet though no URL is left
    rescorings : when the strategy rescores all waiting URLs; no snapshot can be taken while one is under way
    steering : what a person has asked of the crawl while it ran
    lists : sitemaps and feeds that the crawl fetches
    """

    def __init__(
        self,
        topic: Topic,
        strategy: type[Strategy],
        options: StrategyOptions,
        world: World,
        page_model: Callable[[Page], float],
        page_model_version: str = "",
        teacher: Teacher | None = None,
    ) -> None:
        self.topic, self.world = topic, world
        world.page_budget = topic.budget.pages
        self.urls, self.hosts = world.urls, world.hosts
        self.naming = UrlNaming(self.urls, self.hosts)
        self.strategy = strategy(options, world)
        self.judge = PageJudge(topic, page_model, page_model_version, teacher)
        self.totals = Totals()
        self.rescorings = Rescorings(self.strategy)
        self.asking: dict[int, None] = {}
        self.asks_more = False
        self.events = 0
        self.in_flight: dict[int, Pick] = {}
        self.put_off: set[int] = set()
        self.revisiting: set[int] = set()
        self.reserved: dict[int, list[int]] = {}
        self.frontier = Frontier(
            self.urls.columns,
            len(self.strategy.parts),
            cap=topic.frontier.cap,
            floor=options.min_score or LOWEST,
            batch=self.strategy.batch,
            distinct_hosts=topic.frontier.distinct_hosts,
        )
        self.traps = TrapDefence(topic.traps, self.urls, self.hosts, world.keywords)
        self.admission = Admission(topic, self.urls, self.hosts, self.traps, Denials())
        trust = self.traps.turns.begin
        self.steering = StandingOrders(
            self.urls, self.hosts, self.frontier, self.admission, self.no_parts(), self.naming, trust
        )
        self.site_text = SiteText(self.hosts)
        self.lists = SiteLists(topic.sources, self.urls, self.hosts, self.frontier, self.admission, self.naming)

    def load(self, keys: IntArray, host_of: IntArray, hosts: Sequence[str]) -> None:
        """Make known all URLs and hosts of a journal, in order of id, before anything else."""
        for host in hosts:
            self.hosts.intern(host)
        ids = self.urls.intern(keys)
        self.urls.host[ids] = host_of

    @property
    def budget(self) -> Budget:
        """The topic's budget, or what a person put in its place, plus the pages that the strategy fetches apart from it."""
        budget, apart = self.steering.budget(self.topic.budget), self.strategy.apart
        return budget.model_copy(update={"pages": budget.pages + apart}) if budget.pages and apart else budget

    def tell_budget(self) -> None:
        """Tell the strategy of the page budget that a person has put in the place of the topic's."""
        self.world.page_budget = self.steering.budget(self.topic.budget).pages

    @property
    def budget_is_taken(self) -> bool:
        """Whether the pages fetched and the picks under way use up the page budget."""
        limit = self.budget.pages
        apart = len(self.put_off | self.revisiting | self.lists.under_way.keys())
        return bool(limit) and self.totals.pages + len(self.in_flight) - apart >= limit

    @property
    def waits_for_arrivals(self) -> bool:
        """Given that nothing may be taken now: the strategy waits for what is under way, not for a busy host or an answer."""
        best = self.frontier.best()
        if best is None or self.asking:
            return False
        held = self.frontier.held_score
        return held is None or held <= self.frontier.score(best)

    def stop(self, seconds: float) -> Stop | None:
        """Why nothing more is to be fetched; None while there is something to do. ``seconds`` counts all runs."""
        if (stop := reached(self.budget, self.totals, seconds)) or not self.exhausted:
            return stop
        return too_low(len(self.frontier), self.frontier.floor) if len(self.frontier) else DEAD_END

    @property
    def exhausted(self) -> bool:
        """Whether the crawl has come to its end: no URL may be taken, nothing is under way and no question is open."""
        return self.is_stuck and not self.asks_more

    @property
    def is_stuck(self) -> bool:
        """The same, but the driver may still ask a search for links."""
        return not self.in_flight and not self.asking and self.is_spent

    @property
    def is_spent(self) -> bool:
        """Whether no waiting URL may be taken, now or later, unless the strategy scores it higher."""
        return self.frontier.spent and not self.steering.waits and not self.lists.waiting

    def named_parts(self, url: int) -> dict[str, float]:
        """The parts of a waiting URL's score, by name."""
        return dict(zip(self.strategy.parts, self.frontier.parts(url), strict=True))

    def no_parts(self) -> FloatArray:
        """(1, p) zeros: the parts of a score that no strategy gave."""
        return np.zeros((1, len(self.strategy.parts)))

    def wants(self, address: Address, page: Page) -> float | None:
        """The relevance of a page that another topic has fetched, if it would count here; else None.

        address : of the page; it must be new here or wait, and nothing may bar it
        """
        known, host = self.urls.find(address.key), self.hosts.find(address.host)
        if known >= 0 and self.urls.state[known] in (State.PICKED, State.DONE):
            return None
        relevance = self.judge.relevance_of(page)
        if not self.topic.is_harvest(page, relevance):
            return None
        waits = known >= 0 and self.urls.state[known] == State.WAITING
        if not waits and self.topic.scope.max_depth:  # its depth is not known
            return None
        if self.admission.against_address(address) or self.admission.against_type(page.content_type):
            return None
        return None if host >= 0 and self.admission.against_host(host) else relevance

    @property
    def state_version(self) -> str:
        """The versions of all that a snapshot depends on: this core takes up only a snapshot of the same."""
        strategy = self.strategy
        return f"core {STATE_VERSION}, {strategy.name} {strategy.state_version}, {self.judge.version}"

    def snapshot(self) -> dict[str, Any]:
        """All that decides how the crawl goes on, as nested dicts of plain values and arrays."""
        return {
            "events": self.events,
            "urls": self.urls.snapshot(),
            "hosts": self.hosts.columns.snapshot(len(self.hosts)),
            "totals": self.totals.snapshot(),
            "frontier": self.frontier.snapshot(),
            "in_flight": [asdict(pick) for url, pick in self.in_flight.items() if url not in self.revisiting],
            "traps": self.traps.snapshot(),
            "seed_hosts": sorted(self.world.seed_hosts),
            "pages": self.world.pages,
            "picks": self.world.picks,
            "rescored_at": self.rescorings.begun_at,
            "asking": list(self.asking),
            "steering": self.steering.snapshot(),
            "lists": self.lists.snapshot(),
            "teacher": self.judge.teacher.snapshot(),
            "graph": self.world.graph.snapshot(),
            "strategy": self.strategy.state(),
        }

    def restore(self, state: Mapping[str, Any]) -> None:
        """Take up what `snapshot` gave; `load` must have made known all URLs of the journal before."""
        self.events = state["events"]
        self.urls.restore(state["urls"])
        self.hosts.columns.restore(state["hosts"])
        self.totals = Totals.restored(state["totals"])
        self.frontier.restore(state["frontier"])
        picks = (Pick(**{**values, "parts": tuple(values["parts"])}) for values in state["in_flight"])
        self.in_flight = {pick.id: pick for pick in picks}
        # A pick under way is fetched again from its own URL, so the target of its redirect is free.
        self.urls.state[self.urls.state.values == State.PICKED] = State.FREE
        self.urls.state[list(self.in_flight)] = State.PICKED
        self.traps.restore(state["traps"])
        self.world.seed_hosts = frozenset(state["seed_hosts"])
        self.world.pages, self.world.picks = state["pages"], state["picks"]
        self.rescorings.begun_at = state["rescored_at"]
        self.asking = dict.fromkeys(state["asking"])
        self.steering.restore(state["steering"])
        self.tell_budget()
        self.lists.restore(state["lists"])
        self.judge.teacher.restore(state["teacher"])
        self.world.graph.restore(state["graph"])
        self.strategy.restore(state["strategy"])
