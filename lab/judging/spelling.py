"""How labels spell the URLs of a crawl."""

from __future__ import annotations

from collections.abc import Iterable

from focused.reading.urls import UrlRules
from focused.simulation.labels import Judgements


class Spelling:
    """A page is known by its key: a crawl may have found it under a URL spelt differently from that of the label."""

    def __init__(self, judgements: Judgements, rules: UrlRules) -> None:
        self._key = rules.key
        self._by_key = {self._key(url): url for url in judgements.relevant | judgements.neutral}

    def label(self, url: str) -> str:
        """A URL as the labels spell it; one that has no label as it is."""
        return self._by_key.get(self._key(url), url)

    def of(self, urls: Iterable[str]) -> dict[str, str]:
        """URLs that the labels spell differently, with that spelling."""
        return {url: label for url in urls if (label := self.label(url)) != url}
