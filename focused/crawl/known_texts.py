"""Texts of URLs, host by host, until more is known of their host: not many, and the oldest hosts are forgotten first."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from focused.crawl.domains import domain_of
from focused.reading.urls import host_of

_NONE: Mapping[int, str] = {}


class KnownTexts:
    """Texts by host and id.

    Parameters
    ----------
    most, of_host, of_domain : so many are kept in all, of a host, and of a registered domain
    longest : characters of a text; longer ones are not kept
    """

    def __init__(self, most: int, of_host: int, longest: int, of_domain: float = math.inf) -> None:
        self._most, self._of_host, self._of_domain, self._longest = most, of_host, of_domain, longest
        self._texts: dict[str, dict[int, str]] = {}
        self._domains = Counter[str]()  # texts of each
        self._count = 0  # in all

    def keep(self, url: int, text: str) -> None:
        """Keep the text of a URL, unless it is too long, or its host or its domain has enough of them."""
        if len(text) > self._longest:
            return
        host = host_of(text)
        texts = self._texts.get(host, {})
        if url in texts or len(texts) >= self._of_host:
            return
        domain = domain_of(host)
        if self._domains[domain] >= self._of_domain:
            return
        self._texts.setdefault(host, texts)[url] = text
        self._domains[domain] += 1
        self._count += 1
        while self._count > self._most:
            oldest = next(iter(self._texts))
            forgotten = len(self._texts.pop(oldest))
            self._domains[domain_of(oldest)] -= forgotten
            self._count -= forgotten

    def of(self, host: str) -> Mapping[int, str]:
        """Those of a host by id, in the order in which they came."""
        return self._texts.get(host, _NONE)

    def snapshot(self) -> list[Any]:
        return [[host, [[url, text] for url, text in texts.items()]] for host, texts in self._texts.items()]

    def restore(self, state: Iterable[Any]) -> None:
        """Take up what `snapshot` gave."""
        self._texts = {host: dict(texts) for host, texts in state}
        self._domains = Counter()
        for host, texts in self._texts.items():
            self._domains[domain_of(host)] += len(texts)
        self._count = self._domains.total()
