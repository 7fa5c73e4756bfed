"""The family of the agents: who was born of whom, and what became of each. People look at it; nothing is decided by it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from focused.page.plain_text import plain

NOBODY = -1  #: instead of the number of an agent
LIVES = -1  #: instead of the page at which an agent died
MOST = 300  #: agents that are remembered beside the living: the dead that were born first are forgotten first
TOLD = 200  #: agents that a person is told of, at most
LONGEST_LINE = 50  #: ancestors of an agent that are remembered and told, the nearest
LONGEST_WORD = 40  #: characters of a keyword that are told


@dataclass(slots=True)
class Life:
    """What is remembered of one agent; pages are counted over the whole crawl."""

    parent: int  #: its number; NOBODY: it began with a seed
    born: int  #: pages fetched by all when it was born
    word: str  #: the keyword that it has and its parent has not; empty: none
    died: int = LIVES  #: pages fetched by all when it died, or gave way with nothing left to fetch
    pages: int = 0  #: that it fetched
    hits: int = 0  #: of these, those that count as relevant


class Family:
    """Lives by number, oldest first."""

    def __init__(self) -> None:
        self._lives: dict[int, Life] = {}

    def born(self, number: int, parent: int, pages: int, word: str) -> None:
        self._lives[number] = Life(parent, pages, word)
        if len(self._lives) > 2 * MOST:
            self._forget()

    def visited(self, number: int, *, hit: bool) -> None:
        if life := self._lives.get(number):
            life.pages += 1
            life.hits += hit

    def died(self, numbers: Iterable[int], pages: int) -> None:
        for number in numbers:
            if life := self._lives.get(number):
                life.died = pages

    def told(self, energies: Mapping[int, float]) -> list[dict[str, Any]]:
        """The living and their ancestors, then the youngest dead, `TOLD` at most, in order of birth.

        energies : of the living, by number
        """
        kept: dict[int, None] = {}
        living = sorted(energies, key=lambda number: (-energies[number], number))
        for number in (*living, *(number for number in reversed(self._lives) if number not in energies)):
            line = [number, *self._ancestors(number)]
            new = [one for one in line if one not in kept]
            if number in self._lives and len(kept) + len(new) <= TOLD:
                kept |= dict.fromkeys(new)
        return [self._as_told(number, energies.get(number, 0.0)) for number in sorted(kept)]

    def state(self) -> dict[str, Any]:
        return {str(number): asdict(life) for number, life in self._lives.items()}

    def restore(self, state: Mapping[str, Any]) -> None:
        self._lives = {int(number): Life(**life) for number, life in state.items()}

    def _as_told(self, number: int, energy: float) -> dict[str, Any]:
        life = self._lives[number]
        parent = life.parent if life.parent in self._lives else NOBODY
        word = plain(life.word, LONGEST_WORD)
        return {"number": number, **asdict(life), "parent": parent, "word": word, "energy": round(energy, 3)}

    def _ancestors(self, number: int) -> list[int]:
        """Those that are remembered, the nearest first."""
        line: list[int] = []
        life = self._lives.get(number)
        while life is not None and life.parent in self._lives and len(line) < LONGEST_LINE:
            line.append(life.parent)
            life = self._lives[life.parent]
        return line

    def _forget(self) -> None:
        """Keep the living with their ancestors, and the youngest of the others."""
        living = [number for number, life in self._lives.items() if life.died == LIVES]
        kept = {one for number in living for one in (number, *self._ancestors(number))}
        others = [number for number in self._lives if number not in kept]
        kept.update(others[-MOST:])
        self._lives = {number: life for number, life in self._lives.items() if number in kept}
