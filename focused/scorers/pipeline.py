"""The scoring pipeline: reads the links of a page once, gives them to all scorers, and weighs the columns that these return."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Mapping
from functools import reduce
from typing import Any, ClassVar

import numpy as np
from pydantic import Field

from focused.crawl.arrays import FloatArray, IntArray
from focused.crawl.strategy import Changes, Judge, Rescoring, Seeds, Strategy, StrategyOptions, Visit, Waiting
from focused.crawl.world import World
from focused.scorers.dom_context import DomContext
from focused.scorers.encoded_words import LANGUAGES, EncodedWords
from focused.scorers.hub_score import HubScore
from focused.scorers.link_classifier import LinkClassifier
from focused.scorers.link_scorer import LinkHistory, LinkScorer
from focused.scorers.regressions import TopicRegressions
from focused.scorers.topic_model import Text, TopicModel, TopicModels
from focused.scorers.word_vectors import LANGUAGE, Meanings, WordVectors, are_installed
from focused.scorers.word_weights import Knowledge

USUAL: tuple[type[LinkScorer], ...] = (DomContext, HubScore, LinkClassifier)
BASE = "base"  #: the part that every link gets
SOLVE_EVERY = 5  #: pages between two rescorings, at least
LINKS_PER_RESCORE = 300  #: a rescoring comes every waiting / 300 pages: so its cost per page is the same at any size
AT_ONCE = 16_384  #: URLs rescored together: few enough for memory, many enough that the calls cost nothing


class ScoringPipeline(Strategy):
    """A strategy that scores a link by a weighted sum of the scorers' columns: score = b + Σ over all columns of weight · column.

    A subclass gives `weights`. A seed that waits is lifted to 1: the user has asked for it.
    """

    state_version: int | str = 7
    trained = "logistic"
    model_class = TopicRegressions
    knows = "knowledge"
    knowledge_class = Knowledge
    uses_scorers = True
    parts: ClassVar[tuple[str, ...]] = (BASE, *(part for scorer in USUAL for part in scorer.parts))
    meanings: ClassVar[Mapping[str, str]] = {BASE: "what every link gets, and a seed more"} | {
        part: meaning for scorer in USUAL for part, meaning in scorer.meanings.items()
    }
    sums: ClassVar[Mapping[str, tuple[str, ...]]] = {scorer.title: tuple(scorer.parts) for scorer in USUAL}

    class Options(StrategyOptions):
        judges = True
        feedback: int = Field(30, ge=1, le=100, description="most relevant pages whose words count as the topic's")
        meaning: bool = Field(
            True, description="count what words mean, where English is the only language of the topic"
        )
        foreign: bool = Field(
            False,
            description="count what words mean in fourteen languages: keywords find pages in others of the topic",
        )
        model: str = Field("", description="name of a model made by scrapy train logistic; empty: none")
        knowledge: str = Field(
            "", description="name of what scrapy train learned knowledge in earlier crawls; empty: none"
        )

    def __init__(self, options: StrategyOptions, world: World) -> None:
        super().__init__(options, world)
        languages = list(world.languages) or [world.language]
        vectors: Mapping[str, Meanings] = {}
        if self.options.foreign:
            vectors = {code: EncodedWords(code, stemming=world.stemming) for code in languages if code in LANGUAGES}
        elif self.options.meaning and languages == [LANGUAGE]:
            if are_installed():
                vectors = {LANGUAGE: WordVectors(stemming=world.stemming)}
            else:
                self.state_version = f"{self.state_version} without meaning"
        self.models = TopicModels(world, top=self.options.feedback, vectors=vectors)
        self.history = LinkHistory(world)
        chosen = world.scorers or USUAL
        self.scorers = [scorer(world, self.history) for scorer in chosen]
        self._called = [scorer.__name__ for scorer in chosen]
        if chosen != USUAL:  # two of somebody's own may have one name
            self._called = [f"{scorer.__module__}.{scorer.__qualname__}" for scorer in chosen]
            self.state_version = f"{self.state_version} with {' '.join(self._called)}"
        self.prior = {name: weight for scorer in chosen for name, weight in scorer.prior.items()}
        self.names = list(self.prior)
        parts = {part: columns for scorer in chosen for part, columns in scorer.parts.items()}
        # This crawl may have other scorers than the usual ones.
        self.parts = (BASE, *parts)  # type: ignore[misc]
        self.sums = {scorer.title: tuple(scorer.parts) for scorer in chosen}  # type: ignore[misc]
        self.meanings = {BASE: type(self).meanings[BASE]} | {  # type: ignore[misc]
            part: meaning for scorer in chosen for part, meaning in scorer.meanings.items()
        }
        self._places = [[self.names.index(column) for column in columns] for columns in parts.values()]
        self.rescore_every = SOLVE_EVERY
        self._is_seed = world.column("is_seed", np.bool_)

    @property
    @abstractmethod
    def weights(self) -> tuple[float, FloatArray]:
        """b, and (c,) the weights of all columns, in the order of `names`."""

    def learn(self, picked: IntArray, relevance: float, *, is_seed: bool) -> None:
        """Learn from the page that a link led to."""
        for scorer in self.scorers:
            scorer.add_outcome(int(picked[0]), relevance, is_seed=is_seed)
        self.history.mean += 0.01 * (relevance - self.history.mean)

    def columns(self, ids: IntArray) -> FloatArray:
        """(c, n) the columns of all scorers for n URLs that some page links to."""
        return np.concatenate([scorer.columns(ids) for scorer in self.scorers])

    def start(self, seeds: Seeds) -> Changes:
        self._is_seed[seeds.ids] = True
        return super().start(seeds)

    def visited(self, visit: Visit) -> Changes:
        picked = np.array([visit.picked])  # the prediction was for the link, wherever it redirects to
        is_seed = bool(self._is_seed[visit.picked])
        model = self.models.of(visit.page.language)
        words, relevance = self._assess(visit, model, is_seed=is_seed)
        if not visit.again:
            self.learn(picked, relevance, is_seed=is_seed)
        return self._linked(visit, model, words, relevance)

    def listed(self, visit: Visit) -> Changes:
        model = self.models.of(visit.page.language)
        return self._linked(visit, model, model.read(visit.page.terms), visit.relevance)

    def taught(self, judge: Judge) -> None:
        """Forget what links led to, and learn it anew from the remembered pages, as the person's verdicts judge them."""
        outcomes = self.models.judge_again(judge)
        if outcomes:
            for scorer in self.scorers:
                scorer.forget()
            for url, relevance in outcomes:
                self.learn(np.array([url]), relevance, is_seed=bool(self._is_seed[url]))
            for scorer in self.scorers:
                scorer.learn()

    def rescore(self, waiting: Waiting) -> Callable[[], Rescoring] | None:
        self.rescore_every = max(SOLVE_EVERY, len(waiting.ids) // LINKS_PER_RESCORE)
        ids = waiting.ids[self.history.knows(waiting.ids)]
        changes = Changes(ids, np.empty(len(ids)), np.empty((len(ids), len(self.parts))), replace=True)
        for start in range(0, len(ids), AT_ONCE):
            some = slice(start, start + AT_ONCE)
            scored = self._scored(ids[some])
            changes.scores[some], changes.parts[some] = scored.scores, scored.parts
        return lambda: Rescoring(changes)

    def state(self) -> dict[str, Any]:
        return {
            "models": self.models.state(),
            "mean": self.history.mean,
            "scorers": {name: scorer.state() for name, scorer in zip(self._called, self.scorers, strict=True)},
            "rescore_every": self.rescore_every,
        }

    def restore(self, state: Mapping[str, Any]) -> None:
        self.models.restore(state["models"])
        self.history.mean = state["mean"]
        for name, scorer in zip(self._called, self.scorers, strict=True):
            scorer.restore(state["scorers"][name])
        self.rescore_every = state["rescore_every"]

    def _assess(self, visit: Visit, model: TopicModel, *, is_seed: bool) -> tuple[Text, float]:
        """The words of a page, and its relevance; 0 for a duplicate, from which the model learns nothing."""
        terms = visit.page.terms
        words = model.read(terms)
        if visit.duplicate:
            return words, 0.0
        trained: TopicRegressions | None = self.world.model
        is_known = not self.world.languages or visit.page.language == self.world.language
        said = trained.pages.relevance(terms) if trained and is_known else 0.0
        said = said if visit.said is None else visit.said  # a person knows better
        if visit.again:
            return words, model.relevance(words, said=said)
        value = model.learn(words, is_seed=is_seed, said=said, url=visit.picked, by_model=visit.by_model)
        return words, value if visit.said is None else visit.said

    def _linked(self, visit: Visit, model: TopicModel, words: Text, relevance: float) -> Changes:
        """Take in the links of a page or list, and score them."""
        if not len(visit.targets):
            return Changes.none(len(self.parts))
        links = self.history.read(visit, model, words, relevance)
        for scorer in self.scorers:
            scorer.add_links(links)
        self.history.add(links)
        return self._scored(visit.targets)

    def _scored(self, ids: IntArray) -> Changes:
        base, weights = self.weights
        weighted = self.columns(ids) * weights[:, np.newaxis]
        parts = np.array([np.full(len(ids), base), *(added(weighted[columns]) for columns in self._places)])
        is_seed = self._is_seed[ids]
        parts[0, is_seed] += np.maximum(0.0, 1.0 - added(parts[:, is_seed]))
        return Changes(ids, added(parts), parts.T, replace=True)


def added(rows: FloatArray) -> FloatArray:
    """The sum of rows, one after the other: unlike with BLAS and numpy, a column's sum does not depend on the number of columns."""
    return reduce(np.add, rows)
