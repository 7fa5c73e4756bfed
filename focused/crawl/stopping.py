"""Why a crawl ends: one name for machines and one sentence for a person, for every reason that the core knows."""

from __future__ import annotations

from dataclasses import dataclass

from focused.crawl.totals import Totals
from focused.topic.topic import Budget


@dataclass(frozen=True, slots=True)
class Stop:
    """Why a crawl ends.

    slug : stable, of lower-case letters and ``_``: Scrapy's ``finish_reason``
    sentence : for a person
    """

    slug: str
    sentence: str


FINISHED = Stop("finished", "finished")  #: nothing stopped it
DEAD_END = Stop("dead_end", "dead end: no URL is left to fetch")


def too_low(waiting: int, floor: float) -> Stop:
    """The end of a crawl in which so many URLs wait, all of them scored below the floor."""
    urls = "1 URL waits" if waiting == 1 else f"{waiting:,} URLs wait"
    return Stop("min_score", f"no link is good enough: {urls} below [strategy] min_score = {floor:g}")


def reached(budget: Budget, totals: Totals, seconds: float) -> Stop | None:
    """The limit of the budget that is reached, or None. ``seconds`` counts all runs."""
    if budget.pages and totals.pages >= budget.pages:
        return Stop("page_budget", f"page budget reached: {totals.pages} of {budget.pages} pages")
    if budget.relevant_pages and totals.relevant >= budget.relevant_pages:
        return Stop("relevant_budget", f"enough relevant pages: {totals.relevant} of {budget.relevant_pages}")
    if budget.megabytes and totals.bytes >= budget.megabytes * 1e6:
        return Stop("byte_budget", f"byte budget reached: {totals.bytes / 1e6:.1f} of {budget.megabytes:g} MB")
    if budget.hours and seconds >= budget.hours * 3600:
        return Stop("time_budget", f"time budget reached: {seconds / 3600:.2f} of {budget.hours:g} hours")
    if budget.harvest_floor and totals.pages >= budget.harvest_window:
        harvest = totals.harvest_of_last(budget.harvest_window)
        if harvest < budget.harvest_floor:
            return Stop(
                "harvest_floor",
                f"harvest rate of the last {budget.harvest_window} pages is {harvest:.3f}, "
                f"below the floor of {budget.harvest_floor:g}",
            )
    return None
