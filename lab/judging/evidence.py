"""What the pages of a topic's crawls can be judged by, labels included: their texts, and the links of the whole recorded web."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.sparse import csr_array

from focused.crawl.arrays import FloatArray
from focused.exceptions import EvaluationError
from focused.simulation.analysed_web import AnalysedWeb, Fetched
from focused.topic.topic import Topic
from lab.crawlers.web_links import NO_PAGE, WebLinks, links_of


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


def similarities(description: Sequence[str], pages: Mapping[str, Sequence[str]]) -> dict[str, float]:
    """sim(d, p) in [0, 1] of each page p: the cosine of the weights (0.5 + 0.5 tf / max tf) ln(|C| / df).

    Parameters
    ----------
    description : the terms (stems without stop words) of the topic's description d
    pages : URL -> terms of each page of C, the union of what all compared crawlers fetched for the topic; read once

    Terms of the description that no page holds have no weight. A page without any weight (no terms, or only such as all
    pages hold) has similarity 0. Raises EvaluationError if the description is empty.
    """
    if not description:
        raise EvaluationError(
            "the topic's description has no terms, so no page can be compared with it; write a longer one"
        )
    vocabulary: dict[str, int] = {}
    columns, counts, most = [], [], []  # of each page
    for terms in pages.values():
        found = Counter(terms)
        columns.append(
            np.fromiter((vocabulary.setdefault(term, len(vocabulary)) for term in found), np.int32, len(found))
        )
        counts.append(np.fromiter(found.values(), np.int32, len(found)))
        most.append(max(found.values(), default=1))
    sizes = np.fromiter(map(len, columns), np.int64, len(columns))
    at = np.concatenate([np.empty(0, np.int32), *columns])
    rarity = np.log(len(pages) / np.bincount(at, minlength=len(vocabulary)))
    weights = (0.5 + 0.5 * np.concatenate([np.empty(0), *counts]) / np.repeat(most, sizes)) * rarity[at]
    matrix = csr_array((weights, at, np.concatenate(([0], np.cumsum(sizes)))), shape=(len(pages), len(vocabulary)))
    query = _query(description, vocabulary, rarity)
    lengths = np.sqrt(matrix.power(2).sum(axis=1)) * np.linalg.norm(query)
    cosines = np.divide(matrix @ query, lengths, out=np.zeros(len(pages)), where=lengths > 0)
    return dict(zip(pages, np.minimum(cosines, 1.0).tolist(), strict=True))  # rounding may lead slightly beyond 1


def _query(description: Sequence[str], vocabulary: Mapping[str, int], rarity: FloatArray) -> FloatArray:
    """(terms of the vocabulary,) weights of the description."""
    counts = Counter(description)
    most = max(counts.values())
    query = np.zeros(len(vocabulary))
    for term, count in counts.items():
        if (column := vocabulary.get(term)) is not None:
            query[column] = (0.5 + 0.5 * count / most) * rarity[column]
    return query
