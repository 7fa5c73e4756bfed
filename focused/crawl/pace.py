"""Whether a crawl that has so much time and so many pages is in a hurry. It decides picks only: these are in the journal."""

from __future__ import annotations

from focused.crawl.totals import Totals
from focused.topic.topic import Budget

SHORT = 0.1  #: this share of its pages behind its time, a crawl is in as great a hurry as can be


def hurry(budget: Budget, totals: Totals, seconds: float) -> float:
    """How great a hurry a crawl is in, in [0, 1].

        1 - pace, from 0 to `SHORT`, as a share of `SHORT`;  pace = (pages / all pages) / (seconds / all seconds)

    At a pace below 1 the time left does not suffice for the pages left, if these come as fast as those before. Without a limit
    of time nothing is in a hurry. Without a limit of pages time is all there is, so no pace is fast enough.

    seconds : of crawling, all runs together
    """
    if not budget.hours:
        return 0.0
    if not budget.pages:
        return 1.0
    time_used, pages_used = seconds / (budget.hours * 3600), totals.pages / budget.pages
    if pages_used >= time_used:
        return 0.0
    return min(1.0, (1 - pages_used / time_used) / SHORT)
