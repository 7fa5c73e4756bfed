"""The queue of a portal's editors: entries that nobody has decided on, those that are decided, and what is said of some."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from focused.desk.portal.entry import Entry
from focused.desk.portal.memory import PortalMemory
from focused.desk.portal.placements import Placement, Placements, category_name

State = Literal["waiting", "accepted", "rejected"]
STATES: tuple[State, ...] = ("waiting", "accepted", "rejected")


@dataclass(frozen=True, slots=True)
class Queued:
    """An entry as an editor sees it."""

    entry: Entry
    state: State
    category: str  #: that an editor moved it into, else the one that the last portal chose
    moved: bool


@dataclass(frozen=True, slots=True)
class Said:
    """What an editor says of one entry. Another category than it has moves it, which accepts it."""

    url: str
    say: str  #: ``accept``, ``reject``, ``forget``; anything else says nothing
    category: str


def queue_of(folder: Path, mark: str) -> list[Queued]:
    """All entries of the last portal, and those that were rejected since, the most relevant first."""
    entries, placements = PortalMemory.remembered(folder, mark), Placements(folder).all()
    queued = [_queued(one, placements.get(one.url)) for one in entries.values()]
    return sorted(queued, key=lambda one: (-one.entry.relevance, one.entry.number))


def take(folder: Path, mark: str, said: Iterable[Said]) -> int:
    """Keep what an editor says; return of how many entries something was said. Entries that there are not are passed over."""
    known = {one.entry.url: one for one in queue_of(folder, mark)}
    placements: dict[str, Placement | None] = {}
    for one in said:
        if (queued := known.get(one.url)) is not None:
            _decide(queued, one, placements)
    if placements:
        Placements(folder).place(placements)
    return len(placements)


def categories_in(queue: Sequence[Queued]) -> list[str]:
    return sorted({one.category for one in queue if one.category})


def _decide(queued: Queued, said: Said, placements: dict[str, Placement | None]) -> None:
    wanted = category_name(said.category) or queued.category
    is_moved = wanted != queued.category
    category = wanted if is_moved or queued.moved else ""
    if said.say == "forget":
        placements[said.url] = None
    elif said.say == "reject":
        placements[said.url] = Placement(False, category)
    elif is_moved or said.say == "accept":
        placements[said.url] = Placement(True, category)


def _queued(entry: Entry, placement: Placement | None) -> Queued:
    if placement is None:
        return Queued(entry, "waiting", entry.category, False)
    state: State = "accepted" if placement.accepted else "rejected"
    return Queued(entry, state, placement.category or entry.category, bool(placement.category))


def counted(queue: Sequence[Queued]) -> Mapping[State, int]:
    return {state: sum(one.state == state for one in queue) for state in STATES}
