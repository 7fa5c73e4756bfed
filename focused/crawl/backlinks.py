"""Providers of backlinks: asked about some URLs, a provider names the pages that link to each of them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from typing import ClassVar

from focused.page.urls import UrlRules


class Backlinks(ABC):
    """Base of all providers; a subclass writes `ask`.

    Parameters
    ----------
    rules : the topic's rules for canonical URLs
    limit : most backlinks of a URL; 0: all that the provider knows
    """

    batch: ClassVar[int] = 1000  #: URLs to ask about in one question while a crawl runs

    def __init__(self, rules: UrlRules, limit: int) -> None:
        self.rules, self.limit = rules, limit

    def backlinks_of(self, urls: Sequence[str]) -> dict[str, list[str]]:
        """Canonical URLs of pages that link to each of these URLs, in the provider's order; an empty list where none is known.

        Each page is named once for a URL, and never for itself. The call may take long: a live crawl makes it in another thread,
        one question at a time. Raises BacklinkError or StorageError if the provider cannot be asked.
        """
        found = self.ask(list(dict.fromkeys(urls)))
        return {url: self._cleaned(url, found.get(url, ())) for url in urls}

    @abstractmethod
    def ask(self, urls: Sequence[str]) -> Mapping[str, Iterable[str]]:
        """The provider's raw answer by URL; it may leave out URLs that it does not know."""

    def _cleaned(self, url: str, found: Iterable[str]) -> list[str]:
        canonical = (self.rules.canonical(backlink) for backlink in found)
        distinct = list(dict.fromkeys(backlink for backlink in canonical if backlink and backlink != url))
        return distinct[: self.limit] if self.limit else distinct
