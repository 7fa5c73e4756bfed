"""Similarity of pages to a topic's description by TF-IDF, once all crawls that are compared have ended.

Source: Pant & Menczer 2003, equations 2 and 3. A crawler cannot know these weights while it runs (see
`focused/scoring/similarity.py` for what it uses).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np
from scipy.sparse import csr_array

from focused.crawl.arrays import FloatArray
from focused.exceptions import EvaluationError


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
