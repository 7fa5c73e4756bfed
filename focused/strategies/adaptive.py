"""Adaptive: learns what the topic's pages say and which links led to them, explores, and waits for better hosts. The default."""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray
from pydantic import Field, field_validator

from focused.collection.trained_model import shipped_weights
from focused.crawl.arrays import FloatArray, IntArray
from focused.crawl.strategy import WAIT, Changes, Judge, Ready, StrategyOptions, Visit
from focused.crawl.url_forms import domain_of
from focused.crawl.world import World
from focused.scorers.link_scorer import LinkHistory
from focused.scorers.pipeline import BASE, SOLVE_EVERY, USUAL, ScoringPipeline
from focused.scorers.topic_model import WARM_UP

logger = logging.getLogger(__name__)

LAST = 50  #: pages whose relevance decides how much is explored
CONTENT = 0.6  #: from this mean on, exploring is at its least
LEAST = 0.02  #: least probability of exploring
HASTY = 0.25  #: share of patience left in the greatest hurry: with none, as much is found in time, but with several times the pages
FAMILIAR = 3  #: pages picked from a host, after which it is no longer explored
#: Below this mean a crawl fails: it tries hosts of which it has no page yet, and without any looks for pages that name new sites.
FAILING = 0.06
LOST = 100  #: pages after which a crawl that fails is lost
EAGER = 3.0  #: a lost crawl explores so many times as often
NAMED = 0.2  #: what a keyword in the name of an unfamiliar host adds to its score when hosts are tried
LEAST_RATE = 0.1  #: of a host to be tried for new sites: a lower one has had more than 7 pages without any
SHORTEST = 3  #: letters of a keyword to look for in names; shorter ones occur in too many


class Adaptive(ScoringPipeline):
    """Predict how relevant the page behind a link will be, from what was seen of the link and its like.

        score = w · columns of the scorers,  w learned page by page from a prior (Bayesian linear regression)

    A model of the topic that learns too says how relevant a fetched page is: keywords, then seeds and examples that look
    like the topic, then the best pages so far; by words, and by what words mean.

    Parts (what each group of columns adds)
        base: what every link gets; a seed that waits is lifted to 1
        anchor: its anchor texts have keywords, words of the topic's pages, or words like these
        context: the text around the link does
        url: the words of its URL do
        hubs: other links of the pages that link to it led to relevant pages
        host: pages of its host were relevant
        neighbours: pages of its directory, URLs formed alike, links beside it were relevant
        words: the words of links to it, of its URL, of the titles above led to relevant pages
        promise: a trained model knows links with its words
        form: links of this form (depth, tilde, slash, query, lengths) led to relevant pages

    Source: ours (lab/notes/adaptive.md); relevance feedback after Rocchio 1971, BM25 after Robertson & Zaragoza 2009.
    """

    name = "adaptive"
    weighs = True
    choice = "it tries a host from which little was fetched, or one whose pages may tell of new sites"

    class Options(ScoringPipeline.Options):
        weights: str = Field(
            "", description="name of weights made by scrapy train weights; empty: those of the package"
        )
        prior: float = Field(
            0.0, ge=0, le=1e6, description="pages that these weights count as; 0: as many as their card says"
        )
        explore: float = Field(0.3, ge=0, le=1, description="probability of trying an unfamiliar host, at first")
        patience: float = Field(
            0.8,
            ge=0,
            le=1,
            description="while the best link waits on a busy host, take none scored below this share of it",
        )
        drop: tuple[str, ...] = Field((), description="columns of scorers to do without, for experiments")

        @field_validator("drop")
        @classmethod
        def _are_columns(cls, names: tuple[str, ...]) -> tuple[str, ...]:
            columns = [column for scorer in USUAL for column in scorer.prior]
            if unknown := sorted(set(names) - set(columns)):
                raise ValueError(f"no column {', '.join(unknown)}; there are: {', '.join(columns)}")
            return names

    def __init__(self, options: StrategyOptions, world: World) -> None:
        super().__init__(options, world)
        self._used = np.array([1.0, *(name not in self.options.drop for name in self.names)])
        self.begins_with = card = world.weights or shipped_weights()
        self.state_version = f"{self.state_version}, weights {card.digest}"
        origin = f"trained {card.made[:10]}" if world.weights else "of the package"
        self.weighed_by = f"the weights {card.name} ({origin}), which the crawl changes as it learns"
        if strange := sorted({*card.weights} - {BASE, *self.names}) if world.weights else []:
            logger.warning(
                "Weights %s: no scorer here has %s; take it out of the card, or its scorer into LINK_SCORERS",
                card.name,
                ", ".join(strange),
            )
        self.bridges = Bridges(world)
        self.regression = self._unlearned()
        self._telling_names = TellingNames(world)
        self._last: deque[float] = deque(maxlen=LAST)

    @property
    def weights(self) -> tuple[float, FloatArray]:
        weights = self._used * self.regression.weights
        return float(weights[0]), weights[1:]

    def visited(self, visit: Visit) -> Changes:
        if not visit.again:
            self.bridges.add_page(visit)
        return super().visited(visit)

    def learn(self, picked: IntArray, relevance: float, *, is_seed: bool) -> None:
        if self.history.knows(picked)[0]:
            self.regression.learn(np.append(1.0, self.columns(picked)) * self._used, relevance)
        if self.models.pages % SOLVE_EVERY == 0:
            self.regression.solve()
        super().learn(picked, relevance, is_seed=is_seed)
        self._last.append(relevance)

    def taught(self, judge: Judge) -> None:
        self.regression = self._unlearned()
        self._last.clear()
        super().taught(judge)
        self.regression.solve()

    def choose(self, ready: Ready) -> int | None:
        if (tried := self._tried(ready)) is not None:
            return tried
        best, held = ready.best(), ready.held_score
        if best is None or held is None or held <= 0:
            return best
        patience = self.options.patience * (1 - (1 - HASTY) * self.world.hurry)
        return WAIT if ready.score(best) < patience * held else best

    def state(self) -> dict[str, Any]:
        return super().state() | {"regression": self.regression.state(), "last": list(self._last)}

    def restore(self, state: Mapping[str, Any]) -> None:
        super().restore(state)
        self.regression.restore(state["regression"])
        self._last.extend(state["last"])

    def _unlearned(self) -> BayesianRegression:
        given, strength = self.begins_with.weights, self.options.prior or self.begins_with.strength
        known = [given.get(BASE, 0.0), *(given.get(name, prior) for name, prior in self.prior.items())]
        return BayesianRegression(np.array(known) * self._used, strength)

    def _tried(self, ready: Ready) -> int | None:
        """The URL that exploring takes; None if it takes none, as among the first pages.

        A crawl that fails takes one page of each host, not three: a good site shows itself by its first.
        """
        if self.models.pages < WARM_UP:
            return None
        draw, mean = self.world.chance("explore").random(), sum(self._last) / len(self._last)
        explore = self.options.explore
        explores = draw < max(LEAST, explore * (1 - mean / CONTENT))
        is_lost = self.models.pages >= LOST and draw < EAGER * explore * (1 - mean / FAILING)
        if not explores and not is_lost:
            return None
        unfamiliar = self._of_unfamiliar_host(ready, FAMILIAR if mean >= FAILING else 1)
        if unfamiliar is None and explores and mean < FAILING:
            return self.bridges.best(ready, self.history)
        return unfamiliar

    def _of_unfamiliar_host(self, ready: Ready, familiar: int) -> int | None:
        """The best URL of the ready hosts from which fewer than ``familiar`` pages were picked; None without such a host.

        Hosts named after the topic are preferred: links tell little about an unfamiliar host.
        """
        hosts = ready.ready_hosts()
        hosts = hosts[self.world.hosts.picked[hosts] < familiar]
        if not len(hosts):
            return None
        scores = ready.best_scores(hosts) + NAMED * self._telling_names.speak(hosts)
        return ready.best_of(int(hosts[scores.argmax()]))


class BayesianRegression:
    """The mean of the posterior of a linear model with a normal prior (Bishop 2006, section 3.3, equations 3.50 and 3.51).

        w = (λ I + Σ f fᵀ)⁻¹ (λ w0 + Σ f x)

    Parameters
    ----------
    prior : (f,) w0
    strength : λ, the number of examples of unit length that the prior counts as
    """

    def __init__(self, prior: FloatArray, strength: float) -> None:
        self.weights = prior.copy()
        self._precision = np.eye(len(prior)) * strength
        self._target = prior * strength

    def learn(self, features: FloatArray, value: float) -> None:
        """Take in an example; `solve` makes the weights from all of them."""
        self._precision += np.outer(features, features)
        self._target += features * value

    def solve(self) -> None:
        self.weights = np.linalg.solve(self._precision, self._target).astype(np.float64)

    def state(self) -> dict[str, Any]:
        return {"weights": self.weights, "precision": self._precision, "target": self._target}

    def restore(self, state: Mapping[str, Any]) -> None:
        self.weights, self._precision, self._target = state["weights"], state["precision"], state["target"]


class Bridges:
    """Rates hosts by how often their pages named sites that no earlier page had named.

        rate of a host = (pages that told of a new site + 1) / (pages picked + 3)

    A page counts once, however many sites it names: naming thousands costs nothing. Hosts of its own registered domain do not
    count. On the host with the best rate, the link that most pages have comes first, such as one in a menu; of equal ones the one
    with the fewest slashes.
    """

    def __init__(self, world: World) -> None:
        self._world, self._hosts = world, world.hosts
        self._known = world.host_column("known", np.bool_)  # a page of it came, or a page linked to it
        self._told = world.host_column("told", np.int32)  # pages that named a new site

    def add_page(self, visit: Visit) -> None:
        """Note which hosts a page links to."""
        own = int(self._world.urls.host[visit.picked])
        self._known[own] = True
        linked = np.unique(self._world.urls.host[visit.targets])
        new = linked[~self._known[linked]]
        self._known[new] = True
        domain = domain_of(self._hosts.names[own])
        self._told[own] += any(domain_of(self._hosts.names[host]) != domain for host in new.tolist())

    def best(self, ready: Ready, history: LinkHistory) -> int | None:
        """The URL most likely to name new sites; None if no ready host is worth a try."""
        hosts = ready.ready_hosts()
        rates = (self._told[hosts] + 1) / (self._hosts.picked[hosts] + 3)
        if not len(hosts) or rates.max() < LEAST_RATE:
            return None
        return history.most_linked(ready.ready_of(int(hosts[rates.argmax()])))


class TellingNames:
    """Finds keywords in the names of hosts, also inside of a word, as names have no spaces; leaves the last label out.

    Keywords are stems, in which a final y is an i: ``cryptographi``. So y counts as i here, in names as well.

    It saves nothing: the names of hosts are saved, and lead to the same result.
    """

    def __init__(self, world: World) -> None:
        self._names = world.hosts.names
        self._keywords = [_without_y(keyword) for keyword in world.keywords if len(keyword) >= SHORTEST]
        self._named = bytearray()  # by id of host, for the hosts asked about so far

    def speak(self, hosts: IntArray) -> NDArray[np.bool_]:
        """(n,) whether the names of these hosts have a keyword."""
        new = self._names[len(self._named) :]
        self._named.extend(any(keyword in name for keyword in self._keywords) for name in map(_telling, new))
        return np.frombuffer(self._named, np.bool_).take(hosts)


def _telling(name: str) -> str:
    """The part of a host's name in which keywords count."""
    return _without_y(name.rpartition(".")[0])


def _without_y(text: str) -> str:
    return text.replace("y", "i")
