"""Keeps a crawl out of traps: how much new text pages bring decides which links it follows. All is counted, nothing timed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from focused.crawl.arrays import BoolArray, IntArray
from focused.crawl.hosts import Hosts
from focused.crawl.novelty import COPIED, EXACT, NEAR, NEW, NOTHING_NEW, SOFT_404, STUFFED, Contents, Finding
from focused.crawl.probes import Probes
from focused.crawl.strategy import Visit
from focused.crawl.turns import Turns
from focused.crawl.url_forms import domain_of
from focused.crawl.url_table import NO_SOURCE, UrlTable
from focused.crawl.yields import Yields
from focused.page.page import Page
from focused.page.urls import UrlRules, host_of
from focused.topic.topic import Traps as Options

#: Each defence is off at the zero of its type, whether it is a switch, a share or a number.
OFF = Options.model_validate({name: type(field.default)() for name, field in Options.model_fields.items()})
BARREN = "found only on pages that bring nothing new"  #: why a URL is dropped
OTHERS_FIRST = "redirects to a site that lets others go first"  #: why a pick became an alias
WORTHLESS = frozenset((STUFFED, SOFT_404))  #: verdicts on pages whose words say nothing of them
#: The crawl believes a page that says it is a version of another (rel=canonical) only up to this share of new phrases: many sites
#: say so on all their pages by mistake.
MOST_NEW = 0.5
#: Worth of a page that brings nothing new but copies no single page, on a domain that is trusted: its places stay open for longer.
OF_TRUSTED = -0.5
UNKNOWN = 255  #: way to a URL that no page has led to
#: Verdicts on pages that may be entries of a generated reference, and the share of what such a page lacks that counts against its
#: places if it leads to no new URL of its domain: a trap leads on, or it would end. Of 466 targets of the documentation web that
#: lacked something 93 % led nowhere new, of 126 pages of trap webs 2 %.
MAY_BE_ENTRIES, OF_ENTRY = frozenset((NEW, NEAR, NOTHING_NEW)), 0.2


class TrapDefence:
    """The defences of one crawl.

    Parameters
    ----------
    options : of the topic
    keywords : of the topic, as terms
    """

    def __init__(self, options: Options, urls: UrlTable, hosts: Hosts, keywords: Mapping[str, int]) -> None:
        self.options, self._urls = (options if options.on else OFF), urls
        options = self.options
        self.contents = Contents(options, keywords)
        self.yields = Yields(options.patience, urls, hosts)
        self.probes = Probes(hosts)
        self.turns = Turns(hosts, on=options.turns)
        #: Pages without anything new, one after the other, on the best way to a URL; UNKNOWN where no page led, as to a seed.
        self._way = urls.columns.add("way", np.uint8, UNKNOWN)
        self._fetched = urls.columns.add("fetched", np.bool_)  # a page was there: a redirect or a failure is none
        self._barren = urls.columns.add("barren", np.bool_)  # a page links to it whose links are not followed
        self._put_off = urls.columns.add("put_off", np.bool_)  # a redirect to it was not followed at once

    def judge(self, picked: int, url: int, page: Page) -> Finding:
        """Say whether a page brings anything new; ``url`` is its own. One that the user named can only be a copy or a soft 404."""
        finding = self.contents.judge(url, page)
        if finding.verdict in (NEW, NOTHING_NEW) and finding.new <= MOST_NEW:
            original = self._declared(url, page)
            finding = finding if original is None else Finding(NEAR, original, -1.0)
        if self._way[picked] == UNKNOWN and finding.verdict not in (EXACT, NEAR):
            finding = replace(finding, verdict=NEW, worth=max(0.0, finding.worth))
        if finding.original is not None and self._copies_newcomer(url, finding.original):
            finding = replace(finding, worth=max(0.0, finding.worth))
        elif (
            finding.original is None
            and finding.verdict in (COPIED, NOTHING_NEW)
            and self.turns.trusts(int(self._urls.host[url]))
        ):
            finding = replace(finding, worth=max(OF_TRUSTED, finding.worth))
        if self.says_not_there(url, page):
            finding = Finding(SOFT_404, worth=-2.0)
        return finding

    def _copies_newcomer(self, url: int, original: int) -> bool:
        """Whether a page says what one of another domain said before, which anybody may have put there."""
        host, other = self._urls.host[[url, original]].tolist()
        return self.turns.leads_abroad(host, other) and self.turns.newcomers.has(other)

    def _declared(self, url: int, page: Page) -> int | None:
        """The page of the same domain, fetched before, that a page says it is a version of."""
        if not self.options.near_copies or not page.canonical:
            return None
        if domain_of(host_of(page.canonical)) != domain_of(page.host):
            return None  # a domain may not judge pages of another
        original = self._urls.find(UrlRules.key(page.canonical))
        return original if original not in (-1, url) and self._fetched[original] else None

    def arrived(self, picked: int, visit: Visit, new: Sequence[int], finding: Finding) -> list[tuple[int, int]]:
        """Take in what a page brought, and where it leads. ``new``: positions of links whose URL was never seen before.

        Return the places that this closes, as kind and id.
        """
        page, targets = visit.id, visit.targets
        before, verdict = int(self._way[picked]), finding.verdict
        if finding.worth < 0 and verdict in MAY_BE_ENTRIES and not _leads_on(visit, new):
            finding = replace(finding, worth=OF_ENTRY * finding.worth)
        way = 0 if verdict == NEW or before == UNKNOWN else before + (2 if verdict in WORTHLESS else 1)
        self._fetched[page] = True
        self._way[page] = way = min(way, UNKNOWN - 1)
        self._way[targets] = np.minimum(self._way[targets], way)
        if self.options.turns:
            self._tell_turns(visit, new, finding)
        blamed = "" if self.turns.trusts_domain(finding.blamed) else finding.blamed
        return self.yields.learn(picked, page, finding.worth) + self.yields.blame(blamed)

    def _tell_turns(self, visit: Visit, new: Sequence[int], finding: Finding) -> None:
        """Tell `Turns` where a page leads and what it says."""
        hosts, targets = self._urls.host, visit.targets
        asked, host, linked = int(hosts[visit.picked]), int(hosts[visit.id]), np.unique(targets)
        source = int(self._urls.source[visit.picked])
        giver = asked if source == NO_SOURCE else int(hosts[source])
        self.turns.led(asked, host, hosts[linked], np.isin(linked, targets[new]), giver)
        followed = hosts[targets[[not link.nofollow for link in visit.page.links]]]
        if finding.verdict == NEW:
            self.turns.said(host, finding.words, followed)
        if finding.verdict not in WORTHLESS:
            self.turns.vouched(host, followed)

    def puts_off(self, picked: int, host: int) -> bool:
        """Whether a redirect to a host is not followed at once: its target waits, as a link there does.

        A URL that has waited so is followed wherever it leads, and so is one that no page led to, such as a seed.
        """
        if self._urls.source[picked] == NO_SOURCE or self._put_off[picked]:
            return False
        return self.turns.leads_abroad(int(self._urls.host[picked]), host) and self.turns.is_over(host)

    def put_off(self, picked: int, target: int) -> list[tuple[int, int]]:
        """Take in that a redirect was not followed; return the places that this closes, as kind and id."""
        self._put_off[target], self._way[target] = True, min(self._way[target], self._way[picked])
        self.turns.refused(int(self._urls.host[picked]))
        return self.yields.put_off(picked)

    def listed(self, picked: int, visit: Visit) -> None:
        """Take in where a list of links leads; its links are as far from anything new as the list itself."""
        before = int(self._way[picked])
        self._way[visit.id] = way = 0 if before == UNKNOWN else before
        self._way[visit.targets] = np.minimum(self._way[visit.targets], way)

    def judge_again(self, page: Page) -> str:
        """The verdict on a re-fetched page that has changed; it may repeat what it said before."""
        return STUFFED if self.contents.is_stuffed(page) else NEW

    def says_not_there(self, url: int, page: Page) -> bool:
        """Whether a page says what its host answered to the probe."""
        return self.options.soft_404 and self.probes.resembles(int(self._urls.host[url]), page)

    def arrived_again(self, visit: Visit) -> None:
        """Take in where a re-fetched page that has changed leads."""
        self._way[visit.targets] = np.minimum(self._way[visit.targets], self._way[visit.id])

    def against_links_of(self, page: int, targets: IntArray) -> BoolArray:
        """(n,) which links of a page to URLs (n,) lead only on, from one page that brings nothing new to the next.

        A URL that a second such page links to is none of these: where a program makes links without end, each leads elsewhere.
        """
        detour = self.options.detour
        if not 0 < detour <= self._way[page]:
            return np.zeros(len(targets), np.bool_)
        barren: BoolArray = ~self._barren[targets]
        self._barren[targets] = True
        return barren

    def snapshot(self) -> dict[str, Any]:
        return {
            "contents": self.contents.snapshot(),
            "yields": self.yields.snapshot(),
            "probes": self.probes.snapshot(),
            "turns": self.turns.snapshot(),
        }

    def restore(self, state: Mapping[str, Any]) -> None:
        self.contents.restore(state["contents"])
        self.yields.restore(state["yields"])
        self.probes.restore(state["probes"])
        self.turns.restore(state["turns"])


def _leads_on(visit: Visit, new: Sequence[int]) -> bool:
    """Whether a page leads to a URL of its domain that was never seen before; ``new`` are the positions of links to such."""
    domain = domain_of(visit.page.host)
    return any(domain_of(visit.links[position].host) == domain for position in new)
