"""Similarity of a query to what stands around each link: the text under the link's aggregation node in the tag tree.

Source: Pant & Menczer 2003, "Topical Crawling for Business Intelligence", section 4.4 (`context_score`).
"""

from __future__ import annotations

import numpy as np

from focused.crawl.arrays import FloatArray
from focused.page.page import Page
from focused.relevance.similarity import Query, query_length, query_weights


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
