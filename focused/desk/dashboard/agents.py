"""The agents of a crawl by InfoSpiders as a tree: who was born of whom, as the crawl tells it at each commit."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

NAMES = ("number", "parent", "born", "died", "pages", "hits")


@dataclass(slots=True)
class Agent:
    """One agent.

    word : the keyword that it has and its parent has not; empty: none
    born, died : pages fetched by all at that time; died -1: it lives
    """

    number: int
    parent: int
    born: int
    died: int
    pages: int
    hits: int
    energy: float
    word: str
    offspring: list[Agent] = field(default_factory=list)

    @property
    def lives(self) -> bool:
        return self.died < 0


@dataclass(frozen=True, slots=True)
class Agents:
    """All agents that are told of.

    roots : those that began with a seed, or whose parent is forgotten
    born : how many there were, also those that are forgotten
    """

    roots: list[Agent]
    born: int
    living: int
    most_energy: float


def agents_of(status: Mapping[str, Any]) -> Agents | None:
    """The agents in the status of a run; None where its strategy has none. What makes no sense is left out."""
    told = status.get("strategy")
    listed = told.get("agents") if isinstance(told, dict) else None
    if not isinstance(told, dict) or not isinstance(listed, list):
        return None
    agents: dict[int, Agent] = {}
    for one in listed:
        if isinstance(one, dict) and all(isinstance(one.get(name), int) for name in NAMES):
            energy, word = one.get("energy"), one.get("word")
            number, parent, born, died, pages, hits = (int(one[name]) for name in NAMES)
            energy = float(energy) if isinstance(energy, int | float) else 0.0
            agents[number] = Agent(number, parent, born, died, pages, hits, energy, str(word or ""))
    roots: list[Agent] = []
    for agent in agents.values():
        mother = agents.get(agent.parent) if agent.parent < agent.number else None
        (mother.offspring if mother else roots).append(agent)
    living = [agent for agent in agents.values() if agent.lives]
    every = told.get("born")
    most = max((agent.energy for agent in living), default=0.0)
    return Agents(roots, every if isinstance(every, int) else len(agents), len(living), most)
