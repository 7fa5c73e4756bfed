"""Cosine similarity of term-frequency vectors: how well a page matches a query.

Source: Pant & Menczer 2003, "Topical Crawling for Business Intelligence", equation 3 with plain term frequencies, as in
section 4.3: while a crawl runs, nobody knows how terms are distributed over the pages that it will fetch. A link's
context, the text under its aggregation node in the tag tree, is that of section 4.4. A page that points to many of the seed
hosts is a good hub, because seeds are known to be relevant: section 4.5 and figure 3.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Mapping, Sequence, Set
from itertools import repeat

import numpy as np

from focused.crawl.arrays import FloatArray
from focused.page.page import Page

Query = Mapping[str, float]  #: weight of each term, not negative; of keywords: stem -> count


def query_length(query: Query) -> float:
    """Euclidean length of the query's vector, 0.0 for an empty query."""
    return math.hypot(*query.values())


def query_weights(query: Query, terms: Sequence[str]) -> FloatArray:
    """(n,) the query's weight of each of n terms, 0 for a term that is not in the query.

    Their sum over a text is the dot product of the query and the text's term-frequency vector.
    """
    return np.fromiter(map(query.get, terms, repeat(0.0)), np.float64, len(terms))


def page_similarity(query: Query, page: Page) -> float:
    """cos(q, page) in [0, 1]; 0.0 where the query or the page is empty."""
    lengths = query_length(query) * page.norm
    if not lengths:
        return 0.0
    # Rounding may lead slightly beyond 1.
    return min(1.0, float(query_weights(query, page.terms).sum()) / lengths)


def similarity_within(query: Query, page: Page, space: Collection[str]) -> float:
    """cos(q, page) in [0, 1] where only the terms of a space count, in the query and in the page; 0.0 where none is left."""
    inside = {term: weight for term, weight in query.items() if term in space}
    counts = Counter(term for term in page.terms if term in space)
    lengths = query_length(inside) * math.hypot(*counts.values())
    return min(1.0, sum(weight * counts[term] for term, weight in inside.items()) / lengths) if lengths else 0.0


def anchor_similarities(query: Query, page: Page) -> FloatArray:
    """(n,) cos(q, anchor text) in [0, 1] of the page's n links, in page order; 0 where the query or an anchor is empty."""
    terms, length = page.terms, query_length(query)

    def similarity(anchor: Sequence[str]) -> float:
        dot = sum(map(query.get, anchor, repeat(0.0)))
        # Most anchors hold no term of the query, so that their length need not be known.
        return min(1.0, dot / (length * math.hypot(*Counter(anchor).values()))) if dot else 0.0

    anchors = (terms[link.anchor_start : link.anchor_end] for link in page.links)
    return np.fromiter(map(similarity, anchors), np.float64, len(page.links))


def context_similarities(query: Query, page: Page) -> FloatArray:
    """(n,) cos(q, context) in [0, 1] of the page's n links, in page order; 0 where the query or a context is empty."""
    return page_and_context_similarities(query, page)[1]


def page_and_context_similarities(query: Query, page: Page) -> tuple[float, FloatArray]:
    """cos(q, page), as `similarity.page_similarity` gives it, and cos(q, context) of all links, as an (n,) array.

    One pass over the page's terms serves all of them: with the running sum of the query's weights, the dot product of
    the query and any span of terms is a difference of two numbers, so that overlapping contexts cost nothing extra.
    """
    terms, links = page.terms, page.links
    running_dot = np.zeros(len(terms) + 1)
    np.cumsum(query_weights(query, terms), out=running_dot[1:])
    # The whole page is the first span, the contexts of its links are the others.
    starts = np.array([0, *[link.context_start for link in links]])
    ends = np.array([len(terms), *[link.context_end for link in links]])
    lengths = query_length(query) * np.array([page.norm, *[link.context_norm for link in links]])
    cosines = np.zeros(len(lengths))
    np.divide(running_dot[ends] - running_dot[starts], lengths, out=cosines, where=lengths > 0)
    np.clip(cosines, 0.0, 1.0, out=cosines)  # rounding may lead slightly beyond
    return float(cosines[0]), cosines[1:]


def hub_score(seed_hosts_linked: int) -> float:
    """n(n-1) / (1 + n²) in [0, 1) for a page that points to n distinct seed hosts: 0, 0, 0.4, 0.6, 0.71, ..."""
    n = seed_hosts_linked
    return n * (n - 1) / (1 + n * n)


def count_seed_hosts(page: Page, seed_hosts: Set[str], *, own_host: bool = True) -> int:
    """Count the distinct seed hosts that a page points to; without ``own_host``, links within its host do not count."""
    linked = seed_hosts & {link.host for link in page.links}
    return len(linked if own_host else linked - {page.host})
