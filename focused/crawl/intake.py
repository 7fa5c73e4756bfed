"""What each event does to a crawl. The order in which its parts learn of a page is set here, and decides later picks."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from focused.crawl import events
from focused.crawl.frontier_rules import FrontierRules
from focused.crawl.novelty import NEW, Finding
from focused.crawl.scope import ALLOWED
from focused.crawl.state import CrawlState
from focused.crawl.strategy import Changes, Seeds, Visit
from focused.crawl.traps import OTHERS_FIRST, WORTHLESS
from focused.crawl.url_table import NO_SOURCE, UNASKED, State
from focused.page.link_lists import LINK_LISTS
from focused.page.page import Page
from focused.page.urls import Address

Handler = Callable[[Any, events.Outcome], None]


class Intake:
    """Takes events into the state of a crawl, and notes in the outcome what they change."""

    def __init__(self, state: CrawlState, rules: FrontierRules) -> None:
        self._state, self._rules = state, rules
        self._world, self._urls, self._hosts = state.world, state.urls, state.hosts
        self.steps: Mapping[type[events.Event], Handler] = {
            events.Started: self._started,
            events.Requested: self._requested,
            events.Picked: self._picked,
            events.PageArrived: self._page_arrived,
            events.Failed: self._failed,
            events.NoList: self._no_list,
            events.Aliased: self._aliased,
            events.ProbeAnswered: self._probe_answered,
            events.PageChanged: self._page_changed,
            events.PageUnchanged: self._page_unchanged,
            events.BacklinksNamed: self._backlinks_named,
            events.OrderGiven: self._order_given,
            events.VerdictGiven: self._verdict_given,
        }

    def _started(self, event: events.Started, outcome: events.Outcome) -> None:
        state, seeds = self._state, event.seeds
        ids, _ = state.naming.meet(seeds)
        outcome.urls = ids.tolist()
        state.traps.turns.begin(self._urls.host[ids].tolist())
        state.admission.meet((url, seed.url, "") for url, seed in zip(outcome.urls, seeds, strict=True))
        self._world.seed_hosts |= {seed.host for seed in seeds if seed.key not in self._world.hubs}
        changes = state.strategy.start(Seeds(ids, [seed.host for seed in seeds]))
        outcome.drops = self._rules.bring(replace(changes, scores=self._rules.enough(changes.scores)), ids)
        outcome.drops += self._rules.cut()

    def _requested(self, event: events.Requested, outcome: events.Outcome) -> None:
        ids, _ = self._state.naming.meet([event.address])
        outcome.urls = ids.tolist()
        score = self._rules.enough(np.array([event.score]))
        outcome.drops = self._rules.bring(Changes(ids, score, self._state.no_parts()), ids)

    def _picked(self, event: events.Picked, outcome: events.Outcome) -> None:
        state, urls, url = self._state, self._urls, event.url
        host = int(urls.host[url])
        state.traps.probes.sent(url)
        state.steering.took(url, host)
        if url in state.frontier:
            score, parts = state.frontier.score(url), tuple(state.frontier.parts(url))
            state.frontier.take(url)
        else:  # replayed under rules by which it does not wait
            score, parts = 0.0, tuple(state.no_parts()[0].tolist())
        urls.state[url] = State.PICKED
        if not state.lists.sent(url):
            self._hosts.picked[host] += 1
            state.traps.turns.took(host)
        self._world.picks += 1
        source, depth = int(urls.source[url]), int(urls.depth[url])
        outcome.pick = events.Pick(outcome.seq, url, host, score, parts, source, depth, event.passed_over)
        state.in_flight[url] = outcome.pick

    def _page_arrived(self, event: events.PageArrived, outcome: events.Outcome) -> None:
        state, pick, page = self._state, outcome.picked, event.page
        final = self._final(pick.id, page)
        if page.kind in LINK_LISTS:
            self._list_arrived(final, page, pick, outcome)
            return
        finding = state.traps.judge(pick.id, final, page)
        judged = state.site_text.judged(final, int(self._urls.host[final]), page)
        # A copy keeps the kind of its original.
        visit = self._visit(final, judged if finding.verdict == NEW else page, pick, finding)
        self._world.pages += 1
        state.totals.count(event.size, relevant=visit.counts, verdict=visit.verdict)
        self._hosts.gave(pick.host, relevant=visit.counts)
        new = self._meet_links(visit)
        closing = state.traps.arrived(pick.id, visit, new, finding)
        self._follow(visit, new, outcome, finding.original)
        outcome.drops += self._rules.cut(pick.host)
        outcome.drops += self._rules.close(closing)
        self._want_probe(visit, finding.worth)
        state.lists.after_page(visit, pick.source)

    def _list_arrived(self, url: int, page: Page, pick: events.Pick, outcome: events.Outcome) -> None:
        state = self._state
        owner = state.lists.owner(url, pick.id)
        page = state.lists.own_part(page, owner)
        depth, relevance = int(self._urls.depth[url]), max(state.judge.model(page), self._hosts.share(owner))
        visit = Visit(url, page, depth, relevance, relevant=False, targets=np.empty(0, np.int64), picked=pick.id)
        visit.parts = tuple(state.no_parts()[0].tolist())
        new = self._meet_links(visit)
        state.traps.listed(pick.id, visit)
        arrival = self._follow(visit, new, outcome)
        # Before the cut: this may take a URL out of the frontier.
        state.lists.arrived(visit, int(np.count_nonzero(~np.isnan(arrival.scores))))
        outcome.drops += self._rules.cut(pick.host)

    def _page_changed(self, event: events.PageChanged, outcome: events.Outcome) -> None:
        state, pick, page = self._state, outcome.picked, event.page
        final = self._final(pick.id, page)
        unknown = [link for link in page.links if not self._urls.is_met(link.key)]
        finding = Finding(state.traps.judge_again(page))
        page = state.site_text.judged(final, int(self._urls.host[final]), page)
        visit = self._visit(final, replace(page, links=unknown), pick, finding)
        visit.again = True
        new = self._meet_links(visit)
        state.traps.arrived_again(visit)
        self._follow(visit, new, outcome)
        outcome.drops += self._rules.cut(pick.host)

    def _page_unchanged(self, event: events.PageUnchanged, outcome: events.Outcome) -> None:
        """Nothing to do: `Crawl.apply` has noted already whether the host answered."""

    def _failed(self, event: events.Failed, outcome: events.Outcome) -> None:
        state, pick = self._state, outcome.picked
        state.totals.failures += 1
        outcome.drops += self._rules.bring(state.strategy.failed(pick.id, pick.parts))
        outcome.drops += self._rules.cut(pick.host)

    def _no_list(self, event: events.NoList, outcome: events.Outcome) -> None:
        self._state.lists.gave_none(event.url)
        outcome.drops += self._rules.cut(outcome.picked.host)

    def _aliased(self, event: events.Aliased, outcome: events.Outcome) -> None:
        pick, target = outcome.picked, event.target
        ids, _ = self._state.naming.meet([target])
        outcome.urls = [known] = ids.tolist()
        if event.reason == OTHERS_FIRST:
            outcome.drops += self._rules.close(self._state.traps.put_off(pick.id, known))
            self._state.admission.meet([(known, target.url, "")])
        self._state.strategy.aliased(pick.id, known)
        if self._urls.state[known] in (State.FREE, State.WAITING):
            changes = Changes(ids, np.array([pick.score]), np.array([pick.parts]))
            outcome.drops = self._rules.bring(changes, ids, pick.source, pick.depth)

    def _probe_answered(self, event: events.ProbeAnswered, outcome: events.Outcome) -> None:
        self._state.traps.probes.answered(int(self._urls.host[event.url]), event.page)

    def _backlinks_named(self, event: events.BacklinksNamed, outcome: events.Outcome) -> None:
        state, urls, admission = self._state, self._urls, self._state.admission
        state.asking.pop(event.url, None)
        ids, new = state.naming.meet(event.backlinks)
        outcome.urls = ids.tolist()
        depth = int(urls.depth[event.url]) + 1
        urls.depth[ids[new]] = depth
        reason = "depth" if admission.too_deep(depth) else ALLOWED
        may_wait = np.zeros(len(ids), np.bool_)
        unasked = np.flatnonzero(urls.verdict[ids] == UNASKED).tolist()
        for position, (backlink, address) in enumerate(zip(outcome.urls, event.backlinks, strict=True)):
            if urls.state[backlink] not in (State.FREE, State.WAITING):
                continue
            why = reason or admission.against(backlink, address.url, address.host)
            may_wait[position] = not why
            if why and position in new:
                outcome.drops.append((backlink, why))
        admission.meet([(outcome.urls[position], event.backlinks[position].url, "") for position in unasked])
        changes = state.strategy.backlinks(event.url, ids)
        outcome.drops += self._rules.bring(changes, ids[may_wait], NO_SOURCE, depth)
        outcome.drops += self._rules.cut(int(urls.host[event.url]))

    def _order_given(self, event: events.OrderGiven, outcome: events.Outcome) -> None:
        state = self._state
        outcome.drops += state.steering.obey(event.order)
        state.tell_budget()
        if event.order.address is not None:
            outcome.urls = [state.urls.find(event.order.address.key)]
        state.traps.probes.give_up(state.admission.is_denied)
        state.lists.give_up(state.admission.is_denied)

    def _verdict_given(self, event: events.VerdictGiven, outcome: events.Outcome) -> None:
        state, page = self._state, event.page
        if page is None:
            return
        outcome.lesson = state.judge.teacher.judged(event.url, page, state.judge.model(page), event.said)
        if outcome.lesson is not None:
            if outcome.lesson.kept:
                state.strategy.taught(state.judge.teacher.probability_of)
            state.rescorings.hasten()

    def _final(self, url: int, page: Page) -> int:
        """The id of the page's own URL: the picked one, or the end of its redirects, which is then done as well."""
        urls, final = self._urls, int(self._state.naming.meet([Address(page.key, page.host, page.url)])[0][0])
        if final != url:
            if final in self._state.frontier:
                self._state.frontier.remove(final)
                self._state.steering.forget(final)
            urls.state[final] = State.DONE
            urls.depth[final], urls.source[final] = urls.depth[url], urls.source[url]
        return final

    def _meet_links(self, visit: Visit) -> list[int]:
        """Give ids to the links of a page; return the positions of those whose URL was never seen before."""
        visit.targets, new = self._state.naming.meet(visit.page.links)
        first_seen = visit.targets[new]
        self._urls.source[first_seen], self._urls.depth[first_seen] = visit.id, visit.depth + 1
        return new

    def _follow(
        self, visit: Visit, new: list[int], outcome: events.Outcome, duplicate_of: int | None = None
    ) -> events.Arrival:
        """Let the strategy score the links of a page, and bring those to the frontier that nothing bars."""
        strategy = self._state.strategy
        open_links, drops = self._state.admission.of_links(visit, set(new))
        arrival = outcome.arrival = events.Arrival(visit, np.full(len(visit.links), np.nan), duplicate_of)
        if strategy.uses_graph and not arrival.is_list:
            self._world.graph.add(visit.id, visit.targets)
        changes = strategy.listed(visit) if arrival.is_list else strategy.visited(visit)
        own = len(visit.targets)
        if changes.ids is visit.targets or np.array_equal(changes.ids[:own], visit.targets):
            arrival.scores = np.where(open_links, changes.scores[:own], np.nan)
        barred = set(visit.targets[~open_links].tolist()) if visit.verdict else set()
        outcome.drops += drops
        outcome.drops += self._rules.bring(changes, visit.targets[open_links], visit.id, visit.depth + 1, barred)
        return arrival

    def _visit(self, url: int, page: Page, pick: events.Pick, finding: Finding) -> Visit:
        judge, topic = self._state.judge, self._state.topic
        by_model = 0.0 if finding.verdict in WORTHLESS else judge.model(page)
        relevance, said = (0.0, None) if finding.verdict in WORTHLESS else judge.assess(page, by_model)
        relevant = finding.verdict == NEW and topic.is_on_topic(page, relevance)
        counts = relevant and topic.relevance.counts(page.kind)
        no_targets = np.empty(0, np.int64)
        depth = int(self._urls.depth[url])
        visit = Visit(url, page, depth, relevance, relevant, no_targets, pick.parts, finding.verdict, pick.id, counts)
        visit.said, visit.by_model = said, by_model
        return visit

    def _want_probe(self, visit: Visit, worth: float) -> None:
        """Queue a probe of a page's host, if it is time; a probe goes before all that the strategy prefers."""
        traps, host = self._state.traps, int(self._urls.host[visit.id])
        if not self._world.probes or not traps.options.soft_404 or not traps.probes.due(host, worth):
            return
        address = traps.probes.address_for(host, visit.page)
        if self._state.admission.against_address(address):
            return
        ids, new = self._state.naming.meet([address])
        if new:
            traps.probes.add(int(ids[0]), host)
