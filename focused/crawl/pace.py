"""Whether a crawl is in a hurry, which has so many hours for its pages. It decides picks only: these are in the journal."""

from __future__ import annotations

from focused.crawl.totals import Totals
from focused.topic.topic import Budget

SHORT = 0.1  #: with its budget this share behind its time, a crawl is in as great a hurry as can be


def hurry(budget: Budget, totals: Totals, seconds: float) -> float:
    """How great a hurry a crawl is in, in [0, 1].

        (1 - pace) / `SHORT`, at least 0 and at most 1;  pace = share of the budget used / share of the hours used

    At a pace below 1 the time left will not suffice for what is left of the budget, if the crawl goes on as it did. Without hours
    nothing is in a hurry. With hours alone time is all there is, so that no pace is fast enough.

    seconds : of crawling, all runs together
    """
    if not budget.hours:
        return 0.0
    time, used = seconds / (budget.hours * 3600), _share_used(budget, totals)
    return 0.0 if used >= time else min(1.0, (1 - used / time) / SHORT)


def _share_used(budget: Budget, totals: Totals) -> float:
    """Of the budget but for its hours: that of the limit which is nearest; 0 without any."""
    limits = (
        (totals.pages, budget.pages),
        (totals.relevant, budget.relevant_pages),
        (totals.bytes, budget.megabytes * 1e6),
    )
    return max((done / limit for done, limit in limits if limit), default=0.0)
