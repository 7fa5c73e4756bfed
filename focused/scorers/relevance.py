"""Page models: how relevant a fetched page is to the topic, a number in [0, 1]."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from focused.page.page import Page
from focused.scorers.similarity import Query, page_similarity, query_length
from focused.topic.mistakes import unknown


@dataclass(frozen=True)
class PageModel:
    """The relevance of a page: the cosine of its term frequencies and a query.

    query : of a topic in one language
    by_language : of a topic in several, by code: a page is compared with what the topic is in its own language, or, where that
        is unknown or another, with what it is most like
    """

    query: Query
    by_language: Mapping[str, Query] = field(default_factory=dict)

    def __call__(self, page: Page) -> float:
        """The relevance of a page, in [0, 1]."""
        return page_similarity(self.query_for(page), page)

    def query_for(self, page: Page) -> Query:
        """What a page is compared with."""
        if not self.by_language:
            return self.query
        own = self.by_language.get(page.language)
        return own or max(self.by_language.values(), key=lambda query: page_similarity(query, page))

    def shares(self, page: Page) -> dict[str, float]:
        """What each term of the query adds to the relevance of a page; they sum up to it."""
        query = self.query_for(page)
        counts, length = Counter(page.terms), query_length(query) * page.norm
        return {term: weight * counts[term] / length if length else 0.0 for term, weight in query.items()}


@dataclass(frozen=True)
class TrainedPageModel:
    """The relevance of a page: the probability that it is on topic, by a model of `scrapy train`.

    probability : of the terms of a page
    """

    name: str
    probability: Callable[[Sequence[str]], float]

    def __call__(self, page: Page) -> float:
        """The relevance of a page, in [0, 1]."""
        return min(1.0, max(0.0, self.probability(page.terms)))


#: The page models there are, each with a number that is raised by hand when it gives another relevance: then an interrupted
#: crawl judges its pages anew.
VERSIONS = {"cosine": 1, "centroid": 1}


def centroid(keywords: Query, texts: Sequence[Sequence[str]]) -> Query:
    """The query of the model ``centroid``: the sum of the unit-length vectors of keywords and texts (Rocchio 1971).

    A long example thus weighs no more than the keywords do. The mean would have the same cosine as the sum.
    """
    total: defaultdict[str, float] = defaultdict(float)
    vectors: list[Query] = [keywords, *(Counter(text) for text in texts)]
    for vector in vectors:
        length = query_length(vector)
        for term, weight in vector.items():
            total[term] += weight / length
    return dict(total)


def page_model_version(name: str) -> str:
    """The name of a page model with its version; of a trained one the name."""
    return f"page model {name} {VERSIONS.get(name, '')}".strip()


def page_model(
    name: str,
    keywords: Mapping[str, int],
    texts: Sequence[Sequence[str]],
    by_language: Mapping[str, tuple[Mapping[str, int], Sequence[Sequence[str]]]] | None = None,
) -> PageModel:
    """Make a page model.

    Parameters
    ----------
    name : ``cosine`` (the keywords) or ``centroid`` (the keywords, the description and the example texts)
    keywords : stems with their counts
    texts : term lists of the description and of the examples
    by_language : of a topic in several languages, both by code

    Raises ValueError, naming the nearest model, for an unknown name.
    """
    if name not in VERSIONS:
        raise ValueError(f"page model {name!r}: {unknown(name, VERSIONS, plural='page models')}")
    parts = {"": (keywords, texts), **(by_language or {})}
    queries = {code: words if name == "cosine" else centroid(words, said) for code, (words, said) in parts.items()}
    return PageModel(queries.pop(""), queries)
