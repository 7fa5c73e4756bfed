"""Sitemaps and feeds of hosts with relevant pages. The crawl fetches them before anything else: they name pages that no link does.

The crawl reads a host's robots.txt and the sitemaps named there; without any, it tries the usual places. Feeds are those that
relevant pages name. The crawl trusts no list: it limits lists by host and by nesting, fetches each once, and lets a sitemap speak
for its own domain only (as sitemaps.org has it, but for hosts whose robots.txt names it).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np

from focused.crawl.admission import Admission
from focused.crawl.frontier import Frontier
from focused.crawl.hosts import Hosts
from focused.crawl.strategy import Visit
from focused.crawl.url_forms import domain_of
from focused.crawl.url_table import NO_SOURCE, State, UrlNaming, UrlTable
from focused.page.link_lists import ROBOTS, SITEMAP
from focused.page.page import Page
from focused.page.urls import UrlRules
from focused.topic.topic import Sources

PLACES = ("robots.txt", "sitemap.xml", "sitemap_index.xml")  #: where the crawl looks for sitemaps, in order
DEEPEST = 3  #: lists that may lead to a list: a robots.txt, an index, an index of that


@dataclass(slots=True, frozen=True)
class ListReason:
    """Why the crawl fetches a list."""

    host: int  #: whose pages it lists
    nesting: int  #: lists that lead to it
    instead: tuple[int, ...] = ()  #: ids of URLs to try next, in order, if this list names nothing


@dataclass(slots=True)
class ListTotals:
    """What lists have brought so far."""

    asked: int = 0  #: by this policy
    brought: int = 0  #: lists of any origin that came
    links: int = 0  #: of these that wait, or waited
    pages: int = 0  #: that were chosen because of a list
    relevant: int = 0  #: of these


class SiteLists:
    """Which lists the crawl fetches, and what came of them.

    Parameters
    ----------
    options : of the topic
    urls, hosts, frontier, admission : of the crawl
    naming : gives URLs ids

    Attributes
    ----------
    on : the driver asks hosts for lists, and says what they answer
    waiting, under_way : by id of URL, lists that wait to be fetched, and lists being fetched
    """

    def __init__(
        self,
        options: Sources,
        urls: UrlTable,
        hosts: Hosts,
        frontier: Frontier,
        admission: Admission,
        naming: UrlNaming,
    ) -> None:
        self._options, self._urls, self._hosts = options, urls, hosts
        self._frontier, self._admission, self._naming = frontier, admission, naming
        self._count = hosts.columns.add("lists", np.int32)  # asked for, of each host
        self._is_list = urls.columns.add("is_list", np.bool_)  # a list came from there
        self.on = False
        self.waiting: dict[int, ListReason] = {}
        self.under_way: dict[int, ListReason] = {}
        self.totals = ListTotals()

    def __contains__(self, url: int) -> bool:
        """Whether the crawl fetches a URL as a list, so that its answer is no page."""
        return url in self.under_way or url in self.waiting

    def next(self, is_held: Callable[[int], bool]) -> int | None:
        """The first list that waits whose host may be asked now."""
        return next((url for url in self.waiting if not is_held(int(self._urls.host[url]))), None)

    def sent(self, url: int) -> bool:
        """Note that a URL is fetched; return whether it is fetched as a list."""
        asked = self.waiting.pop(url, None)
        if asked is not None:
            self.under_way[url] = asked
            self.totals.asked += 1
        return url in self.under_way

    def give_up(self, is_barred: Callable[[int], bool]) -> None:
        """Drop the waiting lists of barred hosts."""
        self.waiting = {url: asked for url, asked in self.waiting.items() if not is_barred(int(self._urls.host[url]))}

    def after_page(self, visit: Visit, source: int) -> None:
        """Take in that a page has come; queue the lists of its host, if it is time.

        source : where the page was found
        """
        if source != NO_SOURCE and self._is_list[source]:
            self.totals.pages += 1
            self.totals.relevant += visit.counts
        host = int(self._urls.host[visit.id])
        if not self.on or not visit.counts or not self._is_worth_it(host):
            return
        if self._options.sitemaps and not self._count[host]:
            origin = "/".join(visit.page.url.split("/", 3)[:3])
            places = [UrlRules.address(f"{origin}/{place}") for place in PLACES]
            ids, unknown = self._naming.meet(places)
            self._urls.source[ids[unknown]], self._urls.depth[ids[unknown]] = visit.id, visit.depth
            self._instead(ListReason(host, 0, tuple(ids.tolist())))
        if self._options.feeds:
            self._ask(visit.page.lists, ListReason(host, DEEPEST), visit)

    def owner(self, url: int, picked: int) -> int:
        """The host whose pages a list names."""
        asked = self.under_way.get(picked)
        return int(self._urls.host[url]) if asked is None else asked.host

    def own_part(self, page: Page, owner: int) -> Page:
        """A list without the links that it may not name: a sitemap speaks for its own domain only."""
        if page.kind != SITEMAP:
            return page
        domain = domain_of(self._hosts.names[owner])
        return replace(page, links=[link for link in page.links if domain_of(link.host) == domain])

    def arrived(self, visit: Visit, links: int) -> None:
        """Take in a list that has come; queue the lists that it names.

        links : how many of its links wait
        """
        self._is_list[visit.id] = True
        self.totals.brought += 1
        self.totals.links += links
        asked = self.under_way.pop(visit.picked, None)
        is_seed = self._urls.source[visit.picked] == NO_SOURCE
        if asked is None:
            if not self._options.sitemaps and not is_seed:
                return
            asked = ListReason(int(self._urls.host[visit.id]), 0)
        self._ask(visit.page.lists, replace(asked, nesting=asked.nesting + 1, instead=()), visit)
        if not visit.page.links and not visit.page.lists:
            self._instead(asked)

    def gave_none(self, url: int) -> None:
        """Take in that a URL fetched as a list gave none; try the next place.

        A journal replayed under other rules may name a list that the crawl does not want now.
        """
        asked = self.under_way.pop(url, None)
        if asked is not None:
            self._instead(asked)

    def _is_worth_it(self, host: int) -> bool:
        relevant = self._hosts.relevant[host] >= max(1, self._options.after)
        return bool(relevant) and self._hosts.share(host) >= self._options.share

    def _instead(self, asked: ListReason) -> None:
        """Queue the first list of ``asked.instead`` that may wait."""
        for position, url in enumerate(asked.instead, 1):
            if self._wait(url, replace(asked, instead=asked.instead[position:])):
                return

    def _ask(self, urls: Iterable[str], asked: ListReason, source: Visit) -> None:
        """Queue the lists that a page or list names; a robots.txt may name lists of other domains."""
        domain = domain_of(self._hosts.names[asked.host])
        for address in map(UrlRules.address, urls):
            if self._count[asked.host] >= self._options.lists or asked.nesting > DEEPEST:
                break
            if source.page.kind != ROBOTS and domain_of(address.host) != domain:
                continue
            if self._admission.against_list(address):
                continue
            ids, unknown = self._naming.meet([address])
            if unknown:
                self._urls.source[ids], self._urls.depth[ids] = source.id, source.depth
            self._wait(int(ids[0]), asked)

    def _wait(self, url: int, asked: ListReason) -> bool:
        """Queue a list; False for a URL that was fetched, as a list or a page, or whose host is barred."""
        if self._urls.state[url] not in (State.FREE, State.WAITING) or self._admission.against_host(asked.host):
            return False
        if url in self._frontier:
            self._frontier.remove(url)
        self._urls.state[url] = State.DONE  # nothing else may ask for it
        self._count[asked.host] += 1
        self.waiting[url] = asked
        return True

    def snapshot(self) -> dict[str, Any]:
        return {
            "totals": asdict(self.totals),
            "waiting": _plain(self.waiting),
            "under_way": _plain(self.under_way),
        }

    def restore(self, state: Mapping[str, Any]) -> None:
        """Take up what `snapshot` gave."""
        self.totals = ListTotals(**state["totals"])
        self.waiting, self.under_way = _asked(state["waiting"]), _asked(state["under_way"])


def _plain(lists: Mapping[int, ListReason]) -> list[list[Any]]:
    return [[url, asked.host, asked.nesting, list(asked.instead)] for url, asked in lists.items()]


def _asked(plain: Iterable[Sequence[Any]]) -> dict[int, ListReason]:
    return {url: ListReason(host, nesting, tuple(instead)) for url, host, nesting, instead in plain}
