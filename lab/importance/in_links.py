"""In-links: how many pages of the whole recorded web link to the page."""

from __future__ import annotations

import numpy as np

from lab.judging.evidence import Evidence


def in_links(evidence: Evidence) -> dict[str, float]:
    """Pages that link to the page, from 0 on.

    Source: Pant, Srinivasan & Menczer 2004, section 4.1, item 6.
    """
    links = evidence.links
    return evidence.by_page(np.bincount(links.targets, minlength=len(links)).astype(np.float64))
