"""What the pages of a topic's crawls can be judged by, labels included: their texts, and the links of the whole recorded web."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from focused.crawl.arrays import FloatArray
from focused.exceptions import EvaluationError
from focused.simulation.analysed_web import AnalysedWeb, Fetched
from focused.topic.topic import Topic
from lab.crawlers.link_survey import links_of
from lab.crawlers.web_links import NO_PAGE, WebLinks


class PageTerms(Mapping[str, Sequence[str]]):
    """The terms of pages by URL, read when they are asked for: thousands of pages are too much to be kept."""

    def __init__(self, urls: Mapping[str, None], web: AnalysedWeb) -> None:
        self._urls, self._web = urls, web

    def __getitem__(self, url: str) -> Sequence[str]:
        answer = self._web.ask(url)
        if not isinstance(answer, Fetched):
            raise EvaluationError(f"{url} was fetched by a crawl, but the web has it no more; delete the crawls")
        return answer.page.terms

    def __iter__(self) -> Iterator[str]:
        return iter(self._urls)

    def __len__(self) -> int:
        return len(self._urls)


@dataclass(frozen=True)
class Evidence:
    """What the importance of pages is told by.

    relevant : URLs of the pages on topic, by the labels
    urls : of all pages that any of the compared crawls fetched, each once, in a fixed order
    """

    topic: Topic
    relevant: frozenset[str]
    web: AnalysedWeb
    urls: Mapping[str, None]

    @property
    def pages(self) -> PageTerms:
        """The terms of all these pages."""
        return PageTerms(self.urls, self.web)

    @cached_property
    def links(self) -> WebLinks:
        """The links between all pages of the recorded web that a crawl of the topic may follow."""
        return links_of(self.web, self.topic.scope)

    def terms(self, text: str) -> list[str]:
        """The terms of a text, as those of pages are."""
        return list(self.web.reader.analyser.terms(text))

    def recorded(self, urls: Iterable[str]) -> dict[str, Sequence[str]]:
        """The terms of those of these pages that are recorded."""
        answers = ((url, self.web.ask(url)) for url in urls)
        return {url: answer.page.terms for url, answer in answers if isinstance(answer, Fetched)}

    def by_page(self, values: FloatArray) -> dict[str, float]:
        """URL -> the value of its page, out of (n,) values of the nodes of `links`; 0 for a page that has no links at all."""
        key = self.web.reader.rules.key
        nodes = self.links.pages(np.fromiter((key(url) for url in self.urls), np.int64, len(self.urls)))
        found = np.where(nodes == NO_PAGE, 0.0, values[nodes])
        return dict(zip(self.urls, found.tolist(), strict=True))
