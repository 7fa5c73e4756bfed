"""Which URLs a crawl lets into its frontier: the scope's verdict, limits of depth and of hosts, what a page says of its links."""

from __future__ import annotations

from collections.abc import Container

import numpy as np
from numpy.typing import NDArray

from focused.crawl.hosts import Hosts
from focused.crawl.scope import ALLOWED, ScopeRules
from focused.crawl.strategy import Visit
from focused.crawl.url_table import IN_SCOPE, UNASKED, State, UrlTable
from focused.topic.topic import Scope

HOST_IS_SPENT = "page limit of its host"  #: why a URL is kept out, or dropped
HOST_IS_SILENT = "host does not answer"  #: the same
Drop = tuple[int, str]  #: id of a URL and why it was dropped


class Admission:
    """A topic's scope and limits, applied to the URLs of one crawl; each URL is held against the scope once."""

    def __init__(self, scope: Scope, urls: UrlTable, hosts: Hosts) -> None:
        self.rules = ScopeRules(scope)
        self._urls, self._hosts = urls, hosts
        self._verdicts = ["", ALLOWED]  # by the numbers that the table of URLs keeps

    def of_links(self, visit: Visit, new: Container[int]) -> tuple[NDArray[np.bool_], list[Drop]]:
        """Return which links of a page may be followed, (n,) booleans, and why those of its ``new`` URLs may not."""
        states = self._urls.state[visit.targets]
        admitted = (states == State.FREE) | (states == State.WAITING)
        reason, ignores = self._against_all(visit), self.rules.options.nofollow != "links"
        drops: list[Drop] = []
        ids = visit.targets.tolist()
        for position in np.flatnonzero(admitted).tolist():
            url, link = ids[position], visit.links[position]
            why = reason or ("nofollow" if link.nofollow and not ignores else self.against(url, link.url, link.host))
            if why:
                admitted[position] = False
                if position in new:
                    drops.append((url, why))
        return admitted, drops

    def against(self, url: int, text: str, host: str) -> str:
        """Why a URL may not wait, for what it is and where it lies; or ALLOWED."""
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
        """So many links from a seed are more than the scope allows."""
        deepest = self.rules.options.max_depth
        return bool(deepest) and depth > deepest

    def against_host(self, host: int) -> str:
        """Why nothing of a host may wait: it has had as many pages as the scope allows it, or is silent; or ALLOWED."""
        limit = self.rules.options.pages_per_host
        if limit and self._hosts.picked[host] >= limit:
            return HOST_IS_SPENT
        return HOST_IS_SILENT if self._hosts.is_given_up(host) else ALLOWED

    def may_come_back(self, url: int) -> bool:
        """Whether a URL that was found earlier waits, or may wait: dropped by the strategy or evicted, but in scope."""
        state = self._urls.state[url]
        if state == State.WAITING:
            return True
        in_scope = state == State.FREE and self._urls.verdict[url] == IN_SCOPE
        return bool(in_scope) and not self.against_host(int(self._urls.host[url]))

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
