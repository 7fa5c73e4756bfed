"""What each host needed so far: a host that never needs rendering does not pay for it, one that always does is not asked."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

from focused.collection.store import Store
from focused.live.rendering_outcome import IN_VAIN, Outcome

SURE = 3  #: rendered pages that gained, before a host's pages are rendered whatever they look like
MOST_EXCEPTIONS = 0.1  #: share of a host's pages that may have had no need of it, for that
TRIES = 2  #: pages rendered in vain, and none with gain, after which a host's pages are not rendered


@dataclass(slots=True)
class Tally:
    """Pages of one host."""

    needed: int = 0  #: rendered, and it gave more
    sufficed: int = 0  #: plain, and it was no shell
    in_vain: int = 0  #: rendered, and it gave nothing more


class HostMemory:
    """Counts of a crawl by host; they live in its history, so that a later run knows them as well."""

    def __init__(self, tallies: dict[str, Tally] | None = None) -> None:
        self._tallies = defaultdict(Tally, tallies or {})

    @classmethod
    def of(cls, store: Store) -> HostMemory:
        """What the history of a collection says."""
        rows = store.execute(
            """
            SELECT h.name, sum(f.rendered AND f.reason IS NULL), sum(NOT f.rendered AND f.reason IS NULL),
                sum(coalesce(f.reason, '') = ?)
            FROM fetches f JOIN urls u ON u.id = f.final_url JOIN hosts h ON h.id = u.host
            WHERE f.rendered IS NOT NULL GROUP BY h.name""",
            (IN_VAIN,),
        )
        return cls({host: Tally(*counts) for host, *counts in rows})

    def needs(self, host: str, *, is_shell: bool) -> bool:
        """Whether a plain page of a host is to be rendered."""
        tally = self._tallies.get(host)
        if tally is None:
            return is_shell
        exceptions = tally.sufficed + tally.in_vain
        if tally.needed >= SURE and exceptions <= MOST_EXCEPTIONS * (tally.needed + exceptions):
            return True
        if not tally.needed and tally.in_vain >= TRIES:
            return False
        return is_shell

    def learn(self, host: str, outcome: Outcome) -> None:
        tally = self._tallies[host]
        if outcome.reason == IN_VAIN:
            tally.in_vain += 1
        elif outcome.reason is None:
            if outcome.rendered:
                tally.needed += 1
            else:
                tally.sufficed += 1
