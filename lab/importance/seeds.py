"""Similarity to seed pages: how like all seeds together the page is."""

from __future__ import annotations

from lab.judging.evidence import Evidence
from lab.judging.tf_idf import similarities


def seeds(evidence: Evidence) -> dict[str, float]:
    """The cosine of one document of all seeds and the page by TF-IDF, in [0, 1]. Only as good as the seeds are on topic.

    Source: Pant, Srinivasan & Menczer 2004, section 4.1, item 3.
    """
    texts = evidence.recorded(evidence.topic.seeds).values()
    return similarities([term for terms in texts for term in terms], evidence.pages)
