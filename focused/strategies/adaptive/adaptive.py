"""Adaptive: learns what the topic's pages say and which links led to them, explores, and waits for better hosts. The default."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping
from functools import reduce
from typing import Any, ClassVar

import numpy as np
from pydantic import Field, field_validator

from focused.crawl.arrays import FloatArray, IntArray
from focused.crawl.strategy import (
    WAIT,
    Changes,
    Judge,
    Ready,
    Rescoring,
    Seeds,
    Strategy,
    StrategyOptions,
    Visit,
    Waiting,
)
from focused.crawl.world import World
from focused.strategies.adaptive.bayesian_regression import BayesianRegression
from focused.strategies.adaptive.bridges import Bridges
from focused.strategies.adaptive.link_evidence import NAMES, PRIOR, LinkEvidence
from focused.strategies.adaptive.link_knowledge import Knowledge
from focused.strategies.adaptive.telling_names import TellingNames
from focused.strategies.adaptive.topic_model import WARM_UP, Text, TopicModel
from focused.strategies.adaptive.topic_models import TopicModels
from focused.strategies.adaptive.topic_regressions import TopicRegressions
from focused.strategies.adaptive.word_vectors import LANGUAGE, WordVectors, are_installed

#: Which part of a score each feature belongs to.
PARTS: Mapping[str, tuple[str, ...]] = {
    "base": ("always",),
    "anchor": ("anchor_keywords", "anchor_topic", "anchor_meaning"),
    "context": ("context_keywords", "context_topic", "context_meaning", "contexts_topic"),
    "url": ("url_keywords", "url_topic", "url_meaning"),
    "host": ("host",),
    "neighbours": ("directory", "siblings", "pattern"),
    "words": ("words",),
    "hubs": ("best_hub", "mean_hub"),
    "promise": ("promise",),
    "form": NAMES[NAMES.index("same_host") :],
}
LAST = 50  #: pages whose relevance decides how much is explored
CONTENT = 0.6  #: with so high a mean nothing is explored beyond the least
LEAST = 0.02  #: probability of exploring that always remains
HASTY = 0.25  #: share of patience left in the greatest hurry: with none, about as much is found in time, by several times the pages
FAMILIAR = 3  #: pages picked from a host, after which it is no longer explored
FAILING = 0.06  #: with a lower mean, a crawl that has no unfamiliar host looks for pages that tell of some
NAMED = 0.2  #: what a keyword in the name of an unfamiliar host adds to its score when hosts are tried
SOLVE_EVERY = 5  #: pages between two solutions for the weights
LINKS_PER_RESCORE = 300  #: what waits is rescored every waiting / 300 pages: it costs the same per page at any size
AT_ONCE = 16_384  #: URLs rescored together: few enough for memory, many enough that the calls cost nothing


class Adaptive(Strategy):
    """Predict how relevant the page behind a link will be, from all that was seen of the link and of its like.

        score = w · features,  w learned page by page from a prior (Bayesian linear regression)

    The relevance of a fetched page comes from a model of the topic that learns too: keywords, then seeds and examples
    that look like the topic, then the best pages so far; each by its words, and by what its words mean.

    Parts (what each group of features adds to the score)
        base: what every link gets; a seed that waits is lifted to 1
        anchor: its anchor texts have the keywords, or words that the topic's pages have, or words of similar meaning
        context: the text around the link does
        url: the words of its URL do
        host: pages of its host were relevant
        neighbours: pages of its directory, of URLs formed alike, of links beside it were relevant
        words: words of links to it, of its URL and of the titles of pages that link to it led to relevant pages
        hubs: other links of the pages that link to it led to relevant pages
        promise: a trained model knows links with its words from labelled sites
        form: links of this form (depth, tilde, slash, query, length of anchor and context) led to relevant pages

    Source: ours (lab/notes/adaptive.md); relevance feedback after Rocchio 1971, BM25 after Robertson & Zaragoza 2009.
    """

    name = "adaptive"
    state_version: int | str = 5
    trained = "logistic"
    model_class = TopicRegressions
    knows = "knowledge"
    knowledge_class = Knowledge
    parts: ClassVar[tuple[str, ...]] = tuple(PARTS)
    meanings: ClassVar[Mapping[str, str]] = {
        "base": "what every link gets, and a seed more",
        "anchor": "the words of its links are those of the topic",
        "context": "the words around its links are those of the topic",
        "url": "the words of its URL are those of the topic",
        "host": "how relevant the pages of its host were",
        "neighbours": "how relevant its neighbours were: pages of its directory, of similar URLs, of links beside it",
        "words": "how relevant the pages behind links with its words were",
        "hubs": "how relevant other links from the same pages turned out to be",
        "promise": "how often links with its words led to relevant pages on the sites that the trained model knows",
        "form": "how relevant the pages behind links of its form were",
    }
    choice = "it tries a host from which little was fetched, or one whose pages may tell of new sites"

    class Options(StrategyOptions):
        prior: float = Field(30.0, gt=0, le=1e6, description="pages that the weights given beforehand count as")
        feedback: int = Field(30, ge=1, le=100, description="most relevant pages whose words count as the topic's")
        explore: float = Field(0.3, ge=0, le=1, description="probability of trying an unfamiliar host, at first")
        patience: float = Field(
            0.8, ge=0, le=1, description="take no link scored below this share of the best, which waits on a busy host"
        )
        meaning: bool = Field(
            True, description="count what words mean, where English is the only language of the topic"
        )
        model: str = Field("", description="name of a model made by scrapy train logistic; empty: none")
        knowledge: str = Field(
            "", description="name of what scrapy train knowledge learned in earlier crawls; empty: none"
        )
        drop: tuple[str, ...] = Field((), description="features to do without, for experiments")

        @field_validator("drop")
        @classmethod
        def _are_features(cls, names: tuple[str, ...]) -> tuple[str, ...]:
            if unknown := sorted(set(names) - set(NAMES)):
                raise ValueError(f"no feature {', '.join(unknown)}; there are: {', '.join(NAMES)}")
            return names

    def __init__(self, options: StrategyOptions, world: World) -> None:
        super().__init__(options, world)
        vectors = None
        if self.options.meaning and world.language == LANGUAGE and not world.languages:
            if are_installed():
                vectors = WordVectors(stemming=world.stemming)
            else:
                self.state_version = f"{self.state_version} without meaning"
        self.models = TopicModels(world, top=self.options.feedback, vectors=vectors)
        self.trained_model: TopicRegressions | None = world.model
        links = self.trained_model.links if self.trained_model else None
        self.evidence = LinkEvidence(world, links, world.knowledge)
        self._used = np.array([name not in self.options.drop for name in NAMES], np.float64)
        self.bridges = Bridges(world)
        self.regression = self._unlearned()
        self.rescore_every = SOLVE_EVERY
        self._names = TellingNames(world)
        self._is_seed = world.column("is_seed", np.bool_)
        self._last: deque[float] = deque(maxlen=LAST)
        self._groups = [[NAMES.index(feature) for feature in features] for features in PARTS.values()]

    def taught(self, judge: Judge) -> None:
        """Forget what links led to, and learn it anew of the pages that are remembered, as a person would judge them."""
        outcomes = self.models.judge_again(judge)
        self.regression = self._unlearned()
        self._last.clear()
        if outcomes:
            self.evidence.learn_again(outcomes, self._learn_one)
            self.regression.solve()

    def start(self, seeds: Seeds) -> Changes:
        self._is_seed[seeds.ids] = True
        return super().start(seeds)

    def visited(self, visit: Visit) -> Changes:
        picked = np.array([visit.picked])  # what was predicted is the link, wherever it redirects to
        is_seed = bool(self._is_seed[visit.picked])
        model = self.models.of(visit.page.language)
        words, relevance = self._assess(visit, model, is_seed=is_seed)
        if not visit.again:
            self._learn(picked, relevance, is_seed=is_seed)
            self.bridges.add_page(visit)
        if not len(visit.targets):
            return Changes.none(len(self.parts))
        self.evidence.add_links(visit, model, words, relevance)
        return self._scored(visit.targets)

    def listed(self, visit: Visit) -> Changes:
        if not len(visit.targets):
            return Changes.none(len(self.parts))
        model = self.models.of(visit.page.language)
        self.evidence.add_links(visit, model, model.read(visit.page.terms), visit.relevance)
        return self._scored(visit.targets)

    def _learn(self, picked: IntArray, relevance: float, *, is_seed: bool) -> None:
        """Learn from what a link led to."""
        if self.evidence.knows(picked)[0]:
            self.regression.learn(self.evidence.features(picked)[0] * self._used, relevance)
        if self.models.pages % SOLVE_EVERY == 0:
            self.regression.solve()
        self.evidence.add_outcome(int(picked[0]), relevance, is_seed=is_seed)
        self.evidence.mean += 0.01 * (relevance - self.evidence.mean)
        self._last.append(relevance)

    def _learn_one(self, url: int, relevance: float) -> None:
        self._learn(np.array([url]), relevance, is_seed=bool(self._is_seed[url]))

    def _unlearned(self) -> BayesianRegression:
        return BayesianRegression(np.array(list(PRIOR.values())) * self._used, self.options.prior)

    def rescore(self, waiting: Waiting) -> Callable[[], Rescoring] | None:
        self.rescore_every = max(SOLVE_EVERY, len(waiting.ids) // LINKS_PER_RESCORE)
        ids = waiting.ids[self.evidence.knows(waiting.ids)]
        changes = Changes(ids, np.empty(len(ids)), np.empty((len(ids), len(self.parts))), replace=True)
        for start in range(0, len(ids), AT_ONCE):
            some = slice(start, start + AT_ONCE)
            scored = self._scored(ids[some])
            changes.scores[some], changes.parts[some] = scored.scores, scored.parts
        return lambda: Rescoring(changes)

    def choose(self, ready: Ready) -> int | None:
        if self._explores() and (tried := self._tried(ready)) is not None:
            return tried
        best, held = ready.best(), ready.held_score
        if best is None or held is None or held <= 0:
            return best
        patience = self.options.patience * (1 - (1 - HASTY) * self.world.hurry)
        return WAIT if ready.score(best) < patience * held else best

    def state(self) -> dict[str, Any]:
        return {
            "models": self.models.state(),
            "evidence": self.evidence.state(),
            "regression": self.regression.state(),
            "rescore_every": self.rescore_every,
            "last": list(self._last),
        }

    def restore(self, state: Mapping[str, Any]) -> None:
        self.models.restore(state["models"])
        self.evidence.restore(state["evidence"])
        self.regression.restore(state["regression"])
        self.rescore_every = state["rescore_every"]
        self._last.extend(state["last"])

    def _assess(self, visit: Visit, model: TopicModel, *, is_seed: bool) -> tuple[Text, float]:
        """The words of a page, and its relevance; an exact copy is worth nothing, and its words are not the topic's."""
        terms = visit.page.terms
        words = model.read(terms)
        if visit.duplicate:
            return words, 0.0
        is_known = not self.world.languages or visit.page.language == self.world.language
        said = self.trained_model.pages.relevance(terms) if self.trained_model and is_known else 0.0
        said = said if visit.said is None else visit.said  # a person knows better
        if visit.again:
            return words, model.relevance(words, said=said)
        value = model.learn(words, is_seed=is_seed, said=said, url=visit.picked, by_model=visit.by_model)
        return words, value if visit.said is None else visit.said

    def _scored(self, ids: IntArray) -> Changes:
        weighted = (self.evidence.features(ids) * (self._used * self.regression.weights)).T
        parts = np.array([added(weighted[features]) for features in self._groups])
        is_seed = self._is_seed[ids]
        # The user's own word is not overruled.
        parts[0, is_seed] += np.maximum(0.0, 1.0 - added(parts[:, is_seed]))
        return Changes(ids, added(parts), parts.T, replace=True)

    def _explores(self) -> bool:
        """Whether the next pick is to try a host; never among the first pages."""
        if self.models.pages < WARM_UP:
            return False
        chance = max(LEAST, self.options.explore * (1 - sum(self._last) / len(self._last) / CONTENT))
        return bool(self.world.chance("explore").random() < chance)

    def _tried(self, ready: Ready) -> int | None:
        """The URL that exploring takes; None where there is none worth it."""
        unfamiliar = self._of_unfamiliar_host(ready)
        if unfamiliar is None and sum(self._last) / len(self._last) < FAILING:
            return self.bridges.best(ready, self.evidence)
        return unfamiliar

    def _of_unfamiliar_host(self, ready: Ready) -> int | None:
        """The best URL of the ready hosts from which fewer than `FAMILIAR` pages were picked; None where there is none.

        A host that is called after the topic goes before: what links say of a host that nobody knows is little.
        """
        hosts = ready.ready_hosts()
        hosts = hosts[self.world.hosts.picked[hosts] < FAMILIAR]
        if not len(hosts):
            return None
        scores = ready.best_scores(hosts) + NAMED * self._names.speak(hosts)
        return ready.best_of(int(hosts[scores.argmax()]))


def added(rows: FloatArray) -> FloatArray:
    """The sum of rows, one after the other: that of a column does not depend on how many there are, as BLAS's and numpy's do."""
    return reduce(np.add, rows)
