"""Retrieval system rank: how far up a search for the keywords lists the page, among all that the compared crawls fetched."""

from __future__ import annotations

import numpy as np
from scipy.stats import rankdata

from focused.scoring.bm25 import bm25, collection_frequency_weights
from lab.judging.evidence import Evidence


def retrieval_rank(evidence: Evidence) -> dict[str, float]:
    """1 for the page that BM25 ranks first, 1/n for the last of n, in equal steps; pages that tie share the mean.

    Source: Pant, Srinivasan & Menczer 2004, section 4.1, item 5, with BM25 for the SMART system.
    """
    wanted = list(dict.fromkeys(evidence.terms(" ".join(evidence.topic.keywords))))
    texts = list(evidence.pages.values())
    counts = np.array([[terms.count(term) for term in wanted] for terms in texts], np.int64).reshape(len(texts), -1)
    lengths = np.fromiter(map(len, texts), np.int64, len(texts))
    weights = collection_frequency_weights((counts > 0).sum(axis=0), len(texts))
    scores = bm25(counts, lengths, weights, float(lengths.mean()))
    return dict(zip(evidence.urls, (rankdata(scores) / len(texts)).tolist(), strict=True))
