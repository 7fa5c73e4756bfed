"""Decides which URLs a crawl lets into its frontier: by scope, depth, limits of hosts, and what a page says of its links."""

from __future__ import annotations

from collections.abc import Container, Iterable

import numpy as np

from focused.crawl.arrays import BoolArray, IntArray
from focused.crawl.hosts import Hosts
from focused.crawl.scope import ALLOWED, ScopeRules
from focused.crawl.strategy import Visit
from focused.crawl.traps import BARREN, TrapDefence
from focused.crawl.url_table import IN_SCOPE, UNASKED, State, UrlTable
from focused.page.link_lists import LINK_LISTS
from focused.page.media_types import LIST_TYPES
from focused.page.page import Page
from focused.page.urls import Address
from focused.topic.topic import Topic

DENIED = "host denied by a person"  #: why a URL is dropped, or not followed
DROPPED = "dropped by a person"  #: the same for a single URL


class Denials:
    """The hosts that a person has denied, each with its subdomains, and the ids of URLs that a person has dropped."""

    def __init__(self) -> None:
        self.names: set[str] = set()
        self.dropped: set[int] = set()

    def by(self, host: str) -> str:
        """The name that denies a host, its own or one above it; empty if none does."""
        if not self.names:
            return ""
        name = host
        while name not in self.names:
            _, dot, name = name.partition(".")
            if not dot:
                return ""
        return name


HOST_IS_SPENT = "page limit of its host"  #: why a URL is kept out, or dropped
HOST_IS_SILENT = "host does not answer"  #: the same
HOST_IS_POOR = "few pages of its host are relevant"  #: the same
Drop = tuple[int, str]  #: id of a URL and why it was dropped


class Admission:
    """Applies a topic's scope and limits to the URLs of one crawl; checks each URL against the scope once.

    denials : what a person has denied and dropped while the crawl ran
    """

    def __init__(self, topic: Topic, urls: UrlTable, hosts: Hosts, traps: TrapDefence, denials: Denials) -> None:
        self.denials = denials
        self.rules = ScopeRules(topic.scope, topic.seeds)
        self._traps = traps
        self._urls, self._hosts = urls, hosts
        self._verdicts = ["", ALLOWED]  # by the numbers that the table of URLs keeps

    def of_links(self, visit: Visit, new: Container[int]) -> tuple[BoolArray, list[Drop]]:
        """Return which links of a page may be followed, (n,) booleans, and the drops among links at positions ``new``."""
        states = self._urls.state[visit.targets]
        admitted = (states == State.FREE) | (states == State.WAITING)
        reason, ignores = self._against_all(visit), self.rules.options.nofollow != "links"
        barren = self._traps.against_links_of(visit.id, visit.targets).tolist()
        drops: list[Drop] = []
        ids = visit.targets.tolist()
        open_positions = np.flatnonzero(admitted)
        unasked = open_positions[self._urls.verdict[visit.targets[open_positions]] == UNASKED].tolist()
        whys = {}
        for position in open_positions.tolist():
            link = visit.links[position]
            whys[position] = (BARREN if barren[position] else reason) or (
                "nofollow" if link.nofollow and not ignores else self.against(ids[position], link.url, link.host)
            )
        found = [(ids[position], visit.links[position]) for position in unasked]
        self.meet((url, link.url, f"{visit.page.host} {link.tag_path}") for url, link in found)
        in_scope = [position for position, why in whys.items() if not why]
        refused = self._traps.yields.against(visit.targets[in_scope])
        whys |= {in_scope[place]: why for place, why in refused.items()}
        for position, why in whys.items():
            if why:
                admitted[position] = False
                if position in new:
                    drops.append((ids[position], why))
        return admitted, drops

    def meet(self, found: Iterable[tuple[int, str, str]]) -> None:
        """Note the places of URLs that may be followed, each given as id, text and what links there (see `Yields.meet`)."""
        self._traps.yields.meet([one for one in found if self._urls.verdict[one[0]] in (IN_SCOPE, UNASKED)])

    def against(self, url: int, text: str, host: str) -> str:
        """Why a URL may not wait, by its text and its host; or ALLOWED."""
        verdict = int(self._urls.verdict[url])
        if verdict == UNASKED:
            reason = self.rules.verdict(text, host)
            if reason not in self._verdicts[1:]:
                self._verdicts.append(reason)
            verdict = self._verdicts.index(reason, 1)
            self._urls.verdict[url] = verdict
        if verdict == IN_SCOPE and (why := self.against_host(int(self._urls.host[url]))):
            return why
        return self._verdicts[verdict]

    def too_deep(self, depth: int) -> bool:
        """Whether this many links from a seed are more than the scope allows."""
        deepest = self.rules.options.max_depth
        return bool(deepest) and depth > deepest

    def against_host(self, host: int) -> str:
        """Why no URL of a host may wait: a person denied it, its page limit is reached, or it is poor or silent; or ALLOWED."""
        if self.is_denied(host):
            return DENIED
        limit = self.rules.options.pages_per_host
        if limit and self._hosts.picked[host] >= limit:
            return HOST_IS_SPENT
        floor = self.rules.options.host_harvest_floor
        if floor and self._hosts.is_poor(host, floor):
            return HOST_IS_POOR
        return HOST_IS_SILENT if self._hosts.is_given_up(host) else ALLOWED

    def against_list(self, address: Address) -> str:
        """Why the crawl may not fetch a sitemap or feed from this address; or ALLOWED."""
        host = self._hosts.find(address.host)
        if host >= 0 and (why := self.against_host(host)):
            return why
        return DENIED if self.denials.by(address.host) else self.rules.verdict_on_list(address.url, address.host)

    def against_address(self, address: Address) -> str:
        """Why the scope or a person bars a URL, known or not; or ALLOWED."""
        if why := self.rules.verdict(address.url, address.host):
            return why
        if self.denials.by(address.host):
            return DENIED
        dropped = self.denials.dropped
        return DROPPED if dropped and self._urls.find(address.key) in dropped else ALLOWED

    def against_type(self, media_type: str) -> str:
        """Why the scope bars pages of a media type; or ALLOWED, also for the empty type, which no server declared."""
        types = self.rules.options.content_types
        if types and media_type and media_type not in types:
            return f"content type {media_type} out of scope"
        return ALLOWED

    def against_answer(self, media_type: str) -> str:
        """The same before an answer is read. A type of lists is allowed: a scope says nothing about lists of links."""
        return ALLOWED if media_type in LIST_TYPES else self.against_type(media_type)

    def against_page(self, page: Page) -> str:
        """The same for a page or list that was read."""
        return ALLOWED if page.kind in LINK_LISTS else self.against_type(page.content_type)

    def is_denied(self, host: int) -> bool:
        """Whether a person has denied a host while the crawl ran."""
        return bool(self.denials.names) and bool(self.denials.by(self._hosts.names[host]))

    def may_come_back(self, urls: IntArray) -> BoolArray:
        """(n,) which URLs found earlier wait, or may wait again: in scope, but dropped by the strategy or evicted."""
        states = self._urls.state[urls]
        may: BoolArray = states == State.WAITING
        free = np.flatnonzero((states == State.FREE) & (self._urls.verdict[urls] == IN_SCOPE))
        closed, hosts = self._traps.yields.against(urls[free]), self._urls.host[urls[free]].tolist()
        may[free] = [place not in closed and not self.against_host(host) for place, host in enumerate(hosts)]
        return may

    def _against_all(self, visit: Visit) -> str:
        """Why no link of a page may be followed; or ALLOWED."""
        scope, page = self.rules.options, visit.page
        if page.nofollow and scope.nofollow != "ignore":
            return "nofollow"
        if self.too_deep(visit.depth + 1):
            return "depth"
        if scope.languages and page.language and page.language not in scope.languages:
            return f"found on a page in language {page.language}"
        return ALLOWED
