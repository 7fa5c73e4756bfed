"""How far a crawl has come."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from focused.crawl.novelty import EXACT, NEW
from focused.topic.topic import LONGEST_WINDOW

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
        """The totals of a `snapshot`; ValueError where it has something else than counts."""
        if any(not isinstance(count, int) for name, count in state.items() if name != "recent"):
            raise ValueError("the totals are no counts")
        recent = deque((bool(flag) for flag in state["recent"]), maxlen=LONGEST_WINDOW)
        return cls(**{**state, "recent": recent})
