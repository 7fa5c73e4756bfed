"""Crawlers to compare strategies with, one file each; a topic cannot name them. A new file is found without being registered.

Some are what people use elsewhere, others know what no crawler can know: how far from the best possible is a strategy?
"""

from __future__ import annotations

from focused.exceptions import EvaluationError
from focused.topic.registry import Registry
from lab.crawlers.yardstick import Yardstick

_registry = Registry((__name__,), "yardstick", "yardsticks", EvaluationError)


def names() -> list[str]:
    """Names of all yardsticks, in alphabetical order."""
    return _registry.names()


def get_yardstick(name: str) -> type[Yardstick]:
    """Return the class of a yardstick; EvaluationError, naming the nearest and listing all, if there is none of that name."""
    return _registry.get_class(name, Yardstick)
