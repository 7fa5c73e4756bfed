"""PageRank of the page in the whole recorded web."""

from __future__ import annotations

from focused.scoring.page_ranks import pagerank as ranks
from lab.judging.evidence import Evidence

DAMPING, ITERATIONS = 0.85, 100  #: of Brin & Page 1998; iterations until nothing changes


def pagerank(evidence: Evidence) -> dict[str, float]:
    """PageRank, from 0 on, 1 on average over all recorded URLs.

    Source: Pant, Srinivasan & Menczer 2004, section 4.1, item 6.
    """
    links = evidence.links
    found = ranks(*links.ends(), len(links), damping=DAMPING, iterations=ITERATIONS)
    return evidence.by_page(found)
