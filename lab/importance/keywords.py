"""Keywords in the document: which share of them the page has."""

from __future__ import annotations

from lab.judging.evidence import Evidence


def keywords(evidence: Evidence) -> dict[str, float]:
    """The share of the topic's keyword terms that stand on the page, in [0, 1]; 0 where the keywords have no terms.

    Source: Pant, Srinivasan & Menczer 2004, section 4.1, item 1.
    """
    wanted = set(evidence.terms(" ".join(evidence.topic.keywords)))
    return {url: len(wanted.intersection(terms)) / max(1, len(wanted)) for url, terms in evidence.pages.items()}
