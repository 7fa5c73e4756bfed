"""Who can take part in a comparison, by name, and how a crawl of each is put together."""

from __future__ import annotations

import focused.strategies
from focused.crawl.assemble import assemble
from focused.crawl.crawl import Crawl
from focused.crawl.strategy import Strategy
from focused.reading.reader import Reader
from focused.topic import Topic


def names() -> list[str]:
    """Names of all that can take part, in alphabetical order."""
    return focused.strategies.names()


def get_entrant(name: str) -> type[Strategy]:
    """The class of that name; TopicError, naming the nearest, if there is none."""
    return focused.strategies.get_strategy(name)


def core_of(topic: Topic, seed: int) -> tuple[Reader, Crawl]:
    """The reader and a fresh core for a topic whose strategy is one of `names`. ``seed`` is that of everything random."""
    return assemble(topic, seed=seed)


def sees_labels(name: str) -> bool:
    """Whether it is shown what crawls are judged by: then it is a reference and not a rival."""
    return bool(getattr(get_entrant(name), "sees_labels", False))
