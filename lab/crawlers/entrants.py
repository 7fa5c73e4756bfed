"""Who can take part in a comparison, by name, and how a crawl of each is put together."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

from focused import strategies
from focused.crawl.crawl import Crawl
from focused.crawl.strategy import Strategy
from focused.exceptions import EvaluationError
from focused.live.assemble import assemble
from focused.simulation.analysed_web import AnalysedWeb
from focused.simulation.first_reading import ReadingProgress
from focused.simulation.labels import Judgements
from focused.topic.topic import Topic
from lab.crawlers import yardsticks
from lab.crawlers.web_links import links_of
from lab.crawlers.yardstick import JudgedWorld, YardstickWorld, keyword_words
from lab.crawlers.yardsticks import get_yardstick


def yardstick_crawl(
    name: str,
    topic: Topic,
    web: AnalysedWeb,
    judgements: Judgements | None,
    *,
    seed: int = 0,
    progress: ReadingProgress | None = None,
) -> Crawl:
    """Return a fresh core for a topic that a yardstick drives; its own strategy plays no part.

    Parameters
    ----------
    web : what will be crawled; an oracle reads all its links first, the first time
    judgements : shown to those that see labels, and to no other; None will do for these
    seed : of everything random
    progress : is told how far the reading of links has come

    Raises EvaluationError for an unknown name, or without the judgements it needs; StorageError when what was read cannot be kept.
    """
    yardstick, rules = get_yardstick(name), web.reader.rules
    words = keyword_words(topic.keywords, web.reader.analyser)
    world: Callable[..., YardstickWorld] = partial(YardstickWorld, words=words)
    if yardstick.sees_labels:
        if judgements is None:
            raise EvaluationError(f"{name} must be shown the labels of the topic")
        world = partial(
            JudgedWorld,
            words=words,
            targets=frozenset(map(rules.key, judgements.targets)),
            relevant=frozenset(map(rules.key, judgements.relevant)),
            links=lambda: links_of(web, topic.scope, progress),
        )
    _, crawl = assemble(topic, yardstick, seed=seed, world=world)
    return crawl


def names() -> list[str]:
    """Names of all that can take part: the strategies and then the yardsticks, each in alphabetical order."""
    return [*strategies.names(), *yardsticks.names()]


def get_entrant(name: str) -> type[Strategy]:
    """The class of one of these names, or of a strategy's import path; TopicError where a path leads to none."""
    return yardsticks.get_yardstick(name) if name in yardsticks.names() else strategies.get_strategy(name)


def sees_labels(name: str) -> bool:
    """Whether it is shown what crawls are judged by: then it is a reference and not a rival."""
    return name in yardsticks.names() and yardsticks.get_yardstick(name).sees_labels


def core_of(
    topic: Topic, web: AnalysedWeb, judgements: Judgements | None, seed: int, models: Path | None = None
) -> Crawl:
    """A fresh core for a topic whose strategy is one of `names`.

    judgements : None for all but those that see labels
    seed : of everything random
    models : folder of the user's trained models, which come before those of the package
    """
    if topic.strategy in yardsticks.names():
        return yardstick_crawl(topic.strategy, topic, web, judgements, seed=seed)
    return assemble(topic, seed=seed, models=models)[1]
