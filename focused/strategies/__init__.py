"""The strategies: one file each, named as its strategy is. A new file is found without being registered anywhere."""

from __future__ import annotations

from focused.crawl.strategy import Strategy, StrategyOptions
from focused.exceptions import TopicError
from focused.topic.registry import Registry

_registry = Registry(__name__, __path__, "strategy", "strategies", TopicError)


def names() -> list[str]:
    """Names of all strategies, in alphabetical order."""
    return _registry.names()


def get_strategy(name: str) -> type[Strategy]:
    """Return the class of a strategy; TopicError, naming the nearest and listing all, if there is none of that name."""
    return _registry.get_class(name, Strategy)


def options_of(name: str) -> type[StrategyOptions]:
    """The options that a strategy takes; TopicError as of `get_strategy`."""
    return get_strategy(name).Options
