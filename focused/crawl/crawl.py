"""The core that both drivers share: pages go in, the next link comes out. No I/O, no clock; every call is one event.

The order of events decides everything: a crawl that is given the same events again stands where it stood, which is how an
interrupted crawl goes on (see `focused/live/session.py`) and how a changed strategy is applied to pages already fetched.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from itertools import islice
from typing import Any

import numpy as np

from focused.crawl.admission import Admission, Drop
from focused.crawl.arrays import FloatArray, IntArray
from focused.crawl.denials import Denials
from focused.crawl.frontier import LOWEST, Frontier
from focused.crawl.novelty import NEW, Finding
from focused.crawl.pace import hurry
from focused.crawl.rescoring import Rescorings
from focused.crawl.scope import ALLOWED
from focused.crawl.site_lists import SiteLists
from focused.crawl.site_text import SiteText
from focused.crawl.standing_orders import Order, StandingOrders
from focused.crawl.stopping import DEAD_END, Stop, reached, too_low
from focused.crawl.strategy import WAIT, Changes, Rescoring, Seeds, Strategy, StrategyOptions, Visit
from focused.crawl.teaching import Lesson, NoTeacher, Teacher
from focused.crawl.totals import Totals
from focused.crawl.traps import WORTHLESS, TrapDefence
from focused.crawl.url_table import NO_SOURCE, UNASKED, State
from focused.crawl.world import World
from focused.crawl.yields import why_closed
from focused.page.link_lists import LINK_LISTS, LIST_TYPES
from focused.page.page import Page
from focused.page.urls import Address
from focused.topic.topic import Budget, Topic


@dataclass(slots=True, frozen=True)
class Pick:
    """A URL to be fetched next, and why: its score when chosen and the parts that made it."""

    event: int  #: its number
    id: int
    host: int
    score: float
    parts: tuple[float, ...]
    source: int  #: id of the page it was found on, NO_SOURCE for a seed
    depth: int
    #: Score of the best URL that could have been taken, where the strategy preferred this one; not known after a replay.
    passed_over: float | None = None


#: Of `Crawl.snapshot`, but for what belongs to the strategy; raised when its shape or meaning changes.
STATE_VERSION = 12
MOST_DENIED = 50  #: hosts that a driver is asked about in vain before others have their turn: each costs a choice
FULL = "the frontier is full"  #: why a URL was evicted, or not taken


@dataclass(slots=True)
class Arrival:
    """What a fetched page changed: all that a journal has to write down beside the page itself."""

    visit: Visit
    new: list[int]  #: positions of the links whose URL was never seen before, in order of their ids
    scores: FloatArray  #: (n,) the score each link was given, NaN where it was not followed
    duplicate_of: int | None  #: id of an earlier page that this one copies
    drops: list[Drop] = field(default_factory=list)
    probe: Address | None = None  #: a URL that waits now, of a page that cannot be on the host of this one
    lists: list[Address] = field(default_factory=list)  #: URLs of sitemaps and feeds that nobody knew before

    @property
    def is_list(self) -> bool:
        """It was no page, but a list of links: it counts nowhere."""
        return self.visit.kind in LINK_LISTS


class Crawl:
    """One crawl of one topic.

    Parameters
    ----------
    topic : scope, budget and frontier limits
    strategy : class of the strategy, with its validated options
    world : what the strategy may look at, of a crawl that has not begun
    page_model : relevance of a page in [0, 1]
    page_model_version : names the page model; another name makes snapshots of before useless
    teacher : learns from a person's verdicts on pages, and judges pages then; without one they change nothing

    Attributes
    ----------
    rescorings : when the strategy scores anew all that waits; no snapshot can be taken while one is under way
    put_off : ids of picks under way that wait until their hosts may be asked again; they leave their place in the budget to others
    revisiting : ids of pages fetched long ago that are asked for once more; they take no place in the budget, and are forgotten
        when the crawl is interrupted
    asking : ids of URLs whose backlinks the strategy wants to know, in the order in which it asked
    asks_more : the driver can still ask somebody for links, so that the crawl does not end for want of them
    steering : what a person has asked of the crawl while it ran
    lists : sitemaps and feeds that are asked for
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
        self.urls, self.hosts = world.urls, world.hosts
        self.strategy = strategy(options, world)
        self.totals = Totals()
        self.rescorings = Rescorings(self.strategy)
        self.asking: dict[int, None] = {}
        self.asks_more = False
        self.events = 0  #: so many events so far; the position in the journal
        self.in_flight: dict[int, Pick] = {}
        self.put_off: set[int] = set()
        self.revisiting: set[int] = set()
        self.frontier = Frontier(
            self.urls.columns,
            len(self.strategy.parts),
            cap=topic.frontier.cap,
            floor=options.min_score or LOWEST,
            batch=self.strategy.batch,
            distinct_hosts=topic.frontier.distinct_hosts,
        )
        self._page_model, self._page_model_version = page_model, page_model_version
        self.teacher = teacher or NoTeacher()
        self._reserved: dict[int, list[int]] = {}  # pick under way -> the new URLs it has been redirected to
        self.traps = TrapDefence(topic.traps, self.urls, self.hosts, world.keywords)
        self.admission = Admission(topic, self.urls, self.hosts, self.traps, Denials())
        no_parts = np.zeros(len(self.strategy.parts))
        trust = self.traps.turns.begin
        self.steering = StandingOrders(self.urls, self.hosts, self.frontier, self.admission, no_parts, self.know, trust)
        self.site_text = SiteText(self.hosts)
        self.lists = SiteLists(topic.sources, self.urls, self.hosts, self.frontier, self.admission, self.know)

    def know(self, addresses: Sequence[Address]) -> tuple[IntArray, list[int]]:
        """Give ids to URLs; return the ids, and the positions of those never seen before. Not an event."""
        ids, new = self.urls.meet(np.fromiter((address.key for address in addresses), np.int64, len(addresses)))
        for position in new:
            self.urls.host[ids[position]] = self.hosts.intern(addresses[position].host)
        return ids, new

    def load(self, keys: IntArray, host_of: IntArray, hosts: Sequence[str]) -> None:
        """Make known all URLs and hosts of a journal, in order of id, before anything else."""
        for host in hosts:
            self.hosts.intern(host)
        ids = self.urls.intern(keys)
        self.urls.host[ids] = host_of

    def start(self, seeds: Sequence[Address]) -> list[int]:
        """Let a crawl begin (or go on) from seeds; those already known are not fetched again. Return ids of the new ones."""
        self.events += 1
        ids, new = self.know(seeds)
        self.traps.turns.begin(self.urls.host[ids].tolist())
        self.admission.meet((int(url), seed.url, "") for url, seed in zip(ids, seeds, strict=True))
        self.world.seed_hosts |= {seed.host for seed in seeds if seed.key not in self.world.hubs}
        changes = self.strategy.start(Seeds(ids, [seed.host for seed in seeds]))
        self._apply(replace(changes, scores=self._enough(changes.scores)), ids)
        return [int(url) for url in ids[new]]

    def request(self, address: Address, score: float) -> int:
        """Let a URL wait that the user's own code asks for, whatever the scope says; return its id."""
        self.events += 1
        ids, _ = self.know([address])
        self._apply(Changes(ids, self._enough(np.array([score])), self._no_parts(1)), ids)
        return int(ids[0])

    def next(self, may_ask: Callable[[str], bool] | None = None, seconds: float = 0.0) -> Pick | None:
        """Take the best URL whose host is ready; None when none may be taken now (or ever: see `exhausted`).

        may_ask : a last question to the driver about the host; one that it denies is held until the driver releases it
        seconds : of crawling so far, all runs together
        """
        if self.budget_is_taken:
            return None
        self.world.hurry = hurry(self.budget, self.totals, seconds)
        probe = self.traps.probes.next(self.frontier.is_held)
        if probe is not None and self._may_ask(probe, may_ask):
            return self.pick(probe)
        wanted_list = self.lists.next(self.frontier.is_held)
        if wanted_list is not None and self._may_ask(wanted_list, may_ask):
            return self.pick(wanted_list)
        for wanted in islice(self.steering.first(), MOST_DENIED):  # by a person
            if self._may_ask(wanted, may_ask):
                return self.pick(wanted)
        for _ in range(MOST_DENIED):
            if (best := self.frontier.best()) is None or (url := self._choose(best)) is None:
                return None
            if self._may_ask(url, may_ask):
                passed_over, score = self.frontier.score(best), self.frontier.score(url)
                return self.pick(url, passed_over if passed_over > score else None)
        return None

    def _choose(self, best: int) -> int | None:
        """The URL that comes next, of a domain whose turn it is and by the strategy; None where none may be taken now.

        best : of all that may be taken now, whoever's turn it is
        """
        first: int | None = best
        # A strategy that takes the best need not know of other hosts.
        if self.strategy.choice or self.lets_others_go_first(best):
            first = self.traps.turns.take(self.frontier)
        if first is None:
            return None
        chosen = self.strategy.choose(self.frontier)
        self.frontier.passed = None
        if chosen is None:
            return first
        return None if chosen == WAIT else chosen

    def lets_others_go_first(self, url: int) -> bool:
        """Whether the domain of a URL has used up its pages, so that others go first."""
        return self.traps.turns.is_over(int(self.urls.host[url]))

    def is_let(self, host: int, may_ask: Callable[[str], bool] | None) -> bool:
        """Whether the driver lets a host be asked; one that it denies is held. Not an event."""
        if may_ask is None or may_ask(self.hosts.names[host]):
            return True
        self.frontier.hold(host)
        return False

    def _may_ask(self, url: int, may_ask: Callable[[str], bool] | None) -> bool:
        """The same of the host of a URL."""
        return self.is_let(int(self.urls.host[url]), may_ask)

    def pick(self, url: int, passed_over: float | None = None) -> Pick:
        """Take this URL; the way `next` does it, and the way a journal is replayed."""
        self.events += 1
        urls, host = self.urls, int(self.urls.host[url])
        self.traps.probes.sent(url)
        self.steering.took(url, host)
        if url in self.frontier:
            score, parts = self.frontier.score(url), tuple(self.frontier.parts(url))
            self.frontier.take(url)
        else:  # replayed under rules by which it does not wait
            score, parts = 0.0, tuple(self._no_parts(1)[0].tolist())
        urls.state[url] = State.PICKED
        if not self.lists.sent(url):
            self.hosts.picked[host] += 1
            self.traps.turns.took(host)
        self.world.picks += 1
        pick = Pick(self.events, url, host, score, parts, int(urls.source[url]), int(urls.depth[url]), passed_over)
        self.in_flight[url] = pick
        self._settle()
        return pick

    def fetched(self, url: int, page: Page, size: int) -> Arrival:
        """Take in the page that a picked URL led to; its own URL differs from the picked one after redirects.

        ``size`` counts the bytes of the body. Of a list of links (see `link_lists`) nothing but the links is taken in.
        """
        self.events += 1
        pick = self._close(url)
        self.hosts.heard(pick.host)
        final = self._final(url, page)
        if page.kind in LINK_LISTS:
            return self._listed(final, page, pick)
        finding = self.traps.judge(url, final, page)
        judged = self.site_text.judged(final, int(self.urls.host[final]), page)
        page = judged if finding.verdict == NEW else page  # a copy is what its original is
        visit, duplicate_of = self._visit(final, page, pick, finding), finding.original
        self.world.pages += 1
        self.totals.count(size, relevant=visit.counts, verdict=visit.verdict)
        self.hosts.gave(pick.host, relevant=visit.counts)
        new = self._meet_links(visit)
        closing = self.traps.arrived(url, visit, new, finding)
        arrival = self._follow(visit, new, duplicate_of)
        arrival.drops += self._exceeding(int(self.urls.host[url]))
        arrival.drops += self._closed(closing)
        arrival.probe = self._probe(visit, finding.worth)
        arrival.lists = self.lists.after_page(visit, pick.source)
        self._settle()
        return arrival

    def _listed(self, url: int, page: Page, pick: Pick) -> Arrival:
        owner = self.lists.owner(url, pick.id)
        page = self.lists.own_part(page, owner)
        depth, relevance = int(self.urls.depth[url]), max(self._page_model(page), self.hosts.share(owner))
        visit = Visit(url, page, depth, relevance, relevant=False, targets=np.empty(0, np.int64), picked=pick.id)
        visit.parts = tuple(self._no_parts(1)[0].tolist())
        new = self._meet_links(visit)
        self.traps.listed(pick.id, visit)
        arrival = self._follow(visit, new, None)
        arrival.lists = self.lists.arrived(visit, int(np.count_nonzero(~np.isnan(arrival.scores))))
        arrival.drops += self._exceeding(pick.host)
        self._settle()
        return arrival

    def gave_no_list(self, url: int, *, silent: bool = False) -> list[Drop]:
        """Note that a URL gave no list that was asked for as one: that is no failure of the crawl. ``silent`` as in `failed`."""
        self.events += 1
        pick = self._close(url)
        (self.hosts.not_heard if silent else self.hosts.heard)(pick.host)
        self.lists.gave_none(url)
        drops = self._exceeding(pick.host)
        self._settle()
        return drops

    def is_no_list(self, url: int, page: Page | None) -> bool:
        """Whether a URL under way is asked for as a list and has given something else (None: no page at all)."""
        return url in self.lists and (page is None or page.kind not in LINK_LISTS)

    def revisit(self, url: int, picked: int = 0, score: float = 0.0) -> Pick:
        """Ask once more for a page fetched long ago. Not an event: what comes of it is.

        picked : the event at which it was chosen
        score : what it is worth to ask again
        """
        urls, parts = self.urls, tuple(self._no_parts(1)[0].tolist())
        pick = Pick(picked, url, int(urls.host[url]), score, parts, int(urls.source[url]), int(urls.depth[url]))
        self.in_flight[url] = pick
        self.revisiting.add(url)
        return pick

    def changed(self, url: int, page: Page) -> Arrival:
        """Take in what has become of a page that was fetched long ago. Only links are followed that nobody knew before."""
        self.events += 1
        pick = self._close(url)
        self.hosts.heard(pick.host)
        final = self._final(url, page)
        unknown = [link for link in page.links if not self.urls.is_met(link.key)]
        finding = Finding(self.traps.judge_again(page))
        page = self.site_text.judged(final, int(self.urls.host[final]), page)
        visit = self._visit(final, replace(page, links=unknown), pick, finding)
        visit.again = True
        new = self._meet_links(visit)
        self.traps.arrived_again(visit)
        arrival = self._follow(visit, new, None)
        arrival.drops += self._exceeding(int(self.urls.host[url]))
        self._settle()
        return arrival

    def unchanged(self, url: int, *, silent: bool = False) -> None:
        """Note that a page that was asked for once more says what it said, is gone, or gave no answer."""
        self.events += 1
        pick = self._close(url)
        (self.hosts.not_heard if silent else self.hosts.heard)(pick.host)
        self._settle()

    def probed(self, url: int, page: Page | None) -> None:
        """Take in the answer to a probe: the page that stands for all that are not there, or none, as it should be."""
        self.events += 1
        self._close(url)
        self.traps.probes.answered(int(self.urls.host[url]), page)
        self._settle()

    def failed(self, url: int, *, silent: bool = False) -> list[Drop]:
        """Note that a picked URL gave no content, for whatever reason; it is not tried again.

        silent : its host gave no answer. After some of these in a row nothing of that host may wait any more.
        """
        self.events += 1
        pick = self._close(url)
        (self.hosts.not_heard if silent else self.hosts.heard)(pick.host)
        self.totals.failures += 1
        drops = self._apply(self.strategy.failed(url, pick.parts))
        drops += self._exceeding(int(self.urls.host[url]))
        self._settle()
        return drops

    def backlinks(self, url: int, addresses: Sequence[Address]) -> list[Drop]:
        """Take in the answer to a question of the strategy: pages that link to a URL, known or not.

        Those that the strategy scores may wait if the scope allows them, as if they were one link away from the URL.
        """
        self.events += 1
        self.asking.pop(url, None)
        ids, new = self.know(addresses)
        drops: list[Drop] = []
        depth = int(self.urls.depth[url]) + 1
        self.urls.depth[ids[new]] = depth
        reason = "depth" if self.admission.too_deep(depth) else ALLOWED
        may_wait = np.zeros(len(ids), np.bool_)
        unasked = np.flatnonzero(self.urls.verdict[ids] == UNASKED).tolist()
        for position, (backlink, address) in enumerate(zip(ids.tolist(), addresses, strict=True)):
            if self.urls.state[backlink] not in (State.FREE, State.WAITING):
                continue
            why = reason or self.admission.against(backlink, address.url, address.host)
            may_wait[position] = not why
            if why and position in new:
                drops.append((backlink, why))
        self.admission.meet([(int(ids[position]), addresses[position].url, "") for position in unasked])
        drops += self._apply(self.strategy.backlinks(url, ids), ids[may_wait], NO_SOURCE, depth)
        drops += self._exceeding(int(self.urls.host[url]))
        self._settle()
        return drops

    def steer(self, order: Order) -> list[Drop]:
        """Follow what a person asks; see `StandingOrders.against` for what cannot be followed. Return what is dropped for it."""
        self.events += 1
        drops = self.steering.obey(order)
        self.traps.probes.give_up(self.admission.is_denied)
        self.lists.give_up(self.admission.is_denied)
        self._settle()
        return drops

    def judged(self, url: int, page: Page | None, said: bool | None) -> Lesson | None:
        """Learn from what a person says of a page that was fetched: on topic, not, or (None) what was said is taken back.

        page : None where it cannot be read any more; then nothing is learned
        Return what came of it where it was time to learn from all verdicts; what waits is scored anew then.
        """
        self.events += 1
        lesson = None if page is None else self.teacher.judged(url, page, self._page_model(page), said)
        if lesson is not None:
            if lesson.kept:
                self.strategy.taught(self.teacher.probability_of)
            self.rescorings.hasten()
        self._settle()
        return lesson

    def alias(self, url: int, target: Address) -> int:
        """Note that a picked URL redirects to one already known; one that still waits gets the better score of the two."""
        self.events += 1
        pick = self._close(url)
        self.hosts.heard(pick.host)
        ids, _ = self.know([target])
        self.strategy.aliased(url, int(ids[0]))
        if self.urls.state[ids[0]] in (State.FREE, State.WAITING):
            changes = Changes(ids, np.array([pick.score]), np.array([pick.parts]))
            self._apply(changes, ids, pick.source, pick.depth)
        self._settle()
        return int(ids[0])

    def reserve(self, url: int, target: Address) -> int:
        """Keep the URL that a pick redirects to from being picked meanwhile; return its id.

        Not an event, and no journal tells of it: it is the page at its end that makes the target met (see `_final`).
        """
        ids = self.urls.intern(np.array([target.key]))
        self.urls.host[ids] = self.hosts.intern(target.host)
        final = int(ids[0])
        if final != url:  # a page may send its visitor back to itself, with a cookie
            self.urls.state[final] = State.PICKED
            self._reserved.setdefault(url, []).append(final)
        return final

    def redirects_to(self, url: int, target: int) -> bool:
        """Whether a pick under way has been redirected to this URL before: it goes round in circles."""
        return target == url or target in self._reserved.get(url, ())

    def hold(self, host: str, *, away: bool = False) -> None:
        """Let nothing be picked from a host, known or not, until it is released. Not an event.

        away : that will take long, so that nothing is worth waiting for it
        """
        self.frontier.hold(self.hosts.intern(host), away=away)

    def release(self, host: str) -> None:
        """Let a host be picked from again. Not an event."""
        self.frontier.release(self.hosts.intern(host))

    def lies_on(self, host: str, address: str) -> None:
        """Note at which address a host lies: all that lie there share its first pages. Not an event."""
        self.traps.turns.lies_on(self.hosts.intern(host), address)

    def bars_redirect(self, url: int, target: Address) -> str:
        """Why a pick may not be redirected to a URL; or the empty string."""
        return self.admission.against_list(target) if url in self.lists else self.out_of_scope(target)

    def out_of_scope(self, address: Address) -> str:
        """Why the scope bars a URL, or a person did; or the empty string."""
        return self.admission.rules.verdict(address.url, address.host) or self.steering.bars(address)

    def named_parts(self, url: int) -> dict[str, float]:
        """What the score of a URL that waits is made of, by name."""
        return dict(zip(self.strategy.parts, self.frontier.parts(url), strict=True))

    def bars_type(self, media_type: str) -> str:
        """Why the scope bars pages of a media type, or the empty string; an empty type, one not declared, is not barred."""
        return self.admission.rules.type_verdict(media_type)

    def bars_answer(self, media_type: str) -> str:
        """The same before an answer is read: it may be a list of links, of which no scope says anything."""
        return ALLOWED if media_type in LIST_TYPES else self.bars_type(media_type)

    def bars_page(self, page: Page) -> str:
        """The same of what was read."""
        return ALLOWED if page.kind in LINK_LISTS else self.bars_type(page.content_type)

    @property
    def budget(self) -> Budget:
        """That of the topic, or what a person put in its place; pages that the strategy fetches apart from it come on top."""
        budget, apart = self.steering.budget(self.topic.budget), self.strategy.apart
        return budget.model_copy(update={"pages": budget.pages + apart}) if budget.pages and apart else budget

    @property
    def budget_is_taken(self) -> bool:
        """What is fetched and what is under way are as many pages as there may be."""
        limit = self.budget.pages
        apart = len(self.put_off | self.revisiting | self.lists.under_way.keys())
        return bool(limit) and self.totals.pages + len(self.in_flight) - apart >= limit

    @property
    def waits_for_arrivals(self) -> bool:
        """Given that `next` has just said None: the strategy waits for what is under way, not for a busy host or an answer."""
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
        """Nothing waits that may be taken, nothing is under way and no question is open: the crawl has come to its end."""
        return self.is_stuck and not self.asks_more

    @property
    def is_stuck(self) -> bool:
        """The same, but somebody may still be asked for links."""
        return not self.in_flight and not self.asking and self.is_spent

    @property
    def is_spent(self) -> bool:
        """Nothing waits that may be taken, now or later, unless it is scored higher."""
        return self.frontier.spent and not self.steering.waits and not self.lists.waiting

    @property
    def state_version(self) -> str:
        """What a snapshot depends on: one of another version is of no use to this core."""
        strategy = self.strategy
        return f"core {STATE_VERSION}, {strategy.name} {strategy.state_version}, {self._page_model_version}"

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
            "teacher": self.teacher.snapshot(),
            "graph": self.world.graph.snapshot(),
            "strategy": self.strategy.state(),
        }

    def restore(self, state: Mapping[str, Any]) -> None:
        """Take up what `snapshot` gave; `know` must have been told all URLs of the journal, in order, before."""
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
        self.lists.restore(state["lists"])
        self.teacher.restore(state["teacher"])
        self.world.graph.restore(state["graph"])
        self.strategy.restore(state["strategy"])

    def _close(self, url: int) -> Pick:
        self.urls.state[url] = State.DONE
        self.put_off.discard(url)
        self.revisiting.discard(url)
        self.urls.state[self._reserved.pop(url, [])] = State.FREE
        return self.in_flight.pop(url)

    def _final(self, url: int, page: Page) -> int:
        """The id of the page's own URL: the picked one, or the end of its redirects, which is then done as well."""
        final = int(self.know([Address(page.key, page.host, page.url)])[0][0])
        if final != url:
            if final in self.frontier:
                self.frontier.remove(final)
                self.steering.forget(final)
            self.urls.state[final] = State.DONE
            self.urls.depth[final] = self.urls.depth[url]
            self.urls.source[final] = self.urls.source[url]
        return final

    def _meet_links(self, visit: Visit) -> list[int]:
        """Give ids to the links of a page; return the positions of those whose URL was never seen before."""
        links = visit.page.links
        visit.targets, new = self.urls.meet(np.fromiter((link.key for link in links), np.int64, len(links)))
        for position in new:
            self.urls.host[visit.targets[position]] = self.hosts.intern(links[position].host)
        first_seen = visit.targets[new]
        self.urls.source[first_seen], self.urls.depth[first_seen] = visit.id, visit.depth + 1
        return new

    def _follow(self, visit: Visit, new: list[int], duplicate_of: int | None) -> Arrival:
        """Let the strategy look at a page, and let those links wait that it scores and nothing bars."""
        open_links, drops = self.admission.of_links(visit, set(new))
        arrival = Arrival(visit, new, np.full(len(visit.links), np.nan), duplicate_of, drops)
        if self.strategy.uses_graph and not arrival.is_list:
            self.world.graph.add(visit.id, visit.targets)
        changes = self.strategy.listed(visit) if arrival.is_list else self.strategy.visited(visit)
        own = len(visit.targets)
        if changes.ids is visit.targets or np.array_equal(changes.ids[:own], visit.targets):
            arrival.scores = np.where(open_links, changes.scores[:own], np.nan)
        barred = set(visit.targets[~open_links].tolist()) if visit.verdict else set()
        arrival.drops += self._apply(changes, visit.targets[open_links], visit.id, visit.depth + 1, barred)
        return arrival

    def relevance_of(self, page: Page) -> float:
        """How relevant a page is, in [0, 1], by what judges pages now."""
        return self._assess(page, self._page_model(page))[0]

    def wants(self, address: Address, page: Page) -> float | None:
        """The relevance of a page that somebody else has fetched, if it would count here. Not an event.

        address : its own; it must be new here or wait, and nothing may bar it
        """
        known, host = self.urls.find(address.key), self.hosts.find(address.host)
        if known >= 0 and self.urls.state[known] in (State.PICKED, State.DONE):
            return None
        relevance = self.relevance_of(page)
        if not self.topic.is_harvest(page, relevance):
            return None
        waits = known >= 0 and self.urls.state[known] == State.WAITING
        if not waits and self.topic.scope.max_depth:  # nobody knows how deep it lies
            return None
        if self.out_of_scope(address) or self.bars_type(page.content_type):
            return None
        return None if host >= 0 and self.admission.against_host(host) else relevance

    def _assess(self, page: Page, by_model: float) -> tuple[float, float | None]:
        """The relevance of a page, and how probably it is on topic by what a person taught; None where nobody did."""
        said = self.teacher.probability(page, by_model)
        return (by_model if said is None else self.teacher.relevance(said)), said

    def _visit(self, url: int, page: Page, pick: Pick, finding: Finding) -> Visit:
        by_model = 0.0 if finding.verdict in WORTHLESS else self._page_model(page)
        relevance, said = (0.0, None) if finding.verdict in WORTHLESS else self._assess(page, by_model)
        relevant = finding.verdict == NEW and self.topic.is_on_topic(page, relevance)
        counts = relevant and self.topic.relevance.counts(page.kind)
        no_targets = np.empty(0, np.int64)
        depth = int(self.urls.depth[url])
        visit = Visit(url, page, depth, relevance, relevant, no_targets, pick.parts, finding.verdict, pick.id, counts)
        visit.said, visit.by_model = said, by_model
        return visit

    def _probe(self, visit: Visit, worth: float) -> Address | None:
        """Let a probe of the host of a page wait, if it is time; it comes before all else, whatever the strategy says."""
        probes, host = self.traps.probes, int(self.urls.host[visit.id])
        if not self.world.probes or not self.traps.options.soft_404 or not probes.due(host, worth):
            return None
        address = probes.address_for(host, visit.page)
        if self.out_of_scope(address):
            return None
        ids, new = self.know([address])
        if not new:
            return None
        probes.add(int(ids[0]), host)
        return address

    def _closed(self, places: Sequence[tuple[int, int]]) -> list[Drop]:
        """Drop what waits in places that have been closed."""
        drops: list[Drop] = []
        for kind, place in places:
            ids = self.frontier.ids()
            inside = ids[self.traps.yields.places(ids, kind) == place].tolist()
            for url in inside:
                if url not in self.steering.raised:
                    self.frontier.remove(url)
                    self.urls.state[url] = State.FREE
                    drops.append((url, why_closed(kind)))
        return drops

    def _exceeding(self, host: int) -> list[Drop]:
        """Drop what waits beyond the frontier's cap, or for a host that has had its pages or does not answer."""
        drops = [(url, FULL) for url in self.frontier.evict() if not self.steering.keeps(url)]
        if why := self.admission.against_host(host):
            drops += [(url, why) for url in self.frontier.drop_host(host)]
            self.lists.give_up(lambda other: other == host)
        for dropped, _ in drops:
            self.urls.state[dropped] = State.FREE
            self.steering.forget(dropped)
        return drops

    def _apply(
        self,
        changes: Changes,
        found: IntArray | None = None,
        source: int = NO_SOURCE,
        depth: int = 0,
        barred: Container[int] = (),
    ) -> list[Drop]:
        """Bring scores to the frontier; of several for one URL the best counts, and it arrives when the first did.

        ``found`` are ids of URLs that ``source`` links to at this ``depth``; of any other URL these stay as they are.
        ``barred`` URLs stay as they are: a page that brings nothing new raises the score of none.
        Return what a full frontier does not take.
        """
        if self.world.answers:
            self.asking.update(dict.fromkeys(changes.ask))
        best: dict[int, int] = {}
        scores, found_here = changes.scores.tolist(), set() if found is None else set(found.tolist())
        for position, url in enumerate(changes.ids.tolist()):
            if url in barred or (url not in found_here and not self.admission.may_come_back(url)):
                continue
            if self.admission.is_denied(int(self.urls.host[url])):
                continue
            if math.isnan(scores[position]) and not changes.replace:
                continue
            if url not in best or not scores[position] <= scores[best[url]]:
                best[url] = position
        urls, frontier, refused = self.urls, self.frontier, []
        # Plain integers: an enum's members are slow to look up, and slower to compare with numbers of numpy.
        free, waiting = int(State.FREE), int(State.WAITING)
        states = urls.state[list(best)].tolist()
        for (url, position), state in zip(best.items(), states, strict=True):
            waits, score = state == waiting, scores[position]
            if math.isnan(score):
                if waits and url not in self.steering.raised:
                    frontier.remove(url)
                    urls.state[url] = free
                continue
            if not waits and (state != free or (frontier.full and not self.strategy.evicts)):
                if state == free:
                    refused.append((url, FULL))
                continue
            changed = frontier.offer(url, int(urls.host[url]), score, changes.parts[position], replace=changes.replace)
            if url in found_here:
                if changed:
                    urls.source[url] = source
                urls.depth[url] = min(int(urls.depth[url]), depth) if waits else depth
            urls.state[url] = waiting
        return refused

    def _settle(self) -> None:
        """At the end of an event: the strategy looks at all that waits, if it is time, once the last rescoring has taken effect.

        A rescoring takes effect after so many picks, or when nothing waits any more that may be taken. Before a crawl ends for
        scores that are too low, all that waits is scored once more.
        """
        spent = self.frontier.spent
        at_an_end = spent and len(self.frontier) and self.in_flight.keys() <= self.revisiting
        if self.rescorings.is_time() or (at_an_end and self.rescorings.has_more_to_say()):
            self._take_effect(self.rescorings.finish())
            self.rescorings.begin(self.frontier.view())
        if self.rescorings.is_due() or spent:
            self._take_effect(self.rescorings.finish())

    def _take_effect(self, rescoring: Rescoring | None) -> None:
        if rescoring is None:
            return
        self.strategy.adopt(rescoring.learned)
        changes = rescoring.changes
        waits = self.urls.state[changes.ids] == State.WAITING
        scored = waits & ~np.isnan(changes.scores)
        self.frontier.rescore(changes.ids[scored], changes.scores[scored], changes.parts[scored])
        if not scored.all():
            others = changes.ids[~scored], changes.scores[~scored], changes.parts[~scored]
            self._apply(Changes(*others, replace=True))

    def _enough(self, scores: FloatArray) -> FloatArray:
        """Scores of URLs that a person named: these are fetched, however low the strategy thinks of them."""
        return np.maximum(scores, self.frontier.floor)

    def _no_parts(self, count: int) -> FloatArray:
        return np.zeros((count, len(self.strategy.parts)))
