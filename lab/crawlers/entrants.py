"""Who can take part in a comparison, by name, and how a crawl of each is put together."""

from __future__ import annotations

from pathlib import Path

from focused import strategies
from focused.crawl.crawl import Crawl
from focused.crawl.strategy import Strategy
from focused.run.assemble import assemble
from focused.simulation.analysed_web import AnalysedWeb
from focused.simulation.labels import Judgements
from focused.topic.topic import Topic
from lab.crawlers import yardsticks
from lab.crawlers.yardstick_crawl import yardstick_crawl


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
