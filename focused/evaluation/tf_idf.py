"""Similarity of pages to a topic's description by TF-IDF, once all crawls that are compared have ended.

Source: Pant & Menczer 2003, equations 2 and 3. A crawler cannot know these weights while it runs (see
`focused/scoring/similarity.py` for what it uses).
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence

from focused.evaluation.errors import EvaluationError


def similarities(description: Sequence[str], pages: Mapping[str, Sequence[str]]) -> dict[str, float]:
    """sim(d, p) in [0, 1] of each page p: the cosine of the weights (0.5 + 0.5 tf / max tf) ln(|C| / df).

    Parameters
    ----------
    description : the terms (stems without stop words) of the topic's description d
    pages : URL -> terms of each page of C, the union of what all compared crawlers fetched for the topic; read twice

    Terms of the description that no page holds have no weight. A page without any weight (no terms, or only such as all
    pages hold) has similarity 0. Raises EvaluationError if the description is empty.
    """
    if not description:
        raise EvaluationError(
            "the topic's description has no terms, so no page can be compared with it; write a longer one"
        )
    frequency = Counter(term for terms in pages.values() for term in set(terms))
    rarity = {term: math.log(len(pages) / count) for term, count in frequency.items()}
    query = _weights(description, rarity)
    return {url: _cosine(query, _weights(terms, rarity)) for url, terms in pages.items()}


def _weights(terms: Sequence[str], rarity: Mapping[str, float]) -> dict[str, float]:
    counts = Counter(terms)
    most = max(counts.values(), default=0)
    return {term: (0.5 + 0.5 * count / most) * rarity[term] for term, count in counts.items() if term in rarity}


def _cosine(query: Mapping[str, float], page: Mapping[str, float]) -> float:
    lengths = math.hypot(*query.values()) * math.hypot(*page.values())
    if not lengths:
        return 0.0
    product = math.fsum(weight * page[term] for term, weight in query.items() if term in page)
    return min(1.0, product / lengths)  # rounding may lead slightly beyond 1
