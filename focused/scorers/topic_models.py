"""A model of the topic for each of its languages: what is relevant there, and which words tell it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from focused.crawl.strategy import Judge
from focused.crawl.world import InLanguage, World
from focused.scorers.topic_model import TopicModel
from focused.scorers.word_vectors import WordVectors

ANY = "any"  #: the model of pages in no language of the topic, or in one that nobody knows


class TopicModels:
    """The models of a topic by language; one alone where the topic has one language.

    Pages are compared with those of their own language only: how rare a word is, how many keywords a page says and how relevant
    the best pages are differs between languages, for reasons that have nothing to do with the topic. A model is made when the
    first page of its language comes.

    Parameters
    ----------
    world : for keywords and examples
    top : as in `TopicModel`
    vectors : what words mean, of a topic in one language
    """

    def __init__(self, world: World, *, top: int, vectors: WordVectors | None = None) -> None:
        self._world, self._top, self._vectors = world, top, vectors
        self._models: dict[str, TopicModel] = {}
        if world.examples and not world.languages:
            self.of(ANY)  # reading the examples takes long: before the first page, not while the crawl waits

    @property
    def pages(self) -> int:
        """Pages that all of them have learned from."""
        return sum(model.pages for model in self._models.values())

    def of(self, language: str) -> TopicModel:
        """The model for pages in a language."""
        name = language if language in self._world.languages else ANY
        if name not in self._models:
            own = self._world.languages.get(name) or InLanguage(self._world.keywords, self._world.examples)
            self._models[name] = TopicModel(own.keywords, own.examples, top=self._top, vectors=self._vectors)
        return self._models[name]

    def judge_again(self, judge: Judge) -> list[tuple[int, float]]:
        """As `TopicModel.judge_again`, of all languages."""
        return [judged for model in self._models.values() for judged in model.judge_again(judge)]

    def state(self) -> dict[str, Any]:
        """All that decides later answers, by language."""
        return {name: model.state() for name, model in self._models.items()}

    def restore(self, state: Mapping[str, Mapping[str, Any]]) -> None:
        """Take up what `state` gave."""
        for name, values in state.items():
            self.of(name).restore(values)
