"""How far a crawl has come, how far it is behind its time, and why it ends."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from focused.crawl.novelty import EXACT, NEW
from focused.topic.topic import LONGEST_WINDOW, Budget


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
    """The end of a crawl whose ``waiting`` URLs all score below the floor."""
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


SHORT = 0.1  #: a crawl whose pace is this much below 1 is in the greatest hurry


def hurry(budget: Budget, totals: Totals, seconds: float) -> float:
    """How great a hurry a crawl is in, in [0, 1].

        (1 - pace) / `SHORT`, at least 0 and at most 1;  pace = share of the budget used / share of the hours used

    At a pace below 1 the crawl will run out of time before it has used its budget, if it goes on as it did. Without a limit of
    hours the result is 0; with hours as the only limit it is 1 from the first second on.

    seconds : of crawling, all runs together
    """
    if not budget.hours:
        return 0.0
    time, used = seconds / (budget.hours * 3600), _share_used(budget, totals)
    return 0.0 if used >= time else min(1.0, (1 - used / time) / SHORT)


def _share_used(budget: Budget, totals: Totals) -> float:
    """Share used of the limit that is nearest to its end, hours left out; 0 without limits."""
    limits = (
        (totals.pages, budget.pages),
        (totals.relevant, budget.relevant_pages),
        (totals.bytes, budget.megabytes * 1e6),
    )
    return max((done / limit for done, limit in limits if limit), default=0.0)


SLIDING = 200  #: pages over which the sliding harvest rate is shown


@dataclass(slots=True)
class Totals:
    """Counts over the whole crawl, all its runs together."""

    pages: int = 0  #: pages whose content was received
    #: of these, relevant by the page model; one that brings nothing new, or says nothing, does not count
    relevant: int = 0
    duplicates: int = 0  #: of these, exact copies of an earlier page
    stale: int = 0  #: of these, others that bring nothing new
    failures: int = 0  #: URLs that gave no content, for whatever reason
    bytes: int = 0  #: of all bodies
    #: of the last pages, whether each is relevant
    recent: deque[bool] = field(default_factory=lambda: deque(maxlen=LONGEST_WINDOW))

    def count(self, size: int, *, relevant: bool, verdict: str) -> None:
        """Count a page; ``verdict`` says why it brings nothing new."""
        self.pages += 1
        self.relevant += relevant
        self.duplicates += verdict == EXACT
        self.stale += verdict not in (NEW, EXACT)
        self.bytes += size
        self.recent.append(relevant)

    @property
    def harvest(self) -> float:
        """Share of relevant pages among all fetched; 0 before the first."""
        return self.relevant / self.pages if self.pages else 0.0

    def harvest_of_last(self, count: int) -> float:
        last = list(self.recent)[-count:]
        return sum(last) / len(last) if last else 0.0

    def snapshot(self) -> dict[str, Any]:
        names = ("pages", "relevant", "duplicates", "stale", "failures", "bytes")
        return {name: getattr(self, name) for name in names} | {"recent": [int(flag) for flag in self.recent]}

    @classmethod
    def restored(cls, state: Mapping[str, Any]) -> Totals:
        """The totals of a `snapshot`; ValueError if it has something else than counts."""
        if any(not isinstance(count, int) for name, count in state.items() if name != "recent"):
            raise ValueError("the totals are no counts")
        recent = deque((bool(flag) for flag in state["recent"]), maxlen=LONGEST_WINDOW)
        return cls(**{**state, "recent": recent})
