"""InfoSpiders: a population of agents, each with its own frontier, keywords and neural net, that split where the pages are good.

How often keywords occur near each link: the inputs of a neural net that judges links.

    input k of link l = Σ over occurrences of keyword k near l of 1 / distance

The distance is 1 inside the anchor, 2 for the terms next to it, 3 for the ones after these, and so on.

Source: Pant, Srinivasan & Menczer 2004, "Crawling the Web", section 3.5; F. Menczer, R. K. Belew, "Adaptive Retrieval Agents",
Machine Learning 2000.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from focused.crawl.arrays import FloatArray, IntArray
from focused.crawl.strategy import Changes, Ready, Seeds, Strategy, StrategyOptions, Visit
from focused.crawl.url_table import State
from focused.crawl.world import World
from focused.page.page import Page
from focused.page.plain_text import plain
from focused.scorers.similarity import page_similarity


def keyword_proximities(keywords: Iterable[str], page: Page, window: int) -> FloatArray:
    """(n, k) inputs of the page's n links, one for each of k keywords in their order.

    window : terms before the anchor, and after it, that are near
    """
    numbers = {term: number for number, term in enumerate(keywords)}
    links, count = page.links, len(numbers)
    keyword = np.array([numbers.get(term, -1) for term in page.terms], np.int64)
    places = np.flatnonzero(keyword >= 0)
    starts = np.array([link.anchor_start for link in links], np.int64)
    ends = np.array([link.anchor_end for link in links], np.int64)
    first = np.searchsorted(places, starts - window)
    found = np.maximum(np.searchsorted(places, ends + window) - first, 0)
    # All pairs of a link and an occurrence near it, link after link.
    link = np.repeat(np.arange(len(links)), found)
    place = places[np.arange(len(link)) - np.repeat(np.cumsum(found) - found - first, found)]
    steps = np.maximum(np.maximum(starts[link] - place, place - ends[link] + 1), 0)
    inputs = np.bincount(link * count + keyword[place], 1.0 / (1 + steps), len(links) * count)
    return inputs.astype(np.float64).reshape(len(links), count)  # without any pair they are integers


NEW_WEIGHT = 1.0  #: of an input that nothing was learned of: a keyword near a link is a good sign


class SpiderAgent:
    """One agent. The net has one input a keyword and one output: tanh(Σ weight · input + bias).

    Parameters
    ----------
    keywords : term -> count, in the order of the inputs
    energy : it dies when it has none left

    Attributes
    ----------
    weights : (k + 1,) of k inputs, and the bias
    """

    def __init__(self, keywords: Mapping[str, int], energy: float) -> None:
        self.keywords = dict(keywords)
        self.energy = energy
        self.weights: FloatArray = np.append(np.full(len(keywords), NEW_WEIGHT), 0.0)

    def judge(self, inputs: FloatArray) -> FloatArray:
        """(n,) outputs in (-1, 1) of the net for n links."""
        outputs: FloatArray = np.tanh(inputs @ self.weights[:-1] + self.weights[-1])
        return outputs

    def learn(self, numbers: IntArray, values: FloatArray, similarity: float, rate: float) -> None:
        """One step of back-propagation: the link with these inputs led to a page of this similarity.

        numbers, values : (m,) each, the inputs that are not 0
        """
        output = np.tanh(self.weights[numbers] @ values + self.weights[-1])
        step = rate * (similarity - output) * (1 - output**2)
        self.weights[numbers] += step * values
        self.weights[-1] += step

    def child(self, page: Page) -> Self:
        """An offspring that has half of the energy, and as new keyword the page's most frequent term that is none yet."""
        self.energy /= 2
        child = type(self)(self.keywords, self.energy)
        new = next((term for term, _ in Counter(page.terms).most_common() if term not in self.keywords), None)
        child.weights = self.weights.copy()
        if new is not None:
            child.keywords[new] = 1
            child.weights = np.insert(child.weights, -1, NEW_WEIGHT)
        return child

    def state(self) -> dict[str, Any]:
        return {"keywords": list(self.keywords.items()), "energy": self.energy, "weights": self.weights}

    @classmethod
    def restored(cls, state: Mapping[str, Any]) -> Self:
        agent = cls(dict(state["keywords"]), state["energy"])
        agent.weights = np.array(state["weights"])
        return agent


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


NOT_JUDGED = -1  #: instead of the number of an input, for a URL that no net has judged: a seed
INPUTS = 8  #: of a link that are kept, the strongest, until its page teaches the net


class InfoSpiders(Strategy):
    """Let agents take turns; each draws a link from its own frontier, the better its score the more probably.

        score = alpha · net + (1 - alpha) · page
        P(link) = exp(beta · score) / Σ exp(beta · score), over the frontier of the agent whose turn it is

    An agent begins with each seed. A waiting link belongs to the first agent that found it. After each page back-propagation moves
    the net towards cos(keywords, page), and the energy changes. Above theta the agent splits: the child gets half of the energy,
    every second link, and one more keyword, the page's most frequent new term. At 0 it dies, and its links are dropped.

    Parts
        agent: number of the agent that gave the score
        net: what its net says of the keywords near the link, in (-1, 1)
        page: cos(its keywords, linking page)

    Source: Pant, Srinivasan & Menczer 2004, "Crawling the Web", section 3.5 and equation 7.
    """

    name = "info_spiders"
    parts: ClassVar[tuple[str, ...]] = ("agent", "net", "page")
    choice = "it was its agent's turn, which draws among its links"
    state_version = 2  # the family of the agents

    class Options(StrategyOptions):
        alpha: float = Field(0.5, ge=0, le=1, description="weight of the net; the linking page has the rest")
        beta: float = Field(5.0, ge=0, le=100, description="greediness of the draw; 0: all links alike")
        rate: float = Field(0.05, ge=0, le=1, description="of learning, by back-propagation")
        theta: float = Field(
            2.0, gt=0, le=1000, description="energy above which an agent splits; it begins with half of it"
        )
        cost: float = Field(
            1.0, ge=0, le=100, description="energy that a page costs, in means of the similarity so far"
        )
        agents: int = Field(64, ge=1, le=1000, description="most agents alive at a time")
        window: int = Field(10, ge=0, le=1000, description="terms before and after the anchor in which keywords count")

    def __init__(self, options: StrategyOptions, world: World) -> None:
        super().__init__(options, world)
        self._living: dict[int, SpiderAgent] = {}  # by number, oldest first
        self._born = 0
        self._family = Family()
        self._owner = world.column("owner", np.int32, NOBODY)
        # The strongest inputs of links, to which the values belong; 0 where there are fewer.
        self._input_numbers = world.column("input_numbers", np.int16, NOT_JUDGED, shape=(INPUTS,))
        self._input_values = world.column("input_values", np.float32, shape=(INPUTS,))
        self._similarities = 0.0  # sum over all pages
        self._pages = 0

    def start(self, seeds: Seeds) -> Changes:
        changes = super().start(seeds)
        for position, url in enumerate(seeds.ids.tolist()):
            if self._owner[url] == NOBODY:
                self._owner[url] = self._agent_for(url)
            changes.parts[position, 0] = self._owner[url]
        return changes

    def visited(self, visit: Visit) -> Changes:
        number = self._owner_of(visit.id, visit.parts)
        agent = self._living[number]
        similarity = page_similarity(agent.keywords, visit.page)
        self._similarities += similarity
        self._pages += 1
        self._family.visited(number, hit=visit.counts)
        self._teach(agent, number, visit.id, similarity)
        agent.energy += similarity - self._cost()
        if self._must_die(number):
            return self._die(number)
        changes = self._judged(number, visit, similarity)
        if agent.energy > self.options.theta and self._may_be_born(number):
            self._split(number, visit)
        return changes

    def listed(self, visit: Visit) -> Changes:
        """Give its links to the oldest agent, or the one that asked for it; that costs nothing and gives nothing."""
        number = self._owner_of(visit.id, visit.parts)
        return self._judged(number, visit, page_similarity(self._living[number].keywords, visit.page))

    def _judged(self, number: int, visit: Visit, similarity: float) -> Changes:
        agent = self._living[number]
        inputs = keyword_proximities(agent.keywords, visit.page, self.options.window)
        net = agent.judge(inputs)
        scores = self.options.alpha * net + (1 - self.options.alpha) * similarity
        scores[~self._keep(number, visit.targets, inputs)] = np.nan
        numbers, pages = np.full(len(scores), number), np.full(len(scores), similarity)
        return Changes(visit.targets, scores, np.column_stack((numbers, net, pages)))

    def failed(self, url: int, parts: tuple[float, ...]) -> Changes:
        """A URL without a page costs what a page costs, and gives nothing."""
        number = self._owner_of(url, parts)
        self._living[number].energy -= self._cost()
        return self._die(number) if self._must_die(number) else super().failed(url, parts)

    def choose(self, ready: Ready) -> int | None:
        waiting = ready.ready()
        owners = self._owner[waiting.ids]
        mine = np.flatnonzero((owners == self._turn(owners)) | (owners == NOBODY))
        weights = np.exp(self.options.beta * (waiting.scores[mine] - waiting.scores[mine].max()))
        drawn = self.world.chance(self.name).random() * weights.sum()
        position = np.searchsorted(np.cumsum(weights), drawn, side="right")
        return int(waiting.ids[mine[min(position, len(mine) - 1)]])

    def _turn(self, owners: NDArray[Any]) -> int:
        """The agent whose turn it is at this pick, among those that have something to choose from."""
        have = np.flatnonzero(np.bincount(owners[owners != NOBODY]))
        if not len(have):
            return NOBODY
        living = list(self._living)
        first = living[self.world.picks % len(living)] if living else 0
        # Agents are numbered in order of birth, so the next one in turn has the next higher number.
        return int(have[np.searchsorted(have, first) % len(have)])

    def _agent_for(self, url: int) -> int:
        """A new agent for a seed; where as many live as may, one of them."""
        if len(self._living) < self.options.agents:
            return self._add(SpiderAgent(self.world.keywords, self.options.theta / 2))
        return list(self._living)[url % len(self._living)]

    def _add(self, agent: SpiderAgent, parent: int = NOBODY, word: str = "") -> int:
        self._living[self._born] = agent
        self._family.born(self._born, parent, self._pages, word)
        self._born += 1
        return self._born - 1

    def _owner_of(self, url: int, parts: tuple[float, ...]) -> int:
        """The agent that a fetched URL belongs to; after redirects the one that scored the link; if that is dead, the oldest."""
        for number in (int(self._owner[url]), int(parts[0]) if parts else NOBODY):
            if number in self._living:
                return number
        return next(iter(self._living)) if self._living else self._agent_for(url)

    def _cost(self) -> float:
        return float(self.options.cost) * self._similarities / self._pages if self._pages else 0.0

    def _keep(self, number: int, targets: IntArray, inputs: FloatArray) -> NDArray[np.bool_]:
        """Give links to this agent, with what its net saw of them, unless they are another's; return (n,) which are its own now.

        What neither waits nor is under way is nobody's, whoever had it: an agent's frontier is what waits for it.
        """
        urls, positions, of = np.unique(targets, return_index=True, return_inverse=True)
        owners, state = self._owner[urls], self.world.urls.state[urls]
        free = ~np.isin(owners, list(self._living)) | ((state == State.FREE) & (owners != number))
        own = free | (owners == number)
        urls, inputs = urls[free], inputs[positions[free]]
        strongest = np.argsort(-inputs, axis=1, kind="stable")[:, :INPUTS]
        kept = strongest.shape[1]
        self._owner[urls] = number
        self._input_numbers[urls], self._input_values[urls] = 0, 0.0
        self._input_numbers[urls, :kept] = strongest
        self._input_values[urls, :kept] = np.take_along_axis(inputs, strongest, axis=1)
        return np.asarray(own[of])

    def _teach(self, agent: SpiderAgent, number: int, url: int, similarity: float) -> None:
        """Let an agent learn from a page that it was led to by a link it has judged."""
        if self._owner[url] == number and self._input_numbers[url, 0] != NOT_JUDGED:
            values = self._input_values[url].astype(np.float64)
            seen = values > 0
            agent.learn(self._input_numbers[url][seen].astype(np.int64), values[seen], similarity, self.options.rate)

    def _split(self, number: int, visit: Visit) -> None:
        """Every second link of an agent's frontier, in order of id and those of this page included, goes to its child."""
        parent = self._living[number]
        born = parent.child(visit.page)
        word = next(reversed(born.keywords)) if len(born.keywords) > len(parent.keywords) else ""
        child = self._add(born, number, word)
        mine = np.flatnonzero(self._owner.values == number)
        state = self.world.urls.state[mine]
        frontier = mine[(state == State.WAITING) | ((state == State.FREE) & np.isin(mine, visit.targets))]
        self._owner[frontier[1::2]] = child

    def _may_be_born(self, parent: int) -> bool:
        """Whether there is room for one more agent. Others whose frontier is empty give way."""
        most: int = self.options.agents
        if len(self._living) >= most:
            in_use = {parent, *self._owners_of(State.WAITING).tolist(), *self._owners_of(State.PICKED).tolist()}
            self._family.died([number for number in self._living if number not in in_use], self._pages)
            self._living = {number: agent for number, agent in self._living.items() if number in in_use}
        return len(self._living) < most

    def _must_die(self, number: int) -> bool:
        """No energy is left, and another agent has links to go on with."""
        if self._living[number].energy > 0 or len(self._living) == 1:
            return False
        others = self._owners_of(State.WAITING)
        return bool(np.any((others != number) & (others != NOBODY)))

    def _die(self, number: int) -> Changes:
        """Take an agent out, and its links out of the frontier."""
        del self._living[number]
        self._family.died([number], self._pages)
        mine = np.flatnonzero(self._owner.values == number)
        dropped = mine[self.world.urls.state[mine] == State.WAITING]
        self._owner[dropped] = NOBODY
        count = len(dropped)
        return Changes(dropped, np.full(count, np.nan), np.zeros((count, len(self.parts))), replace=True)

    def _owners_of(self, state: State) -> NDArray[np.int32]:
        """The agents, repeated ones included, that own a URL in this state."""
        return np.asarray(self._owner[self.world.urls.state.values == state])

    def state(self) -> dict[str, Any]:
        return {
            "living": {str(number): agent.state() for number, agent in self._living.items()},
            "born": self._born,
            "similarities": self._similarities,
            "pages": self._pages,
            "family": self._family.state(),
        }

    def told(self) -> dict[str, Any]:
        """``born``: how many agents there were. ``agents``: the family, see `Family.told`."""
        energies = {number: float(agent.energy) for number, agent in self._living.items()}
        return {"born": self._born, "agents": self._family.told(energies)}

    def restore(self, state: Mapping[str, Any]) -> None:
        self._living = {int(number): SpiderAgent.restored(agent) for number, agent in state["living"].items()}
        self._born, self._similarities, self._pages = state["born"], state["similarities"], state["pages"]
        self._family.restore(state["family"])
