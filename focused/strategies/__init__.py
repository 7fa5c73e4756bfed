"""The strategies, each named as its file or package; those of the papers are in `focused.papers`.

A new file needs no registration.

Another package's strategy is found by the name of an entry point of the group ``focused.strategies``, or by its import path.
"""

from __future__ import annotations

import os
import sys
from importlib.metadata import entry_points
from pkgutil import resolve_name

from focused import wings
from focused.crawl.strategy import Strategy, StrategyOptions
from focused.exceptions import TopicError, needs_extra
from focused.topic.mistakes import shown
from focused.topic.registry import Registry

GROUP = "focused.strategies"  #: of entry points

_registry = Registry((__name__, *wings.parts("strategies")), "strategy", "strategies", TopicError)


def packaged() -> list[str]:
    """Names of the strategies that come with focused, in alphabetical order."""
    return _registry.names()


def names() -> list[str]:
    """Names of all strategies: those of focused, and then those that other packages bring, each in alphabetical order."""
    others = {entry.name for entry in entry_points(group=GROUP)}
    return [*packaged(), *sorted(others.difference(packaged()))]


def get_strategy(name: str) -> type[Strategy]:
    """The class of a strategy: one of `names`, or an import path such as ``myproject.strategies.Anchor``.

    Raises TopicError for a name that is no strategy, with the nearest name and all names, and FocusedError if packages are missing
    that a strategy of ours needs.
    """
    if name in packaged():
        with needs_extra("papers", f"strategy {name}"):
            return _registry.get_class(name, Strategy)
    entry = next((entry for entry in entry_points(group=GROUP) if entry.name == name), None)
    if entry is None and "." not in name:
        _registry.module(name)  # raises, and says that there is none
    try:
        found = entry.load() if entry else resolve_name(name)
    except Exception as error:  # a stranger's code may raise anything when it is imported
        raise TopicError(
            f"strategy {shown(name)} cannot be imported: {type(error).__name__}: {error}; give the import path of a class, "
            f"such as myproject.strategies.Anchor, or one of: {', '.join(names())}"
        ) from None
    if not (isinstance(found, type) and issubclass(found, Strategy)):
        raise TopicError(f"strategy {shown(name)} is no subclass of focused.crawl.strategy.Strategy")
    return found


def is_own(name: str) -> bool:
    """Whether a strategy is one of `names`, or code that this project has or has imported: only such code may a file name."""
    project = os.environ.get("SCRAPY_SETTINGS_MODULE", "").partition(".")[0]
    return name in names() or name.partition(".")[0] == project or name.rpartition(".")[0] in sys.modules


def options_of(name: str) -> type[StrategyOptions]:
    """The options that a strategy takes; TopicError as of `get_strategy`."""
    return get_strategy(name).Options
