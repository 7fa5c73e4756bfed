"""The pages that were named and not looked at yet: each once, the most promising first, no host too often."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable

from focused.crawl.domains import domain_of
from focused.crawl.scope import ScopeRules
from focused.reading.urls import UrlRules, host_of
from focused.searching.judged_pages import Origin
from focused.searching.search_provider import Found
from focused.topic.topic import Topic

#: Of reciprocal rank fusion (Cormack et al. 2009): a page is worth the sum of 1 / (RANK + rank) over all answers that name it.
RANK = 60


class Candidates:
    """Takes in answers, and gives out URLs to be fetched.

    per_domain : URLs of a registered domain that are given out, at most
    """

    def __init__(self, topic: Topic, rules: UrlRules, per_domain: int) -> None:
        self._rules, self._scope = rules, ScopeRules(topic.scope)
        self._per_domain = per_domain
        self._worth: defaultdict[str, float] = defaultdict(float)
        self._origins: dict[str, Origin] = {}
        self._given: set[str] = set()
        self._of_domain: Counter[str] = Counter()

    def add(self, found: Iterable[Found], origin: Origin) -> int:
        """Take in an answer; return how many URLs in it can be asked for at all: on the Web, and in the topic's scope."""
        usable = 0
        for one in found:
            url = self._rules.canonical(one.url)
            if url is None or self._scope.verdict(url, host_of(url)):
                continue
            usable += 1
            self._worth[url] += 1 / (RANK + one.rank)
            self._origins.setdefault(url, origin)
        return usable

    def take(self, most: int) -> list[tuple[str, Origin]]:
        """The best URLs that were not given out before, ``most`` at most."""
        taken: list[tuple[str, Origin]] = []
        for url in sorted(self._worth.keys() - self._given, key=lambda url: (-self._worth[url], url)):
            domain = domain_of(host_of(url))
            if len(taken) < most and self._of_domain[domain] < self._per_domain:
                self._of_domain[domain] += 1
                self._given.add(url)
                taken.append((url, self._origins[url]))
        return taken
