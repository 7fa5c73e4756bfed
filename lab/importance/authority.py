"""Authority of the page in the whole recorded web, by HITS."""

from __future__ import annotations

import numpy as np

from focused.scoring.hits import hits
from lab.judging.evidence import Evidence


def authority(evidence: Evidence) -> dict[str, float]:
    """Authority score of HITS without weights, from 0 on, 1 on average over all recorded URLs.

    Of the whole web, not of the neighbourhood of a query: general authorities lead, whatever the topic.

    Source: Pant, Srinivasan & Menczer 2004, section 4.1, item 6, after Kleinberg 1999.
    """
    links = evidence.links
    sources, targets = links.ends()
    equal = np.ones(len(targets))
    _, found = hits(sources, targets, equal, equal, len(links))
    return evidence.by_page(found * len(links))
