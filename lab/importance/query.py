"""Similarity to a query: how like the topic's keywords the page is."""

from __future__ import annotations

from lab.judging.evidence import Evidence
from lab.judging.tf_idf import similarities


def query(evidence: Evidence) -> dict[str, float]:
    """The cosine of the keywords and the page by TF-IDF, in [0, 1]. To a longer description: the average precision.

    Source: Pant, Srinivasan & Menczer 2004, section 4.1, item 2.
    """
    return similarities(evidence.terms(" ".join(evidence.topic.keywords)), evidence.pages)
