"""Distinct relevant hosts: on how many hosts relevant pages were found."""

from __future__ import annotations

from urllib.parse import urlsplit

import numpy as np

from focused.crawl.arrays import FloatArray
from focused.simulation.labels import Judgements
from lab.judging.counting import relevant_flags
from lab.judging.run import Run


def distinct_relevant_hosts(run: Run, judgements: Judgements) -> FloatArray:
    """(N,) hosts with at least one relevant page, after each page; whole numbers.

    It tells a crawl that found many sources from one that emptied a single site.
    """
    relevant = relevant_flags(run, judgements)
    new = np.zeros(len(relevant))
    hosts: set[str | None] = set()
    for position in np.flatnonzero(relevant).tolist():
        host = urlsplit(run.urls[position]).hostname
        new[position] = host not in hosts
        hosts.add(host)
    return np.cumsum(new)
